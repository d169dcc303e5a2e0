package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.base.LayoutTable;
import tidepool.base.Words;
import tidepool.sim.ReferenceRecord.View;
import tidepool.testkit.SourceTree;

class ReferenceRecordTest {
    private final ReferenceRecord record = new ReferenceRecord(5);
    private final MemorySegment one = image(1);
    private final MemorySegment two = image(2);

    /** A place that was never written is not a record of zeroes. */
    @Test
    void zeroesAreNoRecord() {
        assertSame(View.EMPTY, record.view(Arena.ofAuto().allocate(record.bytes(), 8), 0));
    }

    @Test
    void wholeImageIsAccepted() {
        assertSame(View.WHOLE, record.view(one, 0));
    }

    /** Whatever words of one image are replaced by those of the next, the mixture is noticed. */
    @Test
    void everyMixtureIsNoticed() {
        int words = (int) (record.bytes() / Words.BYTES);
        for (int subset = 1; subset < (1 << words) - 1; subset++) {
            MemorySegment mixture = image(1);
            for (int i = 0; i < words; i++)
                if ((subset & 1 << i) != 0) MemorySegment.copy(two, i * 8L, mixture, i * 8L, 8);
            boolean key = subset == 2; // both have the same key, so this is no mixture at all
            boolean allButKey = (subset | 2) == (1 << words) - 1;
            View expected = key || allButKey ? View.WHOLE : null;
            View seen = record.view(mixture, 0);
            if (expected != null) assertSame(expected, seen);
            else assertEquals(false, seen == View.WHOLE, "accepted a mixture: " + Integer.toBinaryString(subset));
        }
    }

    /** The body is there and whole, but its writer has not said so yet. */
    @Test
    void unfinishedImageIsNotAccepted() {
        Words.plain(one, ReferenceRecord.VERSION, ReferenceRecord.INVISIBLE | 1);
        assertSame(View.UNFINISHED, record.view(one, 0));
        Words.plain(one, ReferenceRecord.VERSION, 2);
        assertSame(View.UNFINISHED, record.view(one, 0));
    }

    /** Another key under the same address is another record. */
    @Test
    void keyIsUnderTheChecksum() {
        Words.plain(one, ReferenceRecord.KEY, 8);
        assertSame(View.TORN, record.view(one, 0));
    }

    @Test
    void layoutIsAsDocumented() throws IOException {
        String table = "The reference record of the contract suite: a header, the value, a checksum.\n\n"
                + LayoutTable.of(
                        ReferenceRecord.HEADER,
                        Map.of(
                                "version", "INV 1 (bit 63), writer 63: whose image is finished",
                                "key", "body: lets a reader notice that it read another record",
                                "writer", "body: whose image this is; never 0"))
                + "\nafter it, still body: n words of value, then a checksum over key, writer and value\n";
        Path now = Files.createDirectories(Path.of("target", "layouts")).resolve("reference-record.txt");
        Files.writeString(now, table);
        assertEquals(
                Files.readString(SourceTree.path("docs/internals/layouts/reference-record.txt")),
                table,
                "the table as it is now is in sim/" + now);
    }

    private MemorySegment image(long writer) {
        MemorySegment image = Arena.ofAuto().allocate(record.bytes(), 8);
        record.fill(image, 0, 7, writer);
        return image;
    }
}
