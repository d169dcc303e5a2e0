package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.base.LayoutTable;
import tidepool.store.farmv2.ChainLayout;
import tidepool.store.motor.DeltaLayout;
import tidepool.store.motor.PackageLayout;
import tidepool.store.motor.TupleLayout;
import tidepool.testkit.SourceTree;

/**
 * The byte tables in {@code docs/internals/layouts} are those of the layout classes, so a changed layout shows up in
 * review.
 */
class StoreLayoutsTest {
    private static void assertDocumented(String name, String table) throws IOException {
        Path now = Files.createDirectories(Path.of("target", "layouts")).resolve(name);
        Files.writeString(now, table);
        assertEquals(
                Files.readString(SourceTree.path("docs/internals/layouts/" + name)),
                table,
                "docs/internals/layouts/" + name + " is not the layout any more; the table as it is now is in store/"
                        + now);
    }

    @Test
    void objectIsAsDocumented() throws IOException {
        assertDocumented(
                "object.txt",
                "An object: a record, the head of a bucket, the count of overflow buckets, the size of a partition.\n"
                        + "After the header lie the content and one word of checksum over key, flags, writer and\n"
                        + "content. The content of a head is a pointer to the next bucket, and from bit 48 on, in\n"
                        + "first buckets, the depth of the chain. That of a count: buckets ever handed out, and from\n"
                        + "bit 32 the first free one + 1. That of a size: first buckets now; 0: none was split. The\n"
                        + "head of a free overflow bucket holds no value, and points to the next free one.\n\n"
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
    void versionsOfMotorAreAsDocumented() throws IOException {
        assertDocumented(
                "motor.txt",
                "Motor: the content of the object in a slot is one cell for each version of the row. Each slot has\n"
                        + "a block: a value package, the value, one word of checksum; then the bar with deltas,"
                        + " each\n"
                        + "with its attributes, rounded up to a word, and one word of checksum. Blocks begin at"
                        + " multiples of 32\n"
                        + "bytes.\n\n"
                        + LayoutTable.of(
                                TupleLayout.CELL,
                                Map.of(
                                        "stamp", "the commit timestamp; 0 = empty",
                                        "writer", "the transaction",
                                        "place",
                                                "bit 63 BORN, bit 62 TOMBSTONE, delta: length << 32"
                                                        + " | offset in the bar",
                                        "bitmap", "which attributes the delta has"))
                        + "\n"
                        + LayoutTable.of(
                                PackageLayout.HEADER,
                                Map.of("stamp", "of the newest version that is no tombstone; the value follows"))
                        + "\n"
                        + LayoutTable.of(
                                DeltaLayout.HEADER,
                                Map.of(
                                        "stamp",
                                        "of the version that changed the attributes",
                                        "bitmap",
                                        "which they are; they follow as they were before")));
    }

    @Test
    void versionsOfFarmV2AreAsDocumented() throws IOException {
        assertDocumented(
                "farmv2.txt",
                "FaRMv2: the newest version of a row is the content of its object, header and value. Older ones"
                        + " lie in\n"
                        + "blocks of the slot, in a ring: header, value, one word of checksum.\n\n"
                        + LayoutTable.of(
                                ChainLayout.NEWEST,
                                Map.of(
                                        "stamp", "the commit timestamp",
                                        "link", "bit 63 TOMBSTONE; block of the version before, from 1; 0 = none",
                                        "previous", "stamp of the version before"))
                        + "\n"
                        + LayoutTable.of(
                                ChainLayout.BLOCK,
                                Map.of(
                                        "stamp", "the commit timestamp",
                                        "writer", "the transaction",
                                        "link", "as above",
                                        "previous", "as above")));
    }

    @Test
    void lineOfHdtxIsAsDocumented() throws IOException {
        assertDocumented(
                "hdtx.txt",
                "HDTX: each object of the pool is followed by a word, the queue of its lock requests. What the"
                        + " memory side\n"
                        + "copies is chained work (chain.txt), and its logs are decided by their status (log.txt).\n\n"
                        + LayoutTable.of(
                                QueueWord.WORD,
                                Map.of(
                                        "line",
                                        "passed 63-58, priority: served 57-44, next 43-30;"
                                                + " normal: served 29-15, next 14-0")));
    }

    @Test
    void logIsAsDocumented() throws IOException {
        assertDocumented(
                "log.txt",
                "A coordinator's undo log on one memory node; " + LogLayout.SLOTS + " of them follow "
                        + LogLayout.INTENTS
                        + " words of intents. After the\n"
                        + "header: pointer and body bytes of each object, then old version and old body of each"
                        + " object\n"
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
    void nodeOfAnIndexIsAsDocumented() throws IOException {
        int width = 24;
        assertDocumented(
                "index-node.txt",
                "A node of an ordered index, " + IndexNodeLayout.BYTES
                        + " bytes: the value of a row of the hidden table"
                        + " NAME.index. Keys have w bytes, a\n"
                        + "multiple of 8, and are compared as unsigned bytes. After the header: low at "
                        + IndexNodeLayout.low(0) + ", high at " + IndexNodeLayout.high(0, 0) + " + w, entries\n"
                        + "from " + IndexNodeLayout.key(0, 0, 0, 0)
                        + " + 2 w on: in a leaf w bytes each, in inner nodes"
                        + " w + 8, key and number of the child. With w = " + width + ":\n"
                        + IndexNodeLayout.leafCapacity(width) + " entries in a leaf, "
                        + IndexNodeLayout.innerCapacity(width) + " in an inner node. The number of a node is the key of"
                        + " its row: index << 56 |\n"
                        + "any number; the root has 0 there.\n\n"
                        + LayoutTable.of(
                                IndexNodeLayout.HEADER,
                                Map.of(
                                        "what", "index 7-0, level 15-8, entries 31-16, bit 32: no right neighbour",
                                        "next", "number of the right neighbour; 0 = none")));
    }

    @Test
    void catalogIsAsDocumented() throws IOException {
        assertDocumented(
                "catalog.txt",
                "Region 0 of every memory node, " + CatalogLayout.BYTES + " bytes.\n\n"
                        + "header at 0, coordinators at " + CatalogLayout.coordinator(0) + ", outcomes at "
                        + CatalogLayout.outcome(0) + ", regions at " + CatalogLayout.LOG_REGION + ", tables at "
                        + CatalogLayout.table(0) + "\nchange of tables at " + CatalogLayout.CHANGE
                        + ": phase, 2 bits; entry, 7 bits; hidden entries, 7 bits each; changes, 41 bits\n"
                        + "growth of partitions: entry 65; its record at " + CatalogLayout.CHANGED_ENTRY
                        + ": bytes of a partition before, bytes after\n"
                        + "its record: hidden entries at " + CatalogLayout.HIDDEN_ENTRY + ", entry at "
                        + CatalogLayout.CHANGED_ENTRY + "\n"
                        + "three hidden entries: 66 as the second; " + CatalogLayout.THREE_BYTES
                        + " bytes of each, their numbers at " + CatalogLayout.HIDDEN_NUMBERS + "\n"
                        + "entry of a table: state, 8 bits; made at change, 28 bits; emptied at change, 28 bits;"
                        + " length of text; checksum; text\n\n"
                        + LayoutTable.of(
                                CatalogLayout.HEADER,
                                Map.ofEntries(
                                        Map.entry("magic", "\"TIDECATL\""),
                                        Map.entry(
                                                "version",
                                                "6 (3, 5 become 6); 9, types; 10, changes; 12, moved; 15, indexes;"
                                                        + " 17, longer"),
                                        Map.entry("state", "0, the session that is formatting, or -1: ready"),
                                        Map.entry("lock", "0 = free, else the session that makes or changes a table"),
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
