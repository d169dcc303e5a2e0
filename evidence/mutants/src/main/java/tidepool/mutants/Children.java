package tidepool.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts child JVMs with changed classes first on their class path, and ends those that take too long. The limit is
 * processor time, so that a verdict does not depend on other processes of the machine. A child that only waits uses
 * none: it is ended after {@link #WAITING} times its limit.
 */
final class Children {
    /** The end of a child. */
    enum End {
        PASSED,
        FAILED,
        /** Neither passed nor failed within the limit. */
        TIMED_OUT,
        /** The JVM ended in another way. */
        BROKE
    }

    /** Seconds of waiting that count as one second of processor time. */
    static final int WAITING = 5;

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
     * Runs test classes; their lines are appended to a file.
     *
     * @param seconds of processor time
     */
    End run(String classPath, Path lines, List<String> tests, boolean all, long seconds)
            throws IOException, InterruptedException {
        Path names = Files.createTempFile("tests", ".txt");
        try {
            Files.write(names, tests);
            List<String> command = new ArrayList<>(List.of(
                    Path.of(javaHome, "bin", "java").toString(),
                    "-Xmx1g",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1", // half of a short run's time is C2's
                    "--add-opens",
                    "java.base/jdk.internal.vm=ALL-UNNAMED",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Dtidepool.effort=" + effort,
                    "-cp",
                    classPath,
                    TestRun.class.getName(),
                    lines.toString(),
                    names.toString(),
                    all ? "all" : "first"));
            Process child = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                if (!ends(child, Duration.ofSeconds(seconds))) return End.TIMED_OUT;
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

    private static void kill(Process child) throws InterruptedException {
        child.descendants().forEach(ProcessHandle::destroyForcibly);
        child.destroyForcibly();
        if (!child.waitFor(KILLED)) throw new IllegalStateException("kill -9 has no effect on process " + child.pid());
    }

    /** Waits for the end of a child. Returns false if it has used up its processor time, or waited too long. */
    private static boolean ends(Process child, Duration limit) throws InterruptedException {
        long begun = System.nanoTime();
        while (!child.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            Duration used = child.info().totalCpuDuration().orElse(Duration.ZERO);
            Duration waited = Duration.ofNanos(System.nanoTime() - begun).minus(used);
            if (used.compareTo(limit) > 0 || waited.compareTo(limit.multipliedBy(WAITING)) > 0) return false;
        }
        return true;
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) return;
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(each);
        }
    }
}
