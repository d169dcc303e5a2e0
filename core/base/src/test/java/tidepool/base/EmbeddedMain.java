package tidepool.base;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tidepool.testkit.ChildProcess;

/**
 * A program that runs strands in a JVM with other flags. It prints the kind, the hash of the trace, and whether
 * switches are direct.
 */
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

    static String runInItsOwnJvm(String... options) {
        List<String> command = new ArrayList<>(List.of(ChildProcess.java()));
        command.addAll(List.of(options));
        command.add("-cp");
        command.add(Path.of("target", "classes") + File.pathSeparator + Path.of("target", "test-classes"));
        command.add(EmbeddedMain.class.getName());
        try (ChildProcess process =
                ChildProcess.program(command.toArray(String[]::new)).merged().start()) {
            return process.rest();
        }
    }
}
