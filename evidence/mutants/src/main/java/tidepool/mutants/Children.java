package tidepool.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts child JVMs with changed classes first on their class path, and ends those that take too long. */
final class Children {
    /** The end of a child. */
    enum End {
        PASSED,
        FAILED,
        /** Neither passed nor failed within the time limit. */
        TIMED_OUT,
        /** The JVM ended in another way. */
        BROKE
    }

    private final String javaHome = System.getProperty("java.home");
    private final Path folder;
    private final String effort;

    /** @param folder the working directory of tests */
    Children(Path folder, String effort) {
        this.folder = folder;
        this.effort = effort;
    }

    /** Runs test classes; their lines are appended to a file. */
    End run(String classPath, Path lines, List<String> tests, boolean all, long seconds)
            throws IOException, InterruptedException {
        Path names = Files.createTempFile("tests", ".txt");
        try {
            Files.write(names, tests);
            List<String> command = new ArrayList<>(List.of(
                    Path.of(javaHome, "bin", "java").toString(),
                    "-Xmx1g",
                    "-XX:+UseSerialGC",
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
                if (!child.waitFor(seconds, TimeUnit.SECONDS)) return End.TIMED_OUT;
                return switch (child.exitValue()) {
                    case 0 -> End.PASSED;
                    case TestRun.FAILED -> End.FAILED;
                    default -> End.BROKE;
                };
            } finally {
                child.descendants().forEach(ProcessHandle::destroyForcibly);
                child.destroyForcibly();
                child.waitFor();
            }
        } finally {
            Files.delete(names);
        }
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) return;
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(each);
        }
    }
}
