package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.testkit.ChildProcess;

/** Temporary pools of killed processes are removed by the next one, and those of living processes never. */
class ScratchFolderTest {
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m");
    private static final int MAX_SECONDS = 120;

    @TempDir
    Path parent;

    /** Files in /dev/shm are memory that is lost until the machine is started again. */
    @Test
    @Tag("process")
    void aFolderOutlivesItsProcessOnlyUntilTheNextOneIsMade() throws IOException {
        Path unknown = Files.createDirectory(parent.resolve("tidepool-1234"));
        try (ChildProcess child =
                ChildProcess.jvm(JVM, Holder.class, parent.toString()).start()) {
            Path held = Path.of(child.line());
            try (ScratchFolder mine = ScratchFolder.create(parent, "tidepool-bench-")) {
                assertTrue(Files.exists(held.resolve("pool/file")), "its process lives");
                ScratchFolder.create(parent, "tidepool-").close();
                assertTrue(Files.exists(mine.path()), "this process lives");
                assertTrue(Files.exists(held.resolve("pool/file")), "its process still lives");
                child.kill();
                ScratchFolder.create(parent, "tidepool-").close();
                assertFalse(Files.exists(held), "its process is dead");
                assertTrue(Files.exists(mine.path()), "this process lives");
            }
        }
        assertTrue(Files.exists(unknown), "a folder of an unknown owner is left alone");
        try (var left = Files.list(parent)) {
            assertEquals(List.of(unknown), left.toList());
        }
    }

    /**
     * The demo leaves nothing even if it is killed: its processes end by themselves, its files go with the next demo.
     */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    @Tag("process")
    void theNextDemoCleansUpAfterAKilledOne(String fabric) throws IOException {
        try (ChildProcess demo = ChildProcess.jvm(JVM, DemoMain.class, fabric).start()) {
            String line = demo.line();
            while (line != null && !line.startsWith("Clients ")) line = demo.line();
            assertTrue(line != null, demo.errors());
            List<ProcessHandle> children = demo.descendants();
            assertTrue(children.size() >= 2, "the clients are processes");
            Path folder = folder(children);
            assertTrue(Files.exists(folder));
            demo.kill();

            CompletableFuture.allOf(children.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .orTimeout(MAX_SECONDS, TimeUnit.SECONDS)
                    .join();
            // A demo of a test in another JVM may have cleaned it up already, which is as good.
            ScratchFolder.create().close();
            assertFalse(Files.exists(folder));
        }
    }

    /** All processes of a demo are told its folder. */
    private static Path folder(List<ProcessHandle> children) throws IOException {
        Pattern name = Pattern.compile("/[^=,:?\\x00]*/tidepool-[0-9]+");
        for (ProcessHandle child : children) {
            Matcher found = name.matcher(commandLine(child));
            if (found.find()) return Path.of(found.group());
        }
        throw new AssertionError("no child names the folder");
    }

    /** ProcessHandle has no arguments for a command line of more than a page, which a long class path makes. */
    private static String commandLine(ProcessHandle process) throws IOException {
        return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1);
    }

    /** Makes a folder with a file in it, prints its path, and waits for the end of its input. */
    static final class Holder {
        public static void main(String[] arguments) throws IOException {
            try (ScratchFolder folder = ScratchFolder.create(Path.of(arguments[0]), "tidepool-")) {
                Files.createDirectory(folder.path().resolve("pool"));
                Files.writeString(folder.path().resolve("pool/file"), "data");
                System.out.println(folder.path());
                int _ = System.in.read();
            }
        }
    }

    /** Runs the demo for longer than the test takes. */
    static final class DemoMain {
        public static void main(String[] arguments) throws IOException, InterruptedException {
            new Demo(600, 200, 1, arguments[0], System.out::println, _ -> {}).run();
        }
    }
}
