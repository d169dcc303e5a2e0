package tidepool.stress;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import tidepool.testkit.ChildProcess;

/** A JVM of its own for {@link OneJvm}, with replaced classes before the others on the class path if need be. */
record Subprocess(int exit, String output) {
    static final int OK = 0;
    static final int FORBIDDEN_SEEN = 1;

    /** Shorter than the limit of a test method, so that a timeout prints the thread dump of the child. */
    private static final Duration LIMIT = Duration.ofSeconds(270);

    static Subprocess stress(Path shadowingClasses, int millis, int attempts, String tests) {
        String classes = ChildProcess.classPath();
        if (shadowingClasses != null) classes = shadowingClasses + File.pathSeparator + classes;
        try (ChildProcess process = ChildProcess.program(
                        ChildProcess.java(),
                        "-Xmx256m",
                        "-XX:+UseParallelGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classes,
                        OneJvm.class.getName(),
                        Integer.toString(millis),
                        Integer.toString(attempts),
                        tests)
                .deadline(LIMIT)
                .merged()
                .start()) {
            String output = process.rest();
            return new Subprocess(process.exitCode(), output);
        }
    }
}
