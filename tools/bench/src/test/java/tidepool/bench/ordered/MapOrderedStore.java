package tidepool.bench.ordered;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** A sorted map, and one transaction at a time. */
final class MapOrderedStore implements OrderedStore {
    private final TreeMap<byte[], byte[]> pairs = new TreeMap<>(Arrays::compareUnsigned);
    private final ReentrantLock lock = new ReentrantLock();
    private final int forgets;
    private int puts;

    /** @param forgets one put in this number is forgotten; 0 for none */
    MapOrderedStore(int forgets) {
        this.forgets = forgets;
    }

    @Override
    public OrderedSession session() {
        return new OrderedSession() {
            private final Map<byte[], byte[]> before = new HashMap<>();

            @Override
            public void begin(boolean isReadOnly) {
                lock.lock();
                before.clear();
            }

            @Override
            public boolean get(byte[] key, boolean isWritten, ByteBuffer into, int at) {
                byte[] found = pairs.get(key);
                if (found != null) into.put(at, found);
                return found != null;
            }

            @Override
            public void put(byte[] key, ByteBuffer from, int at, int length) {
                if (forgets > 0 && ++puts % forgets == 0) return;
                byte[] value = new byte[length];
                from.get(at, value);
                before.put(key.clone(), pairs.put(key.clone(), value));
            }

            @Override
            public void delete(byte[] key) {
                before.put(key.clone(), pairs.remove(key));
            }

            @Override
            public void scan(byte[] low, byte[] high, boolean isReversed, int limit, Visitor visitor) {
                var range = pairs.subMap(low, true, high, false);
                (isReversed ? range.descendingMap() : range)
                        .entrySet().stream()
                                .limit(limit)
                                .forEach(each -> visitor.pair(each.getKey(), ByteBuffer.wrap(each.getValue())));
            }

            @Override
            public void commit() {
                lock.unlock();
            }

            /** Takes back puts and deletes; each key is written once in a transaction. */
            @Override
            public void rollback() {
                before.forEach((key, value) -> {
                    if (value == null) pairs.remove(key);
                    else pairs.put(key, value);
                });
                lock.unlock();
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
