package tidepool.bench.ycsb;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code chm}: a {@link ConcurrentHashMap} of records that are read and replaced in place under one of 16,384 locks,
 * chosen by the key. It is about the upper limit of Java in one process. It is neither durable nor replicated.
 */
public final class MapStore implements KeyStore {
    private static final int STRIPES = 1 << 14;

    private final ConcurrentHashMap<Long, byte[]> records;
    private final ReentrantLock[] locks = new ReentrantLock[STRIPES];

    public MapStore(KeyStoreOptions options) {
        records = new ConcurrentHashMap<>(2 * options.records());
        for (int i = 0; i < STRIPES; i++) locks[i] = new ReentrantLock();
        for (long key = 0; key < options.records(); key++) {
            byte[] value = new byte[options.valueBytes()];
            Stamp.write(value, key, 0);
            records.put(key, value);
        }
    }

    private ReentrantLock lock(long key) {
        return locks[(int) key & STRIPES - 1];
    }

    @Override
    public Clerk clerk() {
        return new MapClerk();
    }

    @Override
    public String settings() {
        return "ConcurrentHashMap, 16384 striped locks, one process, no replicas";
    }

    @Override
    public void close() {
        records.clear();
    }

    private final class MapClerk implements Clerk {
        @Override
        public boolean read(long key, byte[] into) {
            byte[] value = records.get(key);
            if (value == null) return false;
            ReentrantLock lock = lock(key);
            lock.lock();
            try {
                System.arraycopy(value, 0, into, 0, value.length);
            } finally {
                lock.unlock();
            }
            return true;
        }

        @Override
        public void update(long key, byte[] value) {
            byte[] record = records.get(key);
            ReentrantLock lock = lock(key);
            lock.lock();
            try {
                System.arraycopy(value, 0, record, 0, record.length);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public long aborts() {
            return 0;
        }
    }
}
