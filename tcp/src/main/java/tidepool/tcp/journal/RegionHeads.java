package tidepool.tcp.journal;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import tidepool.base.Words;
import tidepool.memory.RegionLayout;

/**
 * Carries out what a journal says of regions over the files that have their data. Such a journal has header and map of a
 * region alone, and they are as it says: what the file had there may be of any time.
 */
public final class RegionHeads {
    private record Name(int pool, int region) {}

    private final Set<Name> fresh = new HashSet<>();
    private final Set<Name> absent = new HashSet<>();

    /** Of no regions yet. */
    public RegionHeads() {}

    /** Header and map are told anew from here on. */
    public void created(int pool, int region) {
        fresh.add(new Name(pool, region));
        absent.remove(new Name(pool, region));
    }

    /** It has no file: it was freed later, and this journal says so too, or the file is missing. */
    public void missed(int pool, int region) {
        absent.add(new Name(pool, region));
    }

    /** Whether it has no file, so that what is told of it is nothing to anybody. */
    public boolean isAbsent(int pool, int region) {
        return absent.contains(new Name(pool, region));
    }

    /** False if it cannot be: the header comes first, and nothing reaches the data. */
    public boolean bytes(
            int pool, int region, MemorySegment whole, long offset, MemorySegment from, long at, long length) {
        if (!fresh.contains(new Name(pool, region))) {
            if (length > Words.plain(whole, RegionLayout.DATA) - offset) return false;
            MemorySegment.copy(from, at, whole, offset, length);
            return true;
        }
        if (offset != 0 || length < RegionLayout.HEADER.byteSize()) return false;
        long data = from.get(Words.U64.withByteAlignment(1), at + RegionLayout.DATA);
        if (data < RegionLayout.EXTENT_MAP || data > whole.byteSize() || length > data) return false;
        whole.asSlice(0, data).fill((byte) 0);
        MemorySegment.copy(from, at, whole, 0, length);
        fresh.remove(new Name(pool, region));
        return true;
    }
}
