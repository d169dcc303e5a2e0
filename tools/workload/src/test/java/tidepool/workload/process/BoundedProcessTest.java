package tidepool.workload.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that never answers, or never ends, does not hang the run: the wait says so and kills it. */
@Tag("process")
class BoundedProcessTest {
    private static final List<String> ENDLESS = List.of("sleep", "100000");
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    @Test
    void silenceEndsWithASentence() throws Exception {
        try (BoundedProcess process = start(ENDLESS)) {
            IllegalStateException e = assertThrows(IllegalStateException.class, () -> process.line(SHORT));

            assertEquals("child does not answer within 0 s", e.getMessage());
            assertTrue(process.ends(LONG), "it is killed");
        }
    }

    @Test
    void aProgramThatDoesNotEndIsKilled() {
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> BoundedProcess.run(ENDLESS, SHORT));

        assertEquals("sleep does not end within 0 s", e.getMessage());
    }

    @Test
    void oneWithTheStreamsOfThisProcessHasALimitToo() throws Exception {
        try (BoundedProcess process = BoundedProcess.inherited("child", ENDLESS)) {
            IllegalStateException e = assertThrows(IllegalStateException.class, () -> process.awaitEnd(SHORT));

            assertEquals("child does not end within 0 s", e.getMessage());
            assertTrue(process.ends(LONG), "it is killed");
        }
    }

    @Test
    void killingAllKillsDescendants() throws Exception {
        try (BoundedProcess process = start(List.of("sh", "-c", "sleep 100000 & echo $!; wait"))) {
            ProcessHandle descendant =
                    ProcessHandle.of(Long.parseLong(process.line(LONG))).orElseThrow();

            process.killAll();

            assertFalse(process.isAlive());
            assertFalse(descendant.isAlive());
        }
    }

    @Test
    void linesAndExitCodesArriveInOrder() throws Exception {
        try (BoundedProcess process = start(List.of("sh", "-c", "read a; echo $a; echo end; exit 3"))) {
            process.tell("first");

            assertEquals("first", process.line(LONG));
            assertEquals("end", process.line(LONG));
            assertNull(process.line(LONG));
            assertNull(process.line(LONG), "the end stays the end");
            assertEquals(3, process.awaitEnd());
            assertTrue(process.hasFailed());
        }
    }

    @Test
    void aSignalThatDoesNotArriveIsAnError() throws Exception {
        try (BoundedProcess process = start(List.of("true"))) {
            process.awaitEnd();

            assertThrows(IllegalStateException.class, () -> process.signal("STOP"));
        }
        assertThrows(IOException.class, () -> BoundedProcess.run(List.of("false"), LONG));
    }

    @Test
    void conditionsAndThreadsHaveLimits() {
        IllegalStateException e = assertThrows(
                IllegalStateException.class,
                () -> BoundedWait.until("nothing happens", SHORT, Duration.ofMillis(1), () -> false, () -> {}));
        assertEquals("nothing happens within 0 s", e.getMessage());

        CountDownLatch never = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().daemon().name("endless").start(() -> {
            try {
                never.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        assertThrows(IllegalStateException.class, () -> BoundedWait.join(thread, SHORT));
        never.countDown();
    }

    private BoundedProcess start(List<String> command) throws IOException {
        return BoundedProcess.start("child", command, folder.resolve("errors"));
    }
}
