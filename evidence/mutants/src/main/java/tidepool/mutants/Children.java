package tidepool.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Starts child JVMs with changed classes first on their class path, and ends those that take too long. The limit is
 * processor time, so that a verdict does not depend on other processes of the machine. A child that only waits uses
 * none: it is ended after {@link ProcessTimes#WAITING} times its limit.
 */
final class Children {
    /** The end of a child. */
    enum End {
        PASSED,
        FAILED,
        /** Neither passed nor failed within the limit. */
        TIMED_OUT,
        /** A test class did not end within its limit. */
        SLOW,
        /** The JVM ended in another way. */
        BROKE,
        /** A JVM of many trials cannot tell whether the change is the reason of a failure. */
        UNSURE
    }

    private static final long LOOK_MILLIS = 50;

    /** The limit of the wait for the end of a killed child. */
    private static final Duration KILLED = Duration.ofMinutes(2);

    private final String javaHome = System.getProperty("java.home");
    private final Path folder;
    private final String effort;

    /** @param folder the working directory of tests */
    Children(Path folder, String effort) {
        this.folder = folder;
        this.effort = effort;
    }

    /**
     * Runs test classes until one fails; their lines are appended to a file.
     *
     * @param seconds of processor time
     * @param classMillis the limit of each test class
     */
    End run(String classPath, Path lines, List<String> tests, long seconds, ToLongFunction<String> classMillis)
            throws IOException, InterruptedException {
        return run(classPath, lines, tests, "first", Duration.ofSeconds(seconds), classMillis);
    }

    /**
     * Runs test classes until one takes too long; their lines are appended to a file.
     *
     * @param classSeconds of processor time for each class
     */
    End runAll(String classPath, Path lines, List<String> tests, long classSeconds)
            throws IOException, InterruptedException {
        Duration limit = Duration.ofSeconds(classSeconds * tests.size());
        return run(classPath, lines, tests, "all", limit, _ -> 1000 * classSeconds);
    }

    private End run(
            String classPath,
            Path lines,
            List<String> tests,
            String which,
            Duration limit,
            ToLongFunction<String> classMillis)
            throws IOException, InterruptedException {
        Path names = Files.createTempFile("tests", ".txt");
        try {
            Files.write(names, tests);
            Process child =
                    start(classPath, List.of(), TestRun.class, List.of(lines.toString(), names.toString(), which));
            try {
                End late = waitFor(child, lines, limit, classMillis, null);
                if (late != null) return late;
                return switch (child.exitValue()) {
                    case 0 -> End.PASSED;
                    case TestRun.FAILED -> End.FAILED;
                    default -> End.BROKE;
                };
            } finally {
                kill(child);
            }
        } finally {
            Files.delete(names);
        }
    }

    /** Starts a child whose output is lost. */
    Process start(String classPath, List<String> jvmOptions, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(javaHome, "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // half of a short run's time is C2's
                "--add-opens",
                "java.base/jdk.internal.vm=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-Dtidepool.effort=" + effort));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    static void kill(Process child) throws InterruptedException {
        child.descendants().forEach(ProcessHandle::destroyForcibly);
        child.destroyForcibly();
        if (!child.waitFor(KILLED)) throw new IllegalStateException("kill -9 has no effect on process " + child.pid());
    }

    /**
     * Waits for the end of a child, or for a line. Returns null, or why it did not wait: the child or a test class
     * takes too long.
     *
     * @param last how the line begins that is waited for; null for none
     */
    static End waitFor(Process child, Path lines, Duration limit, ToLongFunction<String> classMillis, String last)
            throws IOException, InterruptedException {
        ProcessTimes begun = ProcessTimes.of(child.toHandle());
        ProcessTimes classBegun = begun;
        Duration classLimit = limit;
        long written = size(lines);
        while (!child.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            ProcessTimes now = ProcessTimes.of(child.toHandle());
            long size = size(lines);
            if (size != written) {
                classBegun = now;
                String line = Files.readAllLines(lines).getLast();
                if (last != null && line.startsWith(last)) return null;
                String running = TestTimes.begun(line);
                classLimit = running == null ? limit : Duration.ofMillis(classMillis.applyAsLong(running));
            }
            written = size;
            if (now.since(begun) > limit.toNanos()) return End.TIMED_OUT;
            if (now.since(classBegun) > classLimit.toNanos()) return End.SLOW;
        }
        return null;
    }

    private static long size(Path lines) throws IOException {
        return Files.exists(lines) ? Files.size(lines) : 0;
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) return;
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(each);
        }
    }
}
