package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Words;

class NodeRegionTest {
    /** No verb reaches a byte outside the data, whatever its offset and length, also if their sum overflows. */
    @ParameterizedTest(name = "{0} + {1}: {2}")
    @CsvSource({
        "0, 8, GRANTED", //                       the first word
        "8184, 8, GRANTED", //                    the last word
        "0, 8192, GRANTED", //                    everything
        "4088, 16, GRANTED", //                   across granules
        "8192, 8, BOUNDS", //                     just past
        "8184, 16, BOUNDS", //                    across the end
        "0, 8200, BOUNDS", //                     too long
        "0, 0, BOUNDS", //                        nothing
        "8192, 0, BOUNDS",
        "-8, 8, BOUNDS", //                       the extent map lies there
        "-8, 16, BOUNDS",
        "8, -8, BOUNDS",
        "0, -9223372036854775808, BOUNDS",
        "-9223372036854775808, 8, BOUNDS",
        "9223372036854775800, 8, BOUNDS", //      the sum is negative
        "8, 9223372036854775800, BOUNDS",
        "9223372036854775800, 9223372036854775800, BOUNDS",
        "9223372036854775807, 8, ALIGNMENT",
        "0, 9223372036854775807, ALIGNMENT",
        "1, 8, ALIGNMENT",
        "4, 8, ALIGNMENT",
        "0, 4, ALIGNMENT",
        "0, 1, ALIGNMENT",
        "-1, 8, ALIGNMENT",
        "8191, 1, ALIGNMENT"
    })
    void accessIsGrantedInsideTheDataOnly(long offset, long length, String answer) throws ReflectiveOperationException {
        MemoryNode node = Nodes.node();
        NodeRegion region = node.openRegion(node.createRegion(8192));

        assertEquals(AccessCode.class.getField(answer).getInt(null), region.access(offset, length));
    }

    @Test
    void freedRegionRefusesEveryAccess() {
        MemoryNode node = Nodes.node();
        Id128 capability = node.createRegion(8192);
        NodeRegion region = node.openRegion(capability);
        node.freeRegion(capability);

        assertEquals(AccessCode.KEY, region.access(0, 8));
        assertEquals(AccessCode.KEY, region.access(-1, -1));
    }

    /** Every granted range can be accessed, and offset 0 follows header and map. */
    @Test
    void dataLiesAfterHeaderAndMap() {
        MemoryNode node = Nodes.node();
        NodeRegion region = node.openRegion(node.createRegion(8192));

        assertEquals(region.dataBytes(), region.data().byteSize());
        assertEquals(
                RegionLayout.EXTENT_MAP + 4096,
                region.whole().byteSize() - region.data().byteSize());
        region.data().fill((byte) -1);
        assertEquals(RegionLayout.MAGIC, Words.plain(region.whole(), 0));
        assertEquals(0, region.extents().survey().extents());
    }

    /** The map stays short however large the region is, and covers all of it. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                1,
                4096,
                4097,
                65_536L * 4096,
                65_536L * 4096 + 1,
                65_537L * 4096,
                65_536L * 8192 + 1,
                1L << 40,
                (1L << 46) - 1,
                1L << 46
            })
    void mapIsShortAndCoversEverything(long dataBytes) {
        long bytes = NodeRegion.bytesFor(dataBytes);

        assertTrue(bytes >= dataBytes, "bytes=" + bytes);
        assertTrue(bytes % 4096 == 0, "bytes=" + bytes);
        long maxHeader = RegionLayout.EXTENT_MAP + 65_536 * 8;
        long maxRounding = Math.max(4096, dataBytes / 16_384);
        assertTrue(bytes - dataBytes <= maxHeader + maxRounding, "overhead=" + (bytes - dataBytes));
    }

    // ---- headers

    private static final MemorySegment META = Arena.ofAuto().allocate(NodeLayout.BYTES, 8);

    private static MemorySegment formatted() {
        MemorySegment whole = Arena.ofAuto().allocate(NodeRegion.bytesFor(40_000), 4096);
        NodeRegion.format(whole, 3, 40_000);
        return whole;
    }

    private static String refusal(Consumer<MemorySegment> damage) {
        MemorySegment whole = formatted();
        damage.accept(whole);
        MemoryNodeException e =
                assertThrows(MemoryNodeException.class, () -> NodeRegion.open(META, whole, 3, NodeLayout.REGION_LIVE));
        assertEquals(MemoryNodeException.Reason.CORRUPT, e.reason());
        return e.getMessage();
    }

    /** Recomputes the checksum, as if a newer or wrong program had written the header. */
    private static void resign(MemorySegment whole) {
        Words.plain(whole, RegionLayout.CHECKSUM, Checksum64.of(whole, 0, RegionLayout.CHECKSUM, RegionLayout.MAGIC));
    }

