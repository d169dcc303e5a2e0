package tidepool.fabric.shm;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Words;

/** A record that can prove that it is whole: 511 words that follow from a version, then a checksum. */
final class RecordFormat {
    static final int BYTES = 4096;
    private static final int CHECKSUM = BYTES - Words.BYTES;

    private RecordFormat() {}

    static void fill(MemorySegment record, long version) {
        for (int i = 0; i < CHECKSUM; i += Words.BYTES) Words.plain(record, i, word(version, i));
        Words.plain(record, CHECKSUM, Checksum64.of(record, 0, CHECKSUM, 1));
    }

    static boolean claimsToBeWhole(MemorySegment record) {
        return Words.plain(record, CHECKSUM) == Checksum64.of(record, 0, CHECKSUM, 1);
    }

    static boolean isWhole(MemorySegment record) {
        long version = Words.plain(record, 0);
        for (int i = 0; i < CHECKSUM; i += Words.BYTES) if (Words.plain(record, i) != word(version, i)) return false;
        return true;
    }

    private static long word(long version, int i) {
        return version + i;
    }
}
