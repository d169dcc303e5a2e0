package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.base.LayoutTable;
import tidepool.base.Words;
import tidepool.testkit.SourceTree;

/**
 * The byte tables in {@code docs/internals/layouts} are those of the layout classes, so that a changed layout shows up
 * in review.
 */
class NodeLayoutsTest {
    private static void assertDocumented(String name, String table) throws IOException {
        Path now = Files.createDirectories(Path.of("target", "layouts")).resolve(name);
        Files.writeString(now, table);
        assertEquals(
                Files.readString(SourceTree.path("docs/internals/layouts/" + name)),
                table,
                "docs/internals/layouts/" + name + " is not the layout any more; the table as it is now is in memory/"
                        + now);
    }

    @Test
    void nodeIsAsDocumented() throws IOException {
        assertDocumented(
                "node.txt",
                "A memory node's own memory, " + NodeLayout.BYTES + " bytes. No verb reaches it.\n\n"
                        + place(0, "node-header") + place(NodeLayout.region(0), NodeLayout.REGIONS + " x region-entry")
                        + place(NodeLayout.session(0), NodeLayout.SESSIONS + " x session-slot")
                        + place(
                                NodeLayout.over(0),
                                NodeLayout.SESSION_NUMBERS + " bits: session revoked here, never cleared")
                        + "\n"
                        + LayoutTable.of(
                                NodeLayout.HEADER,
                                Map.of(
                                        "magic", "\"TIDENODE\"",
                                        "version",
                                                "of this format: " + NodeLayout.VERSION + "; of "
                                                        + NodeLayout.OLDEST_VERSION + " no region entry is used again",
                                        "node", "number of the node in its pool",
                                        "epoch", "links made under an older one are refused; grows only",
                                        "controlLock", "0 = free, else the session that changes regions or extents",
                                        "regionCount", "entries ever used; grows only; raising it makes a region exist",
                                        "nextSession", "of the pool; only node 0 hands out numbers",
                                        "checksum", "over magic, version and node",
                                        "doubt", "bit 63: other copies are newer; else shortfalls made good since"))
                        + "\n"
                        + LayoutTable.of(
                                NodeLayout.REGION,
                                Map.of(
                                        "capabilityHigh", "who knows all 128 bits may open the region",
                                        "bytes", "of the whole region, its header included",
                                        "state", "earlier uses << 8 | 0 unused, 1 live, 2 freed"))
                        + "\n"
                        + LayoutTable.of(
                                NodeLayout.SESSION,
                                Map.of(
                                        "state",
                                                "session << 8 | 1 attached, 2 revoked; 0 = free;"
                                                        + " read before every verb",
                                        "pid", "for people",
                                        "epoch", "under which it attached")));
    }

    @Test
    void regionIsAsDocumented() throws IOException {
        assertDocumented(
                "region.txt",
                "A region. Verbs reach the data alone; their offset 0 is its first byte.\n\n"
                        + place(0, "region-header")
                        + place(RegionLayout.EXTENT_MAP, "extent map: one word for each granule")
                        + "    data  granules x granule bytes\n\n"
                        + LayoutTable.of(
                                RegionLayout.HEADER,
                                Map.of(
                                        "magic", "\"TIDEREGN\"",
                                        "version", "of this format: " + RegionLayout.VERSION,
                                        "number", "of the region in its node; never used again",
                                        "bytes", "of the whole, header and map included",
                                        "granule", "bytes of the smallest extent, a power of two",
                                        "granules", "how many there are, at most 65536",
                                        "data", "where the data begins, a multiple of 4096",
                                        "checksum", "over all fields above, none of which ever changes"))
                        + """

                        word of the extent map

                        bits    free   HEAD                BODY
                        63      0      1                   0
                        62      0      0                   1
                        61-39   0      session, 0 = pool   0
                        38-0    0      length in granules  granules back to the HEAD
                        """);
    }

    @Test
    void chainIsAsDocumented() throws IOException {
        assertDocumented(
                "chain.txt",
                "Chained work: a header, then 1 to " + ChainedWorkLayout.MAX_STEPS + " steps.\n\n"
                        + place(0, "chain-header")
                        + place(ChainedWorkLayout.STEPS, "steps x chain-step")
                        + "\n"
                        + LayoutTable.of(
                                ChainedWorkLayout.HEADER,
                                Map.of(
                                        "magicAndCount",
                                        "\"CHN1\" << 32 | number of steps",
                                        "status",
                                        ChainedWorkLayout.STATUS_NEW + " new, " + ChainedWorkLayout.STATUS_DONE
                                                + " done, " + ChainedWorkLayout.STATUS_STOPPED + " stopped"))
                        + "\n"
                        + LayoutTable.of(
                                ChainedWorkLayout.STEP,
                                Map.of(
                                        "kindAndRegions", "kind | region << 16 | target region << 32",
                                        "offset", "in the region",
                                        "first", "see below",
                                        "second", "see below"))
                        + "\nkind      first             second\n"
                        + kind(ChainedWorkLayout.GUARD, "GUARD", "expected", "0")
                        + kind(ChainedWorkLayout.COPY, "COPY", "offset in target", "length")
                        + kind(ChainedWorkLayout.SET, "SET", "value", "0")
                        + kind(ChainedWorkLayout.SWAP, "SWAP", "expected", "desired")
                        + kind(ChainedWorkLayout.ADD, "ADD", "delta", "0"));
    }

    /** Shows that the comparison can fail: two swapped fields make another table. */
    @Test
    void changedLayoutIsAnotherTable() {
        StructLayout swapped = MemoryLayout.structLayout(
                        Words.U64.withName("status"), Words.U64.withName("magicAndCount"))
                .withName("chain-header");

        assertNotEquals(LayoutTable.of(ChainedWorkLayout.HEADER), LayoutTable.of(swapped));
    }

    private static String place(long offset, String what) {
        String number = Long.toString(offset);
        return " ".repeat(8 - number.length()) + number + "  " + what + "\n";
    }

    private static String kind(int kind, String name, String first, String second) {
        return kind + " " + name + " ".repeat(8 - name.length()) + first + " ".repeat(18 - first.length()) + second
                + "\n";
    }
}
