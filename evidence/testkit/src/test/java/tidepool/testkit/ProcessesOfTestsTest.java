package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that tests start processes by {@link ChildProcess} alone: a wait or a read without a limit hangs the whole
 * run.
 */
class ProcessesOfTestsTest {
    private static final Pattern FORBIDDEN =
            Pattern.compile("\\bProcessBuilder\\b|\\bProcess \\w+ =|getRuntime\\(\\)\\s*\\.exec\\(");

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
        Path source = folder.resolve("wing/room/src/test/java/SomeTest.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "class SomeTest { void a() { new ProcessBuilder(\"true\").start().waitFor(); } }");
        Path other = folder.resolve("wing/room/src/test/java/OtherTest.java");
        Files.writeString(other, "class OtherTest { void a() { Runtime.getRuntime().exec(\"true\"); } }");
        assertEquals(2, forbidden(List.of(folder.resolve("wing/room"))).size());
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
