package tidepool.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.base.LayoutTable;
import tidepool.base.Words;
import tidepool.testkit.SourceTree;

/** The superblock outlives the program, so a change to it must show in review. */
class PoolLayoutTest {

    /** The table in the documentation is the layout in the code. */
    @Test
    void superblockIsAsDocumented() throws IOException {
        String table = LayoutTable.of(
                PoolLayout.SUPERBLOCK,
                Map.of(
                        "magic", "\"TIDEPOOL\"",
                        "version", "of the format: 1",
                        "nodes", "memory nodes, 1 to 64",
                        "idHigh", "random id of the pool",
                        "idLow", "",
                        "options", "bits 0-1 durability (none, force, sync), bit 2 handlers off",
                        "place", "0; for one served node of a pool: number | nodes << 32",
                        "reserved", "0",
                        "checksum", "over everything above"));

        assertEquals(Files.readString(documented()), table);
    }

    /** A hex dump of the file shows the name. */
    @Test
    void magicSpellsTheName() {
        byte[] bytes = new byte[Words.BYTES];
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) (PoolLayout.MAGIC >>> 8 * i);

        assertEquals("TIDEPOOL", new String(bytes, StandardCharsets.US_ASCII));
    }

    private static Path documented() {
        return SourceTree.path("docs/internals/layouts/pool.txt");
    }
}
