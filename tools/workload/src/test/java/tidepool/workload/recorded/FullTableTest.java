package tidepool.workload.recorded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.history.HistoryFiles;
import tidepool.history.HistoryRecorder;
import tidepool.spi.PoolAccess;
import tidepool.workload.Appender;
import tidepool.workload.EventCounts;
import tidepool.workload.RecordedWorkload;
import tidepool.workload.TxnTally;
import tidepool.workload.process.BoundedWait;

/**
 * A fast machine fills any table. A run that has no room for another list would only read from then on and show little,
 * so it ends and says why.
 */
class FullTableTest {
    private static final int LISTS = 40;
    private static final int LONGEST = 2;

    @TempDir
    Path folder;

    @Test
    void aRunWithoutRoomForAnotherListEnds() throws Exception {
        try (Tidepool pool = Tidepool.open("mem:?nodes=3&replicas=2&memory=8m");
                HistoryRecorder recorder = HistoryRecorder.into(
                        folder.resolve("history.jsonl"), () -> PoolAccess.historyTick(pool), System::nanoTime)) {
            RecordedWorkload workload = new WorkloadSpec("append", "lists", 6, LONGEST, LISTS).open(pool);
            RecordedWorkload.Pen pen = new RecordedWorkload.Pen(recorder, new AtomicLong()::getAndIncrement);
            ClientThreads clients = new ClientThreads(workload, pen, 0);

            clients.start(4, new Randomness(1));

            BoundedWait.until(
                    "clients go on without room",
                    Duration.ofMinutes(1),
                    Duration.ofMillis(1),
                    clients::isDone,
                    () -> {});
            clients.stop();
            assertNull(clients.failure());
            RunProgress progress = new RunProgress("append");
            clients.addTo(progress);
            assertTrue(progress.eventCounts.count(Appender.NO_ROOM) > 0, progress.eventCounts.text());
            assertTrue(progress.tally.commits() > LISTS, "it ended too early");
        }
    }

    @Test
    void theResultSaysThatARunEndedEarly() {
        EventCounts eventCounts = new EventCounts();
        assertEquals(0, endedEarly(eventCounts));
        eventCounts.add(Appender.NO_ROOM);
        assertEquals(1, endedEarly(eventCounts));
    }

    private long endedEarly(EventCounts eventCounts) {
        RecordedOptions options = new RecordedOptions("append", "mem", "ford", 1, 100, 0, 1, 2, 0, 8, 20);
        HistoryFiles.Summary summary = new HistoryFiles.Summary(1, 1, 0, 0, 100);
        RecordedResult result = new RecordedResult(
                options, 1, 1, 0, null, new TxnTally("append"), eventCounts, Map.of(), folder.resolve("h"), summary);
        return result.text().stream()
                .filter(line -> line.startsWith("Ended     early: the table has no room for another list"))
                .count();
    }
}
