package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import tidepool.base.Words;

/**
 * The memory of a small region, and an independent checker of its extent map: it shares no code with {@link ExtentMap},
 * only the picture in its comment.
 */
record ExtentImage(MemorySegment whole) {
    static final long GRANULE = 4096;

    /** An extent: its session, and its length in granules. */
    record Held(int session, long granules) {}

    static ExtentImage withGranules(int granules) {
        long dataBytes = granules * GRANULE;
        MemorySegment whole = Arena.ofAuto().allocate(NodeRegion.bytesFor(dataBytes), 4096);
        NodeRegion.format(whole, 0, dataBytes);
        return new ExtentImage(whole);
    }

    ExtentImage copy() {
        return new ExtentImage(Arena.ofAuto().allocate(whole.byteSize(), 4096).copyFrom(whole));
    }

    int granules() {
        return (int) Words.plain(whole, RegionLayout.GRANULES);
    }

    long word(long granule) {
        return Words.plain(whole, 4096 + 8 * granule);
    }

    void word(long granule, long value) {
        Words.plain(whole, 4096 + 8 * granule, value);
    }

    MemorySegment data() {
        return whole.asSlice(Words.plain(whole, RegionLayout.DATA));
    }

    MemorySegment data(long granule, long granules) {
        return data().asSlice(granule * GRANULE, granules * GRANULE);
    }

    boolean isZero(long granule, long granules) {
        MemorySegment memory = data(granule, granules);
        for (long i = 0; i < memory.byteSize(); i += 8) if (Words.plain(memory, i) != 0) return false;
        return true;
    }

    /** Returns the extents in the map, by their first granule. Fails unless every word is as in the picture. */
    TreeMap<Long, Held> whole(String when) {
        TreeMap<Long, Held> extents = new TreeMap<>();
        for (long i = 0; i < granules(); i++) {
            long word = word(i);
            if (word == 0) continue;
            assertEquals(2, word >>> 62, when + ": no HEAD and not free: granule=" + i + " word=" + word);
            long length = word & (1L << 39) - 1;
            assertTrue(length > 0 && i + length <= granules(), when + ": length=" + length + " granule=" + i);
            for (long d = 1; d < length; d++)
                assertEquals(1L << 62 | d, word(i + d), when + ": BODY of " + i + " at distance " + d);
            extents.put(i, new Held((int) (word >>> 39 & 0x7fffff), length));
            i += length - 1;
        }
        return extents;
    }

    /** Checks that the map holds exactly these extents, and that the survey adds up to them. */
    void assertHolds(Map<Long, Held> expected, String when) {
        assertEquals(expected, whole(when), when);
        long allocated = 0;
        for (Held held : expected.values()) allocated += held.granules();
        long run = 0;
        long longest = 0;
        for (long i = 0; i < granules(); i++) {
            run = word(i) == 0 ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        assertEquals(
                new ExtentMap.Survey(
                        allocated * GRANULE, (granules() - allocated) * GRANULE, expected.size(), longest * GRANULE),
                new ExtentMap(whole).survey(),
                when);
    }
}
