package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.protocol.TxnRoom;
import tidepool.schema.AttributeType;
import tidepool.schema.Schema;
import tidepool.store.ContentParts;
import tidepool.testkit.SourceTree;

/** The limits of {@code docs/operating/limits.md} are the constants of the code. */
class LimitsPageTest {
    @Test
    void limitsAreThoseOfTheCode() throws IOException {
        String page = Files.readString(SourceTree.path("docs/operating/limits.md"));
        Map.of(
                        "| accesses of a transaction |", number(TxnRoom.LARGEST.accesses()),
                        "| objects that a transaction writes, ", number(TxnRoom.LARGEST.objects()),
                        "| local memory of a transaction |", (TxnRoom.LARGEST.bytes() >> 30) + " GiB",
                        "| value |", Schema.MAX_BYTES + " bytes and " + Schema.MAX_ATTRIBUTES + " attributes",
                        "| [long content]", "in parts of " + ContentParts.LARGE_BYTES + " bytes")
                .forEach((row, limit) -> assertTrue(
                        page.lines().anyMatch(line -> line.startsWith(row) && line.contains(limit)),
                        row + " " + limit));
        assertTrue(page.contains("the first attempt has room for " + TxnRoom.SMALL.accesses()));
        assertTrue(page.contains(number(AttributeType.MAX_CONTENT) + " bytes, in parts"));
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
