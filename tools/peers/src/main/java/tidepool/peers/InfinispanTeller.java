package tidepool.peers;

import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.CacheException;

/** SmallBank as JTA transactions on a cache. */
final class InfinispanTeller extends AccountTeller<RuntimeException> {
    private final TransactionManager transactions;
    private final AdvancedCache<Long, PeerAccount> locking;
    private final AdvancedCache<Long, PeerAccount> writing;
    private final Long[] keys = new Long[MAX_ACCOUNTS];
    private final PeerAccount[] accounts = new PeerAccount[MAX_ACCOUNTS];

    InfinispanTeller(
            TransactionManager transactions,
            AdvancedCache<Long, PeerAccount> locking,
            AdvancedCache<Long, PeerAccount> writing) {
        this.transactions = transactions;
        this.locking = locking;
        this.writing = writing;
    }

    @Override
    long transact(Body<RuntimeException> body) {
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

    @Override
    void read(int slot, long key) {
        Long boxed = key;
        keys[slot] = boxed;
        accounts[slot] = locking.get(boxed);
    }

    @Override
    long cents(int slot) {
        return accounts[slot].cents();
    }

    @Override
    void add(int slot, long more) {
        writing.put(keys[slot], accounts[slot].plus(more));
    }
}
