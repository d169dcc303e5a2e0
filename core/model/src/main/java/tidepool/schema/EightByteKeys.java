package tidepool.schema;

/**
 * Keys of eight bytes: packing small parts into one, and spreading keys over partitions and buckets.
 *
 * <pre>{@code
 * long edge = EightByteKeys.pack(7, 9);
 * int from = EightByteKeys.high(edge), to = EightByteKeys.low(edge);
 * }</pre>
 */
public final class EightByteKeys {
    private static final long STEP = 0x9e3779b97f4a7c15L; // 2^64 / golden ratio, odd

    private EightByteKeys() {}

    /**
     * Returns two numbers packed into one key. Every pair has its own key, and keys are sorted by {@code high}, signed,
     * first.
     */
    public static long pack(int high, int low) {
        return (long) high << 32 | low & 0xffff_ffffL;
    }

    /** Returns the first number of {@link #pack(int, int)}. */
    public static int high(long key) {
        return (int) (key >> 32);
    }

    /** Returns the second number of {@link #pack(int, int)}. */
    public static int low(long key) {
        return (int) key;
    }

    /** Begins a packer of parts with names and widths. */
    public static KeyPacker packer() {
        return KeyPacker.EMPTY;
    }

    /**
     * Returns a well mixed number for a key. It is one to one, and equal on every machine for ever, because it decides
     * where records lie. Take partitions from its upper bits and buckets from its lower ones, so that one choice says
     * nothing about the other.
     */
    public static long hash(long key) {
        return hash(key, 0);
    }

    /**
     * Returns another hash for every {@code which}, for indexes that need two. The mixer is moremur (Pelle Evensen,
     * "Stronger, better, morer, Moremur", 2019), which scatters counters and sparse bit patterns better than the
     * finalizers of MurmurHash3 and SplitMix64 do. The added step keeps key 0 from hashing to 0.
     */
    public static long hash(long key, int which) {
        long h = key + STEP * (2L * which + 1);
        h = (h ^ h >>> 27) * 0x3c79ac492ba7b653L;
        h = (h ^ h >>> 33) * 0x1c69b3f74ac4ae35L;
        return h ^ h >>> 27;
    }
}
