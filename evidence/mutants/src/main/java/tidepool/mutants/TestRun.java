package tidepool.mutants;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The child JVM: runs test classes, one after the other, and writes a line about each to a file.
 *
 * <pre>
 *   arguments   LINES CLASSES all|first      files; whether it goes on after a failure
 *   a line      BEGIN class
 *               END class millis failure|- numbers      of processor time; of the methods that were entered
 * </pre>
 *
 * Exit code 0 if nothing failed, {@link #FAILED} if something did.
 */
public final class TestRun {
    static final int FAILED = 3;

    private TestRun() {}

    public static void main(String[] arguments) throws IOException {
        PrintStream quiet = new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        System.setOut(quiet);
        System.setErr(quiet);
        List<String> classes = Files.readAllLines(Path.of(arguments[1]));
        boolean all = arguments[2].equals("all");
        Launcher launcher = LauncherFactory.create();
        boolean failed = false;
        try (Writer lines =
                Files.newBufferedWriter(Path.of(arguments[0]), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String name : classes) {
                failed |= !runs(launcher, lines, name);
                if (failed && !all) break;
            }
        }
        Runtime.getRuntime().halt(failed ? FAILED : 0); // ends all strands and threads that a mutant has left
    }

    /** Runs a test class, and writes the lines about it. Returns whether it passed. */
    static boolean runs(Launcher launcher, Writer lines, String name) throws IOException {
        tell(lines, "BEGIN " + name);
        ProcessTimes begun = ProcessTimes.of(ProcessHandle.current());
        String failure = run(launcher, name);
        long millis = ProcessTimes.of(ProcessHandle.current()).since(begun) / 1_000_000;
        String entered = MethodCoverage.take().toString().replaceAll("[{} ]", "");
        tell(lines, "END " + name + " " + millis + " " + failure + " " + (entered.isEmpty() ? "-" : entered));
        return failure.equals("-");
    }

    /** Returns what failed first, without spaces; a dash if nothing did. */
    static String run(Launcher launcher, String name) {
        String[] failure = {"-"};
        try {
            launcher.execute(
                    LauncherDiscoveryRequestBuilder.request()
                            .selectors(selectClass(Class.forName(name, false, TestRun.class.getClassLoader())))
                            .build(),
                    new TestExecutionListener() {
                        @Override
                        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                            if (result.getStatus() == TestExecutionResult.Status.FAILED && failure[0].equals("-"))
                                failure[0] = test.getDisplayName().replaceAll("\\s+", "_");
                        }
                    });
        } catch (ReflectiveOperationException | LinkageError e) {
            return e.getClass().getSimpleName();
        }
        return failure[0];
    }

    static void tell(Writer lines, String line) throws IOException {
        lines.write(line + "\n");
        lines.flush();
    }
}
