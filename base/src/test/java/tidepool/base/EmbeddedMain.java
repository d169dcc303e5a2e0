package tidepool.base;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Strands in a JVM with other flags than ours: says the kind, what the trace was, and whether switches are direct. */
final class EmbeddedMain {
    private EmbeddedMain() {}

    public static void main(String[] arguments) {
        try {
            Coroutine.Kind kind = Coroutine.Kind.preferred();
            boolean direct = kind == Coroutine.Kind.CONTINUATION && ContinuationCoroutine.isDirect();
            System.out.print(kind + " " + TokenProgram.trace(7, kind).hashCode() + (direct ? " direct" : ""));
        } catch (UnsupportedOperationException refused) {
            System.out.print(refused.getMessage());
        }
    }

    static String runInItsOwnJvm(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.add("-cp");
        command.add(Path.of("target", "classes") + File.pathSeparator + Path.of("target", "test-classes"));
        command.add(EmbeddedMain.class.getName());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
