package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.base.LayoutTable;

/** The byte tables in {@code docs/layouts} are those of the layout classes, so a changed layout shows up in review. */
class LayoutsTest {
    private static void assertDocumented(String name, String table) throws IOException {
        Path now = Files.createDirectories(Path.of("target", "layouts")).resolve(name);
        Files.writeString(now, table);
        assertEquals(
                Files.readString(Path.of("..", "docs", "layouts", name)),
                table,
                "docs/layouts/" + name + " is not the layout any more; the table as it is now is in store/" + now);
    }

    @Test
    void objectIsAsDocumented() throws IOException {
        assertDocumented(
                "object.txt",
                "An object: a record, the head of a bucket, the count of overflow buckets. Behind the header lie the\n"
                        + "content and one word of checksum over key, flags, writer and content.\n\n"
                        + LayoutTable.of(
                                ObjectLayout.HEADER,
                                Map.of(
                                        "lock", "0 = free, else R and the holder's id; meaningful on the primary",
                                        "version", "INV while not visible, and the last writer's id; on every replica",
                                        "key", "of the record",
                                        "flags", "bit 0: holds a value; from bit 16: the table",
                                        "writer", "the same id as in the version")));
    }

    @Test
    void logIsAsDocumented() throws IOException {
        assertDocumented(
                "log.txt",
                "A coordinator's undo log on one memory node; " + LogLayout.SLOTS + " of them behind "
                        + LogLayout.INTENTS
                        + " words of intents. Behind the\n"
                        + "header: pointer and body bytes of each object, then old version and old body of each object\n"
                        + "that lies on that node.\n\n"
                        + LayoutTable.of(
                                LogLayout.HEADER,
                                Map.of(
                                        "magicAndLength", "\"TLOG\" in the upper half, bytes in the lower",
                                        "txn", "whose log it is",
                                        "status", "the transaction once decided, in HDTX; not under the checksum",
                                        "objects", "how many, on all nodes; bit 32: the status decides",
                                        "checksum", "over all of it, with zeros here and in status")));
    }

    @Test
    void catalogIsAsDocumented() throws IOException {
        assertDocumented(
                "catalog.txt",
                "Region 0 of every memory node, " + CatalogLayout.BYTES + " bytes.\n\n"
                        + "header at 0, coordinators at " + CatalogLayout.coordinator(0) + ", outcomes at "
                        + CatalogLayout.outcome(0) + ", regions at " + CatalogLayout.LOG_REGION + ", tables at "
                        + CatalogLayout.table(0) + "\n\n"
                        + LayoutTable.of(
                                CatalogLayout.HEADER,
                                Map.ofEntries(
                                        Map.entry("magic", "\"TIDECATL\""),
                                        Map.entry("state", "0, the session that is formatting, or -1: ready"),
                                        Map.entry("lock", "0 = free, else the session that makes a table"),
                                        Map.entry(
                                                "recoveryLock",
                                                "0 = free, else who recovers another: session, losses of power << 24"),
                                        Map.entry("protocol", "its name in ASCII"),
                                        Map.entry(
                                                "flush", "what outlasts a loss of power: 0 none, 1 selective, 2 full"),
                                        Map.entry("powerLosses", "of this node, up to which the pool is repaired"),
                                        Map.entry("nextOffset", "where the next table begins in every partition"),
                                        Map.entry("historyClock", "orders recorded events of all processes"),
                                        Map.entry("nextOutcome", "ticket of the ring of outcomes"),
                                        Map.entry("epoch", "of the roster; with bit 62 while it changes"),
                                        Map.entry("checksum", "over the geometry"))));
    }
}
