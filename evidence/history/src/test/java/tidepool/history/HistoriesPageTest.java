package tidepool.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static tidepool.history.MicroOp.append;
import static tidepool.history.MicroOp.read;
import static tidepool.history.MicroOp.readList;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recording that docs/evidence/histories.md shows. */
class HistoriesPageTest {
    /** A shared counter, with the name that the word of a pool has. */
    private static final class Counter {
        private final AtomicLong value = new AtomicLong();

        long fetchAndAdd() {
            return value.getAndIncrement();
        }
    }

    /** The clock of a run. */
    private static final class RunClock {
        private long now;

        long nanos() {
            return now++;
        }
    }

    @Test
    void aRecordedTransactionIsChecked(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("h.jsonl");
        Path another = Files.createFile(folder.resolve("another.jsonl"));
        Counter counter = new Counter();
        RunClock clock = new RunClock();
        int process = 3;
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            try (HistoryRecorder recorder = HistoryRecorder.into(file, counter::fetchAndAdd, clock::nanos)) {
                int ticket = recorder.invoke(process, List.of(append(5, 1), read(5))); // before the first verb
                recorder.ok(ticket, List.of(append(5, 1), readList(5, 1))); // after the last; or fail, or info
            }
            Verdict verdict = HistoryChecker.check(History.read(List.of(file, another)));
            System.out.print(verdict.report());
            assertEquals(List.of(), verdict.anomalies());
        } finally {
            System.setOut(before);
        }
        assertTrue(printed.toString(StandardCharsets.UTF_8).contains("strict"), printed.toString());
    }
}
