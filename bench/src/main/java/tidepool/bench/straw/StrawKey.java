package tidepool.bench.straw;

import tidepool.store.schema.Keys;

/**
 * A key of a map. {@link Long} would do but for its hash: keys that are packed from small numbers collide under it by the
 * hundred. This one mixes the upper bits and leaves neighbours side by side, which is kind to the processor's cache.
 */
record StrawKey(long key) {
    private static final int NEIGHBOURS = 16;

    @Override
    public int hashCode() {
        return (int) key + (int) Keys.hash(key >>> NEIGHBOURS);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StrawKey same && same.key == key;
    }
}
