package tidepool.node.journal;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import tidepool.base.Words;
import tidepool.memory.RegionLayout;

/**
 * Replays the journal's entries for regions over the files that have the regions' data. Such a journal has only the
 * header and the extent map of a region, and it prevails: header and map in the file may be of any earlier or later
 * time.
 */
public final class RegionHeads {
    private record Name(int pool, int region) {}

    private final Set<Name> fresh = new HashSet<>();
    private final Set<Name> absent = new HashSet<>();

    /** Begins without regions. */
    public RegionHeads() {}

    /** Called when a region with a file begins. Its header and map follow in the journal from here on. */
    public void created(int pool, int region) {
        fresh.add(new Name(pool, region));
        absent.remove(new Name(pool, region));
    }

    /**
     * Called when a region without a file begins. Either it was freed later in this journal, or its file is missing.
     */
    public void missed(int pool, int region) {
        absent.add(new Name(pool, region));
    }

    /** Returns whether the region has no file, so that its entries are to be ignored. */
    public boolean isAbsent(int pool, int region) {
        return absent.contains(new Name(pool, region));
    }

    /** Returns false if the entry is inconsistent: the header must come first, and no entry may reach the data. */
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
