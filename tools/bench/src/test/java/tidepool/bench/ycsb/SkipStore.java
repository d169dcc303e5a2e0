package tidepool.bench.ycsb;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentSkipListMap;

/** A sorted map of records. */
final class SkipStore implements KeyStore {
    private final ConcurrentSkipListMap<Long, byte[]> records = new ConcurrentSkipListMap<>();
    private final int forgets;

    /** @param forgets one insert in this number is forgotten, and one record that is scanned is left out; 0 for none */
    SkipStore(KeyStoreOptions options, int forgets) {
        this.forgets = forgets;
        for (long record = 0; record < options.records(); record++) {
            byte[] value = new byte[options.valueBytes()];
            Stamp.write(value, record << options.keyShift(), 0);
            records.put(record << options.keyShift(), value);
        }
    }

    @Override
    public Clerk clerk() {
        return new RangeClerk() {
            private int inserts;
            private int scanned;

            @Override
            public boolean read(long key, byte[] into) {
                byte[] found = records.get(key);
                if (found != null) System.arraycopy(found, 0, into, 0, into.length);
                return found != null;
            }

            @Override
            public void update(long key, byte[] value) {
                records.put(key, value.clone());
            }

            @Override
            public void insert(long key, byte[] value) {
                if (forgets > 0 && ++inserts % forgets == 0) return;
                records.put(key, value.clone());
            }

            @Override
            public void scan(long from, int limit, Visitor visitor) {
                records.tailMap(from).entrySet().stream().limit(limit).forEach(each -> {
                    boolean isLeftOut = forgets > 0 && ++scanned % forgets == 0;
                    if (!isLeftOut) visitor.record(each.getKey(), ByteBuffer.wrap(each.getValue()));
                });
            }

            @Override
            public long aborts() {
                return 0;
            }
        };
    }

    @Override
    public String settings() {
        return "a sorted map";
    }

    @Override
    public void close() {}
}
