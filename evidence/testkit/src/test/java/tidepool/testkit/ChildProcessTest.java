package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of {@link ChildProcess}: output, exit code, deadlines and signals. */
@Tag("process")
class ChildProcessTest {
    /** Prints a line and sleeps in a method of this name, which a thread dump shows. */
    static final class Sleeper {
        private Sleeper() {}

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println("asleep");
            sleepsForEver();
        }

        private static void sleepsForEver() throws InterruptedException {
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @Test
    void linesAndTheRestComeInOrder() {
        try (ChildProcess cat = ChildProcess.program("cat").start()) {
            cat.tell("one");
            assertEquals("one", cat.line());
            cat.finish("two\nthree\n\nfour");
            assertEquals("two", cat.line());
            assertEquals("three\n\nfour", cat.rest());
            assertNull(cat.line());
            assertEquals(0, cat.exitCode());
        }
    }

    @Test
    void aLineWithoutAnEndIsTheLast() {
        try (ChildProcess printf = ChildProcess.program("printf", "a\\nb").start()) {
            assertEquals("a", printf.line());
            assertEquals("b", printf.line());
            assertNull(printf.line());
        }
    }

    @Test
    void bothOutputsAndTheCodeAreSeen() {
        try (ChildProcess sh = ChildProcess.program("sh", "-c", "echo out; echo bad >&2; exit 3")
                .start()) {
            assertEquals(List.of("out"), sh.lines());
            assertEquals(3, sh.exitCode());
            assertEquals("bad\n", sh.errors());
        }
    }

    /** Otherwise a test that hangs would give no reason, and leave a process on the machine. */
    @Test
    void anExpiredWaitShowsTheThreadsAndKillsTheDescendants() {
        String command = ChildProcess.java() + " -cp '" + ChildProcess.classPath() + "' '" + Sleeper.class.getName()
                + "' & echo started; wait";
        try (ChildProcess sh = ChildProcess.program("sh", "-c", command).start()) {
            assertEquals("started", sh.line());
            assertEquals("asleep", sh.line());
            List<ProcessHandle> descendants = sh.descendants();
            assertEquals(1, descendants.size());
            String message = failure(sh);
            assertTrue(message.startsWith("the process did not print a line within 1 s: "), message);
            assertTrue(message.contains("sleepsForEver"), message);
            assertEnds(descendants.getFirst());
        }
    }

    /** A script started with & or nohup ignores SIGINT, and so would every process that it starts. */
    @Test
    void aSignalledProcessEndsByASignalThatItsParentIgnores() {
        String child = "trap '' INT; exec " + ChildProcess.java() + " -cp '" + ChildProcess.classPath() + "' '"
                + Signalled.class.getName() + "'";
        try (ChildProcess ignoring = ChildProcess.program("sh", "-c", child).start()) {
            assertEquals("signalled", ignoring.line());
            assertEquals(0, ignoring.exitCode());
        }
    }

    /** A JVM that ignores SIGINT and interrupts a child of its own. */
    static final class Signalled {
        private Signalled() {}

        public static void main(String[] arguments) {
            try (ChildProcess sleeper =
                    ChildProcess.jvm(List.of(), Sleeper.class).signalled("INT").start()) {
                sleeper.line();
                sleeper.signal("INT");
                System.out.println(sleeper.exitCode() == 130 ? "signalled" : "ended otherwise");
            }
        }
    }

    @Test
    void theEndIsToldBeforeItIsSeen() {
        AtomicBoolean gone = new AtomicBoolean();
        try (ChildProcess echo =
                ChildProcess.program("echo").gone(() -> gone.set(true)).start()) {
            echo.rest();
            assertTrue(gone.get());
        }
    }

    private static String failure(ChildProcess process) {
        return assertThrows(AssertionError.class, () -> process.line(1_000_000_000))
                .getMessage();
    }

    private static void assertEnds(ProcessHandle handle) {
        handle.onExit().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
