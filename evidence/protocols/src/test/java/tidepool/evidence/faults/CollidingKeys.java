package tidepool.evidence.faults;

import tidepool.base.Checksum64;
import tidepool.base.Words;

/** Keys of two words that have one hash: the steps of the checksum are one to one in the word, and are undone here. */
final class CollidingKeys {
    private static final long FACTOR = 0x9e3779b97f4a7c15L;

    private CollidingKeys() {}

    /** Returns the second word with which another first word has the hash of a key. */
    static long right(long left, long right, long otherLeft) {
        long state = Checksum64.mix(Checksum64.start(2 * Words.BYTES), bytes(left));
        long other = Checksum64.mix(Checksum64.start(2 * Words.BYTES), bytes(otherLeft));
        long inverse = FACTOR;
        for (int i = 0; i < 6; i++) inverse *= 2 - FACTOR * inverse;
        long word = (state ^ bytes(right) * FACTOR ^ other) * inverse;
        return Long.reverseBytes(word) ^ Long.MIN_VALUE;
    }

    /** Returns the bytes of a part, big-endian with its sign flipped, as a little-endian word. */
    private static long bytes(long part) {
        return Long.reverseBytes(part ^ Long.MIN_VALUE);
    }
}