    @Test
    void wholeHeaderIsAccepted() {
        assertEquals(
                40_960,
                NodeRegion.open(META, formatted(), 3, NodeLayout.REGION_LIVE).dataBytes());
    }

    @Test
    void eachKindOfWrongHeaderHasItsSentence() {
        assertEquals("region 3 is not a Tidepool region", refusal(w -> Words.plain(w, 0, 0)));
        assertEquals("region 3 is not a Tidepool region", refusal(w -> Words.plain(w, 0, NodeLayout.MAGIC)));
        assertEquals("region 3 has format version 2, this program reads 1", refusal(w -> {
            w.set(Words.U32, RegionLayout.VERSION_AT, 2);
            resign(w);
        }));
        assertEquals("region 3 is really region 4", refusal(w -> {
            w.set(Words.U32, RegionLayout.NUMBER, 4);
            resign(w);
        }));
    }

    @Test
    void cutOrExtendedRegionIsRefused() {
        MemorySegment whole = formatted();
        MemorySegment longer =
                Arena.ofAuto().allocate(whole.byteSize() + 4096, 4096).copyFrom(whole);

        for (MemorySegment other : new MemorySegment[] {whole.asSlice(0, whole.byteSize() - 4096), longer}) {
            var e = assertThrows(
                    MemoryNodeException.class, () -> NodeRegion.open(META, other, 3, NodeLayout.REGION_LIVE));
            assertEquals(
                    "region 3 was cut or extended: bytes=" + other.byteSize() + " instead of " + whole.byteSize(),
                    e.getMessage());
        }
        for (long bytes : new long[] {0, 8, 4088}) {
            var e = assertThrows(
                    MemoryNodeException.class,
                    () -> NodeRegion.open(META, whole.asSlice(0, bytes), 3, NodeLayout.REGION_LIVE));
            assertEquals("region 3 is too short: bytes=" + bytes, e.getMessage());
        }
    }

    /** Every flipped bit of the header is noticed. */
    @Test
    void everyFlippedBitOfTheHeaderIsRefused() {
        for (int bit = 0; bit < RegionLayout.HEADER.byteSize() * 8; bit++) {
            long at = bit / 64 * 8L;
            long flip = 1L << bit % 64;
            String sentence = refusal(w -> Words.plain(w, at, Words.plain(w, at) ^ flip));
            assertTrue(sentence.startsWith("region 3 "), sentence);
        }
    }

    /** A matching checksum does not make the contents valid: sizes that contradict each other are refused as well. */
    @ParameterizedTest
    @CsvSource({
        "24, 0",
        "24, 4095",
        "24, 8192",
        "24, -4096",
        "32, 0",
        "32, 9",
        "32, 11",
        "32, 65537",
        "32, -1",
        "40, 4096",
        "40, 0"
    })
    void headerThatContradictsItselfIsRefused(long field, long value) {
        assertEquals("region 3 has a header that contradicts itself", refusal(w -> {
            Words.plain(w, field, value);
            resign(w);
        }));
    }
}
