package tidepool.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** For a file that is no history, the checker says in one sentence what is wrong and on which line. */
class HistoryFormatTest {
    private static final String INVOKE =
            "{\"index\":0,\"process\":3,\"type\":\"invoke\",\"f\":\"txn\",\"value\":[[\"append\",5,1]]}\n";
    private static final String OK =
            "{\"index\":1,\"process\":3,\"type\":\"ok\",\"f\":\"txn\",\"value\":[[\"append\",5,1]]}\n";

    @Test
    void brokenJsonIsNamedByLineAndColumn() {
        assertRefused(2, "not JSON", INVOKE + "{\"index\":1,,}\n" + OK);
        assertRefused(1, "must be one JSON object", "17\n");
        assertRefused(1, "text after", INVOKE.strip() + " {}\n");
    }

    @Test
    void unknownTypeIsRefused() {
        assertRefused(
                2, "unknown type okay; it is invoke, ok, fail or info", INVOKE + OK.replace("\"ok\"", "\"okay\""));
    }

    @Test
    void missingPartsAreRefused() {
        assertRefused(1, "no \"type\"", INVOKE.replace("\"type\":\"invoke\",", ""));
        assertRefused(1, "no \"process\"", INVOKE.replace("\"process\":3,", ""));
        assertRefused(1, "needs a \"value\"", INVOKE.replace("[[\"append\",5,1]]", "null"));
    }

    @Test
    void malformedOperationsAreRefused() {
        assertRefused(1, "unknown operation \"push\"", INVOKE.replace("append", "push"));
        assertRefused(1, "must be an integer, not 1.5", INVOKE.replace("5,1]", "5,1.5]"));
        assertRefused(1, "one part too many", INVOKE.replace("5,1]", "5,1,2]"));
        assertRefused(1, "must be an integer", INVOKE.replace("5,1]", "5]"));
        assertRefused(1, "a key must be", INVOKE.replace("5,1]", "[],1]"));
        assertRefused(1, "not JSON", INVOKE.replace("5,1]", "5,99999999999999999999]"));
    }

    @Test
    void completionWithoutInvocationIsRefused() {
        assertRefused(1, "completes a transaction that it has not invoked", OK);
        assertRefused(
                3, "completes a transaction that it has not invoked", INVOKE + OK + OK.replace(":1,\"p", ":2,\"p"));
    }

    @Test
    void overlappingInvocationsOfOneProcessAreRefused() {
        String second = INVOKE.replace("\"index\":0", "\"index\":1").replace("5,1]", "5,2]");
        assertRefused(2, "process 3 invokes while its transaction of line 1 has not completed", INVOKE + second);
    }

    @Test
    void processWithUnknownOutcomeMustNotGoOn() {
        String info = OK.replace("\"ok\"", "\"info\"");
        String again = INVOKE.replace("\"index\":0", "\"index\":2").replace("5,1]", "5,2]");
        assertRefused(3, "is unknown; it may still take effect", INVOKE + info + again);
    }

    @Test
    void otherOperationsThanInvokedAreRefused() {
        assertRefused(2, "operation 1 is another one", INVOKE + OK.replace("5,1]", "5,2]"));
        assertRefused(2, "another number of operations", INVOKE + OK.replace("]]", "],[\"r\",1,null]]"));
    }

    @Test
    void sameVersionTwiceIsRefused() {
        String other = INVOKE.replace("\"index\":0,\"process\":3", "\"index\":2,\"process\":4");
        assertRefused(3, "version 1 of key 5 is also written by the transaction of line 1", INVOKE + OK + other);
    }

    @Test
    void sameIndexTwiceIsRefused() {
        assertRefused(2, "index 0 was already used at line 1", INVOKE + OK.replace("\"index\":1", "\"index\":0"));
    }

    @Test
    void keyOfTwoKindsIsRefused() {
        String register =
                OK.replace("append", "w").replace("\"ok\"", "\"invoke\"").replace(":3,", ":4,");
        assertRefused(2, "used both as a list and as a register", INVOKE + register);
    }

    /** A file says in its first line that it has range reads; one without that line is of the first version. */
    @Test
    void rangesNeedTheSecondVersion() throws IOException {
        String range = INVOKE.replace("[\"append\",5,1]", "[\"range\",0,null,9,\"up\",3,[]]");
        String done = OK.replace(",\"value\":[[\"append\",5,1]]", "");
        String format = HistoryLines.FORMAT_LINE + "\n";

        assertEquals(
                1, HistoryChecker.check(read(format + range + done)).counts().rangeReads());
        assertEquals(List.of(), read(format + range + done).warnings());
        assertEquals(1, read(format + INVOKE + OK).transactionCount());
        assertRefused(1, "\"range\" needs a file whose first line is {\"index\":-1", range + done);
        assertRefused(
                1,
                "version 3 of the format, and this program reads versions 1 to 2",
                format.replace(":2}", ":3}") + range);
    }

