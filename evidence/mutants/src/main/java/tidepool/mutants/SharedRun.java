package tidepool.mutants;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Writer;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A child JVM that tries one mutant after the other: it exchanges the class, runs tests until one fails, and puts the
 * class back. Tests take a tenth of their time in a JVM that has loaded and compiled everything.
 *
 * <p>A test that has failed is run again without the change. If it fails again, or has left threads that run, then
 * this JVM decides nothing more.
 *
 * <pre>
 *   an order    LINES CLASSES TYPE CHANGED ORIGINAL      files, and the name of the class; separated by tabs
 *   a line      those of {@link TestRun}
 *               AGAIN class                              the test that has failed, without the change
 *               DONE passed|failed|unsure WHY
 * </pre>
 */
public final class SharedRun {
    static final String DONE = "DONE ";
    static final String PASSED = DONE + "passed";
    static final String FAILED = DONE + "failed";
    static final String UNSURE = DONE + "unsure ";

    /** Looks at threads that a failed test has left, which may be about to end. */
    private static final int LOOKS = 10;

    private static final long LOOK_MILLIS = 20;

    private static Instrumentation instrumentation;

    private final Launcher launcher = LauncherFactory.create();

    private SharedRun() {}

    /** Called by the JVM before {@code main}, because this class is its agent. */
    public static void premain(String arguments, Instrumentation given) {
        instrumentation = given;
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream quiet = new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.setOut(quiet);
        System.setErr(quiet);
        SharedRun run = new SharedRun();
        for (String order = orders.readLine(); order != null; order = orders.readLine()) run.follow(order);
        Runtime.getRuntime().halt(0);
    }

    private void follow(String order) throws IOException {
        String[] words = order.split("\t", -1);
        List<String> tests = Files.readAllLines(Path.of(words[1]));
        byte[] changed = Files.readAllBytes(Path.of(words[3]));
        byte[] original = Files.readAllBytes(Path.of(words[4]));
        try (Writer lines =
                Files.newBufferedWriter(Path.of(words[0]), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            TestRun.tell(lines, run(lines, tests, words[2], changed, original));
        }
    }

    private String run(Writer lines, List<String> tests, String type, byte[] changed, byte[] original)
            throws IOException {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        String failed = null;
        try {
            Class<?> of = Class.forName(type, false, SharedRun.class.getClassLoader());
            instrumentation.redefineClasses(new ClassDefinition(of, changed));
            try {
                for (String name : tests) {
                    if (TestRun.runs(launcher, lines, name)) continue;
                    failed = name;
                    break;
                }
            } finally {
                instrumentation.redefineClasses(new ClassDefinition(of, original));
            }
        } catch (ClassNotFoundException | UnmodifiableClassException | LinkageError e) {
            return UNSURE + e;
        }
        if (failed == null) return PASSED;
        TestRun.tell(lines, "AGAIN " + failed);
        String again = TestRun.run(launcher, failed);
        if (!again.equals("-")) return UNSURE + "fails without the change: " + again;
        Thread left = left(before);
        return left == null ? FAILED : UNSURE + "still runs: " + left;
    }

    /** Returns a thread that was not there before and goes on running; null if there is none. */
    private static Thread left(Set<Thread> before) {
        Thread running = null;
        for (int look = 0; look < LOOKS; look++) {
            Set<Thread> now = Thread.getAllStackTraces().keySet();
            running = now.stream()
                    .filter(thread -> !before.contains(thread) && thread.getState() == Thread.State.RUNNABLE)
                    .findFirst()
                    .orElse(null);
            if (running == null) break;
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                break;
            }
        }
        return running;
    }
}
