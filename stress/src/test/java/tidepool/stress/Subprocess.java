package tidepool.stress;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

/** A JVM of its own for {@link OneJvm}, with classes in front of ours if need be. */
record Subprocess(int exit, String output) {
    static final int OK = 0;
    static final int FORBIDDEN_SEEN = 1;

    static Subprocess stress(Path shadowingClasses, int millis, int attempts, String tests) throws Exception {
        String classes = System.getProperty("java.class.path");
        if (shadowingClasses != null) classes = shadowingClasses + File.pathSeparator + classes;
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseParallelGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classes,
                        OneJvm.class.getName(),
                        Integer.toString(millis),
                        Integer.toString(attempts),
                        tests))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        return new Subprocess(process.waitFor(), output);
    }
}
