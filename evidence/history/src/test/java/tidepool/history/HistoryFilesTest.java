package tidepool.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several recorders leave one file, in the order of their common clock. */
class HistoryFilesTest {
    @TempDir
    Path folder;

    private final AtomicLong index = new AtomicLong(98); // so that a comparison of texts would be wrong
    private Path one;
    private Path two;

    /** One is cut off in its last line, as a process that was killed while it wrote. */
    private Path merged() throws IOException {
        one = folder.resolve("one.jsonl");
        two = folder.resolve("two.jsonl");
        try (HistoryRecorder a = HistoryRecorder.into(one, index::getAndIncrement, () -> 0);
                HistoryRecorder b = HistoryRecorder.into(two, index::getAndIncrement, () -> 0)) {
            long begun = a.tick();
            b.fail(b.invoke(2, List.of(MicroOp.write(1, 7))));
            int late = a.invoke(1, begun, List.of(new MicroOp.Insert(1, 5, 3, MicroOp.NEVER)));
            b.info(b.invoke(2, List.of(MicroOp.write(2, 8))));
            a.ok(late);
            a.invoke(1, List.of(MicroOp.write(2, 6)));
            a.invoke(4, List.of(MicroOp.write(2, 9)));
        }
        byte[] whole = Files.readAllBytes(one);
        Files.write(one, java.util.Arrays.copyOf(whole, whole.length - 9));
        Path target = folder.resolve("all.jsonl");
        summary = HistoryFiles.merge(List.of(one, two), target);
        return target;
    }

    private HistoryFiles.Summary summary;

    @Test
    void linesStandInTheOrderOfTheClock() throws IOException {
        List<String> lines = Files.readAllLines(merged());

        for (int i = 0; i < lines.size(); i++)
            assertTrue(lines.get(i).startsWith("{\"index\":" + (98 + i) + ","), lines.toString());
        assertEquals(
                8, lines.size(), "the line that was cut off is left out, and one transaction without an end gets it");
    }

    /** Elle ignores an invocation alone, and stops at the first read of what it wrote: "No transaction wrote…". */
    @Test
    void everyInvocationHasAnEnd() throws IOException {
        List<String> lines = Files.readAllLines(merged());

        assertTrue(lines.get(6).contains("\"process\":1,\"type\":\"invoke\""), lines.toString());
        assertEquals(
                "{\"index\":105,\"time\":0,\"process\":1,\"type\":\"info\",\"f\":\"txn\",\"value\":[[\"w\",2,6]]}",
                lines.get(7));
        for (UnknownOutcome unknown : UnknownOutcome.of(History.read(folder.resolve("all.jsonl"))))
            assertTrue(unknown.writes() && !unknown.happened(), unknown.toString());
    }

    @Test
    void mergedFileSaysWhatItsPartsSay() throws IOException {
        Path target = merged();

        assertEquals(new HistoryFiles.Summary(4, 1, 1, 2, Files.size(target)), summary);
        HistoryCounts counts = HistoryChecker.check(History.read(target)).counts();
        assertEquals(HistoryChecker.check(History.read(List.of(one, two))).counts(), counts);
        assertEquals(
                List.of(4L, 1L, 1L, 2L),
                List.of(counts.transactions(), counts.ok(), counts.failed(), counts.unknown()));
    }

    /** Otherwise the merged file would be refused at its first range read. */
    @Test
    void mergedFileSaysThatItHasRanges() throws IOException {
        merged();
        Path ranged = folder.resolve("ranged.jsonl");
        List<MicroOp> ops = List.of(
                MicroOp.write(30, 7),
                new MicroOp.Entry(30, 2, 5),
                new MicroOp.Range(
                        2,
                        1,
                        Long.MAX_VALUE,
                        true,
                        3,
                        List.of(new MicroOp.RangeRow(30, new MicroOp.Seen.Version(7), 5))),
                new MicroOp.Range(
                        0,
                        20,
                        Long.MAX_VALUE,
                        false,
                        Long.MAX_VALUE,
                        List.of(new MicroOp.RangeRow(30, MicroOp.Seen.NOTHING, 30))));
        try (HistoryRecorder recorder =
                HistoryRecorder.into(ranged, index::getAndIncrement, () -> 0).withRanges()) {
            recorder.ok(recorder.invoke(9, recorder.tick(), ops));
        }
        Path target = folder.resolve("both.jsonl");
        HistoryFiles.Summary both = HistoryFiles.merge(List.of(one, ranged), target);

        List<String> lines = Files.readAllLines(target);
        assertEquals(HistoryLines.FORMAT_LINE, lines.getFirst());
        assertTrue(
                lines.stream()
                        .anyMatch(line -> line.contains("[\"at\",30,2,5],[\"range\",2,1,null,\"down\",3,[[30,7,5]]],"
                                + "[\"range\",0,20,null,\"up\",null,[[30,null]]]]")),
                lines.toString());
        assertEquals(Files.size(target), both.bytes());
        Verdict verdict = HistoryChecker.check(History.read(target));
        assertEquals(2, verdict.counts().rangeReads());
        assertEquals(List.of(), verdict.anomalies());
    }

    @Test
    void otherFilesAreRefused() throws IOException {
        Path other = Files.writeString(folder.resolve("other.jsonl"), "{\"process\":1,\"type\":\"ok\"}\n");

        IOException refused =
                assertThrows(IOException.class, () -> HistoryFiles.merge(List.of(other), folder.resolve("x")));
        assertEquals("not written by a recorder of ours: " + other, refused.getMessage());
    }
}