    @Test
    void malformedRangesAreRefused() {
        String good = HistoryLines.FORMAT_LINE + "\n" + INVOKE;
        assertRefused(2, "\"up\" or \"down\", not left", ranged(good, "[\"range\",0,1,9,\"left\",null,[]]"));
        assertRefused(2, "not negative", ranged(good, "[\"range\",0,1,9,\"up\",-1,[]]"));
        assertRefused(2, "array of rows", ranged(good, "[\"range\",0,1,9,\"up\",null,7]"));
        assertRefused(2, "such as [5,12]", ranged(good, "[\"range\",0,1,9,\"up\",null,[7]]"));
        assertRefused(2, "the position of a row in index 3", ranged(good, "[\"range\",3,1,9,\"up\",null,[[7,8]]]"));
        assertRefused(2, "keys in range reads are integers", ranged(good, "[\"range\",0,1,9,\"up\",null,[[\"a\",8]]]"));
        assertRefused(2, "one part too many", ranged(good, "[\"range\",0,1,9,\"up\",null,[[7,8,9]]]"));
        assertRefused(2, "comes after the write of its row, key 7", ranged(good, "[\"at\",7,1,5]"));
        assertRefused(2, "has every row at its key", ranged(good, "[\"w\",7,1],[\"at\",7,0,5]"));
        String asked = ranged(good, "[\"range\",0,1,9,\"up\",null,null]");
        assertRefused(3, "operation 1 is another one", asked + ranged(OK, "[\"range\",1,1,9,\"up\",null,[]]"));
        assertRefused(3, "an ok needs a \"value\"", asked + OK.replace(",\"value\":[[\"append\",5,1]]", ""));
    }

    private static String ranged(String line, String operation) {
        return line.replace("[\"append\",5,1]", operation);
    }

    /** A recorder that was killed leaves half a line. What it did not finish to say is not held against it. */
    @Test
    void lastLineThatIsCutOffIsOnlyAWarning() throws IOException {
        History history = read(INVOKE + OK.substring(0, 40));

        assertEquals(
                List.of("history:2: the file ends in the middle of a line; the line is ignored"), history.warnings());
        assertEquals(1, HistoryChecker.check(history).counts().unknown());
        assertEquals(List.of(), read(INVOKE + OK.strip()).warnings());
    }

    @Test
    void orderOfLinesDoesNotMatterOnlyTheIndex() throws IOException {
        assertEquals(1, HistoryChecker.check(read(OK + INVOKE)).counts().ok());
    }

    @Test
    void linesWithoutIndexCountAsTheyStand() throws IOException {
        String text = (INVOKE + OK).replaceAll("\"index\":.,", "");
        assertEquals(1, HistoryChecker.check(read(text)).counts().ok());
        assertRefused(2, "some have none", INVOKE + OK.replaceAll("\"index\":.,", ""));
    }

    @Test
    void nemesisAndBlankLinesAreLeftOut() throws IOException {
        String nemesis =
                "{\"index\":7,\"process\":\"nemesis\",\"type\":\"info\",\"f\":\"kill\",\"value\":{\"n1\":[1]}}\n";
        History history = read(INVOKE + "\n" + nemesis + OK);

        assertEquals(1, history.transactionCount());
        assertTrue(history.warnings().getFirst().contains("ignored"));
    }

    @Test
    void emptyHistorySaysThatNothingWasChecked() throws IOException {
        assertTrue(read("").warnings().getFirst().contains("no transactions"));
    }

    @Test
    void namesMayBeKeysAndLinesMayBeLong() throws IOException {
        StringBuilder list = new StringBuilder("1");
        for (int i = 2; i < 60_000; i++) list.append(',').append(i);
        String text = (INVOKE + OK).replace("5,1]", "\"accounts\",1]");
        String reads = text.replace("\"append\",\"accounts\",1", "\"r\",\"accounts\",null")
                .replace("\"index\":0", "\"index\":2")
                .replace("\"index\":1", "\"index\":3")
                .replace(
                        "\"ok\",\"f\":\"txn\",\"value\":[[\"r\",\"accounts\",null]]",
                        "\"ok\",\"value\":[[\"r\",\"accounts\",[" + list + "]]]");
        Verdict verdict = HistoryChecker.check(read(text + reads));

        assertEquals(59_998, verdict.count(AnomalyKind.GARBAGE_READ));
    }

    /** Whatever bytes a file is made of, the answer is a history or a sentence. */
    @Test
    void damagedFilesNeverEndInAnotherException() {
        byte[] good = RandomWorkload.run(new Random(1), 20, false).text().getBytes(StandardCharsets.UTF_8);
        for (long seed = 0; seed < 5000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = good.clone();
            for (int i = 0; i <= random.nextInt(4); i++) {
                bytes[random.nextInt(bytes.length)] =
                        (byte) (random.nextBoolean() ? random.nextInt(256) : "[]{},\"0-n".charAt(random.nextInt(9)));
            }
            try {
                HistoryChecker.check(History.read(new ByteArrayInputStream(bytes)))
                        .report();
            } catch (HistoryFormatException sentence) {
                assertTrue(
                        sentence.getMessage().startsWith("history:" + sentence.line() + ": "), sentence.getMessage());
            } catch (IOException | RuntimeException other) {
                throw new AssertionError("seed " + seed, other);
            }
        }
    }

    static void assertRefused(int line, String reason, String text) {
        HistoryFormatException refused = assertThrows(HistoryFormatException.class, () -> read(text));
        assertEquals(line, refused.line(), refused.getMessage());
        assertTrue(refused.getMessage().startsWith("history:" + line + ": "), refused.getMessage());
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    }

    private static History read(String text) throws IOException {
        return History.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
