package tidepool.node.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.base.LayoutTable;
import tidepool.testkit.SourceTree;

/**
 * The byte table in {@code docs/internals/layouts} equals the layout class, so a changed layout is visible in review.
 */
class JournalLayoutTest {
    @Test
    void journalIsAsDocumented() throws IOException {
        String table = "Files of a node's journal: segment-NUMBER, checkpoint-NUMBER, identity, place, end.\n"
                + "On persistent memory: region-POOL-REGION, a journal-file and, from 4096 on, the region.\n\n"
                + "       0  journal-file\n"
                + String.format("%8d  ", JournalLayout.FILE_BYTES)
                + "journal-block, entries; journal-block, entries; …\n"
                + "     512  end: journal-end; 1024 another one; the one with the higher count counts\n\n"
                + LayoutTable.of(
                        JournalLayout.FILE,
                        Map.of(
                                "magic",
                                        "\"TIDEJRNL\", \"TIDECKPT\", \"TIDEIDEN\", \"TIDEJEND\";"
                                                + " \"TIDEIDLN\", \"TIDELINE\"",
                                "version", "of this format: " + JournalLayout.VERSION + "; 1 has no end",
                                "nodeHigh", "whose journal it is",
                                "number", "segment; first block after a checkpoint; stamp of place; pool, region",
                                "life", "of the node in which it was written",
                                "previous", "segment: checksum of the last block before it",
                                "first", "segment: sequence of its first block; region: its bytes",
                                "checksum", "over all fields above"))
                + "\n"
                + LayoutTable.of(
                        JournalLayout.BLOCK,
                        Map.of(
                                "magic", "\"TPJB\"",
                                "bytes", "of the whole block, a multiple of 8",
                                "sequence", "one more than that of the block before it",
                                "durable", "blocks up to this one had been forced when it was written",
                                "previous", "checksum of the block before it",
                                "checksum", "over all fields above and the entries; seed of node, number, life"))
                + "\n"
                + LayoutTable.of(
                        JournalLayout.END_SLOT,
                        Map.of(
                                "count", "of records so far",
                                "state", "0 open, 1 ended in order, 2 believed, 3 disbelieved by an administrator",
                                "life", "in which it was written",
                                "sequence", "the last block that was acknowledged",
                                "block", "its checksum",
                                "checksum", "over all fields above; seed of node"))
                + """

                entries, each a multiple of 8

                word 0  kind (bits 0-7), pool (8-15), region (16-31; 65535 the node's own memory), length (32-63)
                word 1  see below

                 1  BYTES   offset in the whole region; then length bytes, padded
                 2  ZERO    offset; word 2 bytes
                 3  CREATE  bytes of the region, all zero
                 4  DELETE  0
                 5  POOL    number of this node (bits 0-31), nodes (32-63); words 2, 3 id; then the name, padded
                 6  LIFE    which life begins; word 2 losses of power so far; with length 40 also: word 3 nonce;\
                 words 4-7 of
                            the last start that found the journal too short: losses, segment, last block, acknowledged
                 7  CLOSE   0; the life ended in order
                 8  END     last block that a journal must have for this checkpoint
                """;
        Path now = Files.createDirectories(Path.of("target", "layouts")).resolve("journal.txt");
        Files.writeString(now, table);
        assertEquals(
                Files.readString(SourceTree.path("docs/internals/layouts/journal.txt")),
                table,
                "docs/internals/layouts/journal.txt is not the layout any more; the table as it is now is in net/node/"
                        + now);
    }
}
