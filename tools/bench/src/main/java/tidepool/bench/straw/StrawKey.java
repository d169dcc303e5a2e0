package tidepool.bench.straw;

import tidepool.schema.EightByteKeys;

/**
 * A key of a map. Keys that are packed from small numbers collide by the hundred under the hash of {@link Long}. This
 * hash mixes the upper bits and keeps neighbouring keys together, which suits the processor's cache.
 */
record StrawKey(long key) {
    private static final int NEIGHBOURS = 16;

    @Override
    public int hashCode() {
        return (int) key + (int) EightByteKeys.hash(key >>> NEIGHBOURS);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StrawKey same && same.key == key;
    }
}
