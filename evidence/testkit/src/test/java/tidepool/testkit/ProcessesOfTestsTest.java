package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that tests start processes by {@link ChildProcess} alone, and the harness by {@code BoundedProcess} alone: a
 * wait or a read without a limit hangs the whole run.
 */
class ProcessesOfTestsTest {
    private static final Pattern FORBIDDEN =
            Pattern.compile("\\bProcessBuilder\\b|\\bProcess \\w+ =|getRuntime\\(\\)\\s*\\.exec\\(");

    /** Modules whose programs start processes and are run by tests. */
    private static final List<String> HARNESS = List.of(
            "tools/workload",
            "tools/bench",
            "tools/peers",
            "tools/cli",
            "evidence/stress",
            "evidence/fuzz",
            "evidence/mutants");

    /** Classes of the harness that start processes themselves, because their modules do without workload. */
    private static final Set<String> STARTERS = Set.of("FuzzMain.java", "Children.java");

    /** Classes of the harness in which a wait for a process may be written down. They give it a limit. */
    private static final Set<String> BOUNDED = Set.of("BoundedProcess.java", "BoundedWait.java");

    /** Waits without a limit: for an end, for a thread, for a latch, and a loop until something has happened. */
    private static final Pattern UNLIMITED = Pattern.compile("\\.(?:waitFor|join)\\(\\)|\\.onExit\\(|\\w\\.await\\(\\)"
            + "|\\b(?:while|for)\\b[^{\\n]*\\.getAsBoolean\\(\\)");

    /** Classes that wait for threads of their own JVM, which its parent process kills in the end. */
    private static final Map<String, String> EXCUSED = Map.of(
            "ClientMain.java", "waits for the order of its parent process, which closes the pipe when it ends",
            "HeldFrame.java", "a frame is held until the test releases it or ends the proxy",
            "FaultInjector.java", "the loop looks at a deadline in each turn",
            "FabricPing.java", "waits for strands of its own JVM",
            "NettyPing.java", "waits for the event loop of its own JVM",
            "ContenderThread.java", "waits for threads of its own JVM, which work as long as they are told",
            "ZooKeeperCommand.java", "a server that serves until it is interrupted",
            "DirectBench.java", "waits for threads of its own JVM, which work as long as they are told",
            "AeronTransport.java", "the loop looks at a deadline in each turn");

    @TempDir
    Path folder;

    @Test
    void testsStartProcessesByChildProcessAlone() throws IOException {
        List<String> found = forbidden(SourceTree.modules());
        assertEquals(List.of(), found, "use tidepool.testkit.ChildProcess");
    }

    /** The check can fail. */
    @Test
    void aProcessBuilderInATestIsFound() throws IOException {
        Path source = folder.resolve("folder/module/src/test/java/SomeTest.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "class SomeTest { void a() { new ProcessBuilder(\"true\").start().waitFor(); } }");
        Path other = folder.resolve("folder/module/src/test/java/OtherTest.java");
        Files.writeString(other, "class OtherTest { void a() { Runtime.getRuntime().exec(\"true\"); } }");
        assertEquals(2, forbidden(List.of(folder.resolve("folder/module"))).size());
    }

    /** Tests run the harness, so its waits are theirs. */
    @Test
    void theHarnessWaitsWithLimitsAlone() throws IOException {
        List<Path> sources = harness();
        assertTrue(sources.size() > 200, "only " + sources.size() + " files were read");
        assertEquals(List.of(), unlimited(sources), "use BoundedProcess and BoundedWait of tools/workload");
        for (String name : EXCUSED.keySet())
            assertTrue(sources.stream().anyMatch(each -> each.endsWith(name)), name + " is not there any more");
    }

    /** The check can fail: each of these was in the harness once. */
    @Test
    void aNewUnlimitedWaitOfTheHarnessIsFound() throws IOException {
        List<String> waits = List.of(
                "process.waitFor();",
                "process.destroyForcibly().waitFor();",
                "reader.join();",
                "one.onExit().join();",
                "ready.await();",
                "while (!isDead.getAsBoolean()) pause();",
                "for (long now = 0; !isDead.getAsBoolean(); now++) pause();",
                "new ProcessBuilder(command);",
                "Process child = start();");
        for (String wait : waits) {
            Path source = folder.resolve("Some.java");
            Files.writeString(source, "class Some { void a() { " + wait + " } }");
            assertEquals(1, unlimited(List.of(source)).size(), wait);
        }
        Path source = folder.resolve("Some.java");
        Files.writeString(source, "class Some { void a() { lane.round(1).read().post().await(); } }");
        assertEquals(List.of(), unlimited(List.of(source)));
    }

    @Test
    void allModulesAreScanned() throws IOException {
        assertTrue(tests(SourceTree.modules()).size() > 300);
    }

    private static List<String> forbidden(List<Path> modules) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : tests(modules))
            if (FORBIDDEN.matcher(Files.readString(source)).find()) found.add(source.toString());
        return found;
    }

    private static List<String> unlimited(List<Path> sources) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            String name = source.getFileName().toString();
            if (BOUNDED.contains(name)) continue;
            String text = Files.readString(source);
            if (!STARTERS.contains(name) && FORBIDDEN.matcher(text).find()
                    || !EXCUSED.containsKey(name) && UNLIMITED.matcher(text).find()) found.add(source.toString());
        }
        return found;
    }

    private static List<Path> harness() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : HARNESS)
            try (Stream<Path> files = Files.walk(SourceTree.path(module).resolve("src/main/java"))) {
                files.filter(each -> each.toString().endsWith(".java")).forEach(sources::add);
            }
        return sources;
    }

    private static List<Path> tests(List<Path> modules) throws IOException {
        List<Path> tests = new ArrayList<>();
        for (Path module : modules) {
            Path sources = module.resolve("src/test/java");
            if (module.endsWith("testkit") || !Files.isDirectory(sources)) continue;
            try (Stream<Path> files = Files.walk(sources)) {
                files.filter(each -> each.toString().endsWith(".java")).forEach(tests::add);
            }
        }
        return tests;
    }
}
