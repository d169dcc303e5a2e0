package tidepool.peers;

import jakarta.transaction.TransactionManager;
import org.infinispan.AdvancedCache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.transaction.LockingMode;
import org.infinispan.transaction.TransactionMode;
import org.infinispan.transaction.lookup.EmbeddedTransactionManagerLookup;
import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankOptions;
import tidepool.bench.smallbank.Teller;
import tidepool.bench.smallbank.Totals;

/**
 * Infinispan embedded in this process: a local transactional cache on the heap, pessimistic, with a write lock on every
 * read, which makes it serializable. Both accounts of all customers lie in one cache, because transactions over two
 * caches are slower; keys are locked in their order, so that nobody waits in a circle.
 */
public final class InfinispanBank implements Bank {
    private final int customers;
    private final DefaultCacheManager manager;
    private final AdvancedCache<Long, Account> cache;

    /** What the cache holds under a key. */
    record Account(long cents, long changes) {
        Account plus(long more) {
            return new Account(cents + more, changes + 1);
        }
    }

    public InfinispanBank(BankOptions options) {
        customers = options.customers();
        GlobalConfigurationBuilder global = new GlobalConfigurationBuilder();
        global.nonClusteredDefault();
        global.jmx().disable();
        global.metrics().gauges(false).histograms(false);
        manager = new DefaultCacheManager(global.build());
        ConfigurationBuilder local = new ConfigurationBuilder();
        local.clustering().cacheMode(CacheMode.LOCAL);
        local.transaction()
                .transactionMode(TransactionMode.TRANSACTIONAL)
                .lockingMode(LockingMode.PESSIMISTIC)
                .useSynchronization(true)
                .transactionManagerLookup(new EmbeddedTransactionManagerLookup());
        local.statistics().disable();
        manager.defineConfiguration("accounts", local.build());
        cache = manager.<Long, Account>getCache("accounts").getAdvancedCache();
        load();
    }

    private void load() {
        AdvancedCache<Long, Account> loading = cache.withFlags(Flag.IGNORE_RETURN_VALUES);
        for (long key = 0; key < 2L * customers; key++) loading.put(key, new Account(INITIAL_CENTS, 0));
    }

    static long savings(int customer) {
        return 2L * customer;
    }

    static long checking(int customer) {
        return 2L * customer + 1;
    }

    @Override
    public Teller teller() {
        TransactionManager transactions = cache.getTransactionManager();
        return new InfinispanTeller(
                transactions, cache.withFlags(Flag.FORCE_WRITE_LOCK), cache.withFlags(Flag.IGNORE_RETURN_VALUES));
    }

    @Override
    public Totals totals() {
        long cents = 0;
        long changes = 0;
        for (long key = 0; key < 2L * customers; key++) {
            Account account = cache.get(key);
            cents += account.cents();
            changes += account.changes();
        }
        return new Totals(cents, changes);
    }

    @Override
    public String settings() {
        return "Infinispan " + org.infinispan.commons.util.Version.getVersion()
                + " embedded, local cache on the heap, pessimistic, a write lock on every read, no replicas";
    }

    @Override
    public void close() {
        manager.stop();
    }
}
