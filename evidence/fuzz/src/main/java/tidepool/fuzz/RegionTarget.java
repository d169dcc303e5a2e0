package tidepool.fuzz;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.memory.NodeInspection;
import tidepool.memory.RegionLayout;

/**
 * A region file is opened, or refused with the reason; extents of one that opens lie inside its data. The input is a
 * page count, whether the checksum is made to fit, and words to change in an otherwise good header and map.
 */
final class RegionTarget implements FuzzTarget {
    private static final int MAX_PAGES = 16;
    private static final long PAGE = 4096;
    private static final long FIRST_DATA = 2 * PAGE;

    private final MemorySegment memory = Arena.ofAuto().allocate(MAX_PAGES * PAGE, PAGE);

    @Override
    public void feed(byte[] input) {
        Bytes from = new Bytes(input);
        long bytes = from.u8() % (MAX_PAGES + 1) * PAGE;
        boolean fits = (from.u8() & 1) != 0;
        MemorySegment whole = memory.asSlice(0, bytes);
        whole.fill((byte) 0);
        if (bytes >= PAGE) good(whole);
        while (from.hasMore()) {
            long at = from.u16() % Math.max(1, Math.min(bytes, FIRST_DATA)) & -Words.BYTES;
            long word = from.u64();
            if (at < bytes) Words.plain(whole, at, word);
        }
        if (fits && bytes >= PAGE) seal(whole);
        if (NodeInspection.faultOfRegion(whole, -1) != null) return;
        long data = bytes - Words.plain(whole, RegionLayout.DATA);
        Finding.unless(data > 0, "a region without data opens");
        NodeInspection.extents(whole, (extent, _) -> {
            long end = extent.offset() + extent.bytes();
            Finding.unless(extent.offset() >= 0 && extent.bytes() > 0 && end <= data, "an extent outside: " + extent);
        });
    }

    private static void good(MemorySegment whole) {
        long granules = Math.max(0, whole.byteSize() - FIRST_DATA) / PAGE;
        Words.plain(whole, RegionLayout.MAGIC_AT, RegionLayout.MAGIC);
        whole.set(Words.U32, RegionLayout.VERSION_AT, RegionLayout.VERSION);
        Words.plain(whole, RegionLayout.BYTES, whole.byteSize());
        Words.plain(whole, RegionLayout.GRANULE, PAGE);
        Words.plain(whole, RegionLayout.GRANULES, granules);
        Words.plain(whole, RegionLayout.DATA, FIRST_DATA);
        seal(whole);
    }

    private static void seal(MemorySegment whole) {
        Words.plain(whole, RegionLayout.CHECKSUM, Checksum64.of(whole, 0, RegionLayout.CHECKSUM, RegionLayout.MAGIC));
    }
}
