package tidepool.peers;

import org.infinispan.AdvancedCache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.transaction.LockingMode;
import org.infinispan.transaction.TransactionMode;
import org.infinispan.transaction.lookup.EmbeddedTransactionManagerLookup;

/**
 * Infinispan embedded in this process, with the settings of all races: one local transactional cache on the heap,
 * pessimistic, without statistics.
 */
final class InfinispanCache<V> implements AutoCloseable {
    private final DefaultCacheManager manager;
    private final AdvancedCache<Long, V> cache;

    InfinispanCache() {
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
        manager.defineConfiguration("race", local.build());
        cache = manager.<Long, V>getCache("race").getAdvancedCache();
    }

    AdvancedCache<Long, V> cache() {
        return cache;
    }

    /** Returns the cache with reads that take the write lock. */
    AdvancedCache<Long, V> locking() {
        return cache.withFlags(Flag.FORCE_WRITE_LOCK);
    }

    /** Returns the cache with writes that do not fetch the value that they replace. */
    AdvancedCache<Long, V> writing() {
        return cache.withFlags(Flag.IGNORE_RETURN_VALUES);
    }

    static String settings() {
        return "Infinispan " + org.infinispan.commons.util.Version.getVersion()
                + " embedded, local cache on the heap, pessimistic";
    }

    @Override
    public void close() {
        manager.stop();
    }
}
