package tidepool.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker reads exactly the operations that a recorder wrote. */
class HistoryRecorderTest {
    @TempDir
    Path folder;

    @Test
    void linesLookAsElleExpectsThem() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AtomicLong index = new AtomicLong();
        try (HistoryRecorder recorder = new HistoryRecorder(out, index::getAndIncrement, () -> 42)) {
            int ticket = recorder.invoke(3, List.of(MicroOp.append(5, 1), MicroOp.read(5)));
            recorder.ok(ticket, List.of(MicroOp.append(5, 1), MicroOp.readList(5, 1)));
        }

        assertEquals("""
                {"index":0,"time":42,"process":3,"type":"invoke","f":"txn","value":[["append",5,1],["r",5,null]]}
                {"index":1,"time":42,"process":3,"type":"ok","f":"txn","value":[["append",5,1],["r",5,[1]]]}
                """, out.toString(StandardCharsets.UTF_8));
    }

    /** Threads of two recorders with one counter, over a store that is a lock: the merged history must be clean. */
    @Test
    void threadsAndFilesAreMergedByIndex() throws Exception {
        AtomicLong index = new AtomicLong();
        List<Long> list = new ArrayList<>();
        List<Path> files = List.of(folder.resolve("a.jsonl"), folder.resolve("b.jsonl"));
        List<Thread> threads = new ArrayList<>();
        List<HistoryRecorder> recorders = new ArrayList<>();
        for (Path file : files) recorders.add(HistoryRecorder.into(file, index::getAndIncrement, System::nanoTime));
        for (int process = 0; process < 4; process++) {
            int self = process;
            threads.add(Thread.ofPlatform().start(() -> {
                HistoryRecorder recorder = recorders.get(self % 2);
                for (int i = 0; i < 200; i++) {
                    MicroOp append = MicroOp.append(1, self * 1000L + i);
                    int ticket = recorder.invoke(self, List.of(append, MicroOp.read(1)));
                    MicroOp read;
                    synchronized (list) {
                        list.add(self * 1000L + i);
                        read = MicroOp.readList(1, RandomWorkload.longs(list));
                    }
                    recorder.ok(ticket, List.of(append, read));
                }
            }));
        }
        for (Thread thread : threads) thread.join();
        for (HistoryRecorder recorder : recorders) recorder.close();

        Verdict verdict = HistoryChecker.check(History.read(files));
        assertEquals(Map.of(), verdict.totals(), verdict::report);
        assertEquals(800, verdict.counts().ok());
        assertTrue(verdict.counts().realtimeEdges() > 100, verdict::report);
    }

    @Test
    void problemsInSeveralFilesNameTheFile() throws IOException {
        Path good = folder.resolve("good.jsonl");
        Path bad = folder.resolve("bad.jsonl");
        Files.writeString(good, new Script().run("append 1 1").text());
        Files.writeString(bad, "\n{\"index\":9,\"process\":1,\"type\":\"ok\",\"value\":[]}\n");

        IOException refused = assertThrows(HistoryFormatException.class, () -> History.read(List.of(good, bad)));
        assertTrue(refused.getMessage().startsWith(bad + ":2: "), refused.getMessage());
    }

    /** Everything that is recorded is read back, deletes and unknown outcomes included. */
    @Test
    void failedAndUnknownTransactionsAreRecorded() throws IOException {
        Path file = folder.resolve("h.jsonl");
        AtomicLong index = new AtomicLong();
        try (HistoryRecorder recorder = HistoryRecorder.into(file, index::getAndIncrement, () -> 0)) {
            recorder.fail(recorder.invoke(1, List.of(MicroOp.write(1, 10))));
            recorder.info(recorder.invoke(1, List.of(MicroOp.write(1, 11))));
            MicroOp delete = new MicroOp.Delete(1, 12, new MicroOp.Previous.Version(11));
            recorder.ok(recorder.invoke(2, List.of(delete)), List.of(delete));
            MicroOp read = new MicroOp.Read(1, MicroOp.Seen.ABSENT);
            recorder.ok(recorder.invoke(2, List.of(read)), List.of(read));
            recorder.invoke(3, List.of(MicroOp.read(1)));
        }

        HistoryCounts counts = HistoryChecker.check(History.read(file)).counts();
        assertEquals(
                List.of(5L, 2L, 1L, 2L),
                List.of(counts.transactions(), counts.ok(), counts.failed(), counts.unknown()));
    }

    @Test
    void misuseIsRefused() throws IOException {
        AtomicLong index = new AtomicLong();
        try (HistoryRecorder recorder =
                new HistoryRecorder(new ByteArrayOutputStream(), index::getAndIncrement, () -> 0)) {
            int ticket = recorder.invoke(1, List.of(MicroOp.read(1)));
            assertThrows(IllegalStateException.class, () -> recorder.invoke(1, List.of(MicroOp.read(1))));
            recorder.info(ticket);
            assertThrows(IllegalStateException.class, () -> recorder.fail(ticket));
            assertThrows(IllegalStateException.class, () -> recorder.invoke(1, List.of(MicroOp.read(1))));
        }
    }
}
