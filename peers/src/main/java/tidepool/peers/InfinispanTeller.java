package tidepool.peers;

import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.CacheException;
import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.Teller;
import tidepool.peers.InfinispanBank.Account;

/** SmallBank as JTA transactions on a cache. */
final class InfinispanTeller implements Teller {
    private final TransactionManager transactions;
    private final AdvancedCache<Long, Account> locking;
    private final AdvancedCache<Long, Account> writing;
    private long aborts;

    InfinispanTeller(
            TransactionManager transactions,
            AdvancedCache<Long, Account> locking,
            AdvancedCache<Long, Account> writing) {
        this.transactions = transactions;
        this.locking = locking;
        this.writing = writing;
    }

    /** What is done between begin and commit. */
    @FunctionalInterface
    private interface Body {
        long run();
    }

    private static final long ROLLED_BACK = Long.MIN_VALUE;

    private long transact(Body body) {
        while (true) {
            try {
                transactions.begin();
                long result;
                try {
                    result = body.run();
                } catch (CacheException e) {
                    transactions.rollback();
                    aborts++;
                    continue;
                }
                if (result == ROLLED_BACK) {
                    transactions.rollback();
                    return result;
                }
                transactions.commit();
                return result;
            } catch (RollbackException e) {
                aborts++;
            } catch (NotSupportedException | SystemException | HeuristicMixedException | HeuristicRollbackException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void put(long key, Account account) {
        writing.put(key, account);
    }

    @Override
    public void amalgamate(int a, int b) {
        transact(() -> {
            long target = InfinispanBank.checking(b);
            Account to = b < a ? locking.get(target) : null;
            Account savings = locking.get(InfinispanBank.savings(a));
            Account checking = locking.get(InfinispanBank.checking(a));
            if (to == null) to = locking.get(target);
            put(target, to.plus(savings.cents() + checking.cents()));
            put(InfinispanBank.savings(a), savings.plus(-savings.cents()));
            put(InfinispanBank.checking(a), checking.plus(-checking.cents()));
            return 0;
        });
    }

    @Override
    public long balance(int a) {
        return transact(() -> locking.get(InfinispanBank.savings(a)).cents()
                + locking.get(InfinispanBank.checking(a)).cents());
    }

    @Override
    public void depositChecking(int a, long cents) {
        add(InfinispanBank.checking(a), cents);
    }

    @Override
    public boolean sendPayment(int a, int b, long cents) {
        return transact(() -> {
                    Account to = b < a ? locking.get(InfinispanBank.checking(b)) : null;
                    Account from = locking.get(InfinispanBank.checking(a));
                    if (to == null) to = locking.get(InfinispanBank.checking(b));
                    if (from.cents() < cents) return ROLLED_BACK;
                    put(InfinispanBank.checking(a), from.plus(-cents));
                    put(InfinispanBank.checking(b), to.plus(cents));
                    return 0;
                })
                != ROLLED_BACK;
    }

    @Override
    public void transactSavings(int a, long cents) {
        add(InfinispanBank.savings(a), cents);
    }

    private void add(long key, long cents) {
        transact(() -> {
            put(key, locking.get(key).plus(cents));
            return 0;
        });
    }

    @Override
    public long writeCheck(int a, long cents) {
        return transact(() -> {
            Account savings = locking.get(InfinispanBank.savings(a));
            Account checking = locking.get(InfinispanBank.checking(a));
            long taken = savings.cents() + checking.cents() >= cents ? cents : cents + Bank.PENALTY_CENTS;
            put(InfinispanBank.checking(a), checking.plus(-taken));
            return taken;
        });
    }

    @Override
    public long aborts() {
        return aborts;
    }
}
