package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.history.History;
import tidepool.history.HistoryChecker;
import tidepool.history.HistoryRecorder;
import tidepool.history.Level;
import tidepool.history.Verdict;
import tidepool.spi.PoolAccess;

/** Lists appended to by many threads give a history that the checker has something to say about. */
class ListAppendTest {
    private static final int WIDTH = 6;

    private final List<Appender> appenders = new ArrayList<>();
    private final List<RuntimeException> failures = new CopyOnWriteArrayList<>();

    @TempDir
    Path folder;

    @Test
    void historyOfManyThreadsIsStrictlySerializable() throws Exception {
        List<Path> files = record(4, 800, 5);
        Verdict verdict = HistoryChecker.check(History.read(files));

        assertTrue(verdict.holds(Level.STRICT_SERIALIZABILITY), verdict.report());
        assertTrue(verdict.counts().failed() > 10, "some give up: " + verdict.counts());
        assertTrue(verdict.counts().wwEdges() > 1000 && verdict.counts().rwEdges() > 500, "" + verdict.counts());
        assertTrue(verdict.counts().keys() > 40, "keys rotate: " + verdict.counts());
    }

    /** A check must be able to fail: one element taken out of one list that was read. */
    @Test
    void aLostElementIsFound() throws Exception {
        List<Path> files = record(2, 200, 100);
        Path last = files.getLast();
        List<String> lines = new ArrayList<>(Files.readAllLines(last));
        for (int i = 0; i < lines.size(); i++)
            if (lines.get(i).contains("\"ok\"") && lines.get(i).matches(".*\\[\\d+,\\d+.*")) {
                lines.set(i, lines.get(i).replaceFirst("\\[(\\d+),(\\d+)", "[$2"));
                break;
            }
        Files.write(last, lines);

        assertEquals(false, HistoryChecker.check(History.read(files)).holds(Level.SERIALIZABILITY));
    }

    /** Otherwise a run would only read from then on. Readers of a deleted list must not take it for a new one. */
    @Test
    void aSmallTableNeverFills() throws Exception {
        int rows = ListAppend.minRows(WIDTH);
        List<Path> files = record(4, 800, 2, rows);
        Verdict verdict = HistoryChecker.check(History.read(files));

        assertTrue(verdict.holds(Level.STRICT_SERIALIZABILITY), verdict.report());
        assertEquals(0, verdict.counts().unknown());
        long deleted = appenders.stream()
                .mapToLong(appender -> appender.eventCounts().count(Appender.DELETED))
                .sum();
        assertTrue(deleted > 2 * rows, "lists would fill the table: deleted " + deleted + " " + verdict.counts());
    }

    private List<Path> record(int threads, int each, int longest) throws IOException, InterruptedException {
        return record(threads, each, longest, 2000);
    }

    private List<Path> record(int threads, int each, int longest, int rows) throws IOException, InterruptedException {
        List<Path> files = new ArrayList<>();
        try (Tidepool pool = Tidepool.open("mem:?nodes=3&replicas=2&memory=8m")) {
            ListAppend lists = new ListAppend(pool, WIDTH, longest, rows);
            List<Thread> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                files.add(folder.resolve("history-" + t + ".jsonl"));
                HistoryRecorder recorder =
                        HistoryRecorder.into(files.getLast(), () -> PoolAccess.historyTick(pool), System::nanoTime);
                Appender appender = new Appender(lists, recorder, t + 1, new Randomness(t));
                appenders.add(appender);
                running.add(Thread.ofPlatform().start(() -> {
                    try {
                        for (int i = 0; i < each; i++) appender.next();
                    } catch (RuntimeException e) {
                        failures.add(e);
                    }
                }));
            }
            for (Thread thread : running) thread.join();
            assertEquals(List.of(), failures);
            files.add(folder.resolve("history-end.jsonl"));
            try (HistoryRecorder recorder =
                    HistoryRecorder.into(files.getLast(), () -> PoolAccess.historyTick(pool), System::nanoTime)) {
                lists.readAll(recorder, 0);
            }
            assertEquals(List.of(), QuiescentPoolCheck.of(pool).problems());
        }
        return files;
    }
}
