package tidepool.peers;

import org.infinispan.AdvancedCache;
import org.infinispan.commons.CacheException;
import tidepool.bench.ycsb.Clerk;
import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreOptions;
import tidepool.bench.ycsb.Stamp;

/**
 * {@code infinispan}: single operations on the transactional cache, which makes a transaction of each write by itself
 * and shows only committed values. Arrays are copied on the way in and out, because the cache keeps the array that it
 * is given.
 */
public final class InfinispanKeyStore implements KeyStore {
    private final InfinispanCache<byte[]> store = new InfinispanCache<>();

    public InfinispanKeyStore(KeyStoreOptions options) {
        AdvancedCache<Long, byte[]> loading = store.writing();
        for (long key = 0; key < options.records(); key++) {
            byte[] value = new byte[options.valueBytes()];
            Stamp.write(value, key, 0);
            loading.put(key, value);
        }
    }

    @Override
    public Clerk clerk() {
        return new InfinispanClerk(store.cache(), store.writing());
    }

    @Override
    public String settings() {
        return InfinispanCache.settings() + ", single operations, no replicas";
    }

    @Override
    public void close() {
        store.close();
    }

    private static final class InfinispanClerk implements Clerk {
        private final AdvancedCache<Long, byte[]> reading;
        private final AdvancedCache<Long, byte[]> writing;
        private long aborts;

        InfinispanClerk(AdvancedCache<Long, byte[]> reading, AdvancedCache<Long, byte[]> writing) {
            this.reading = reading;
            this.writing = writing;
        }

        @Override
        public boolean read(long key, byte[] into) {
            byte[] value = reading.get(key);
            if (value == null) return false;
            System.arraycopy(value, 0, into, 0, value.length);
            return true;
        }

        @Override
        public void update(long key, byte[] value) {
            byte[] copy = value.clone();
            while (true) {
                try {
                    writing.put(key, copy);
                    return;
                } catch (CacheException e) {
                    aborts++; // the wait for another transaction's lock timed out
                }
            }
        }

        @Override
        public long aborts() {
            return aborts;
        }
    }
}
