package tidepool.peers;

import org.infinispan.AdvancedCache;
import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankOptions;
import tidepool.bench.smallbank.Teller;
import tidepool.bench.smallbank.Totals;

/**
 * {@code infinispan}: pessimistic, with a write lock on every read, which makes it serializable. Both accounts of all
 * customers lie in one cache, because transactions over two caches are slower. Keys are locked in their order, so that
 * transactions cannot deadlock.
 */
public final class InfinispanBank implements Bank {
    private final int customers;
    private final InfinispanCache<PeerAccount> store = new InfinispanCache<>();

    public InfinispanBank(BankOptions options) {
        customers = options.customers();
        AdvancedCache<Long, PeerAccount> loading = store.writing();
        for (long key = 0; key < 2L * customers; key++) loading.put(key, new PeerAccount(INITIAL_CENTS, 0));
    }

    @Override
    public Teller teller() {
        return new InfinispanTeller(store.cache().getTransactionManager(), store.locking(), store.writing());
    }

    @Override
    public Totals totals() {
        long cents = 0;
        long changes = 0;
        for (long key = 0; key < 2L * customers; key++) {
            PeerAccount account = store.cache().get(key);
            cents += account.cents();
            changes += account.changes();
        }
        return new Totals(cents, changes);
    }

    @Override
    public String settings() {
        return InfinispanCache.settings() + ", a write lock on every read, no replicas";
    }

    @Override
    public void close() {
        store.close();
    }
}
