package tidepool.workload.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a JVM that runs one of our classes beside this one. */
public final class ChildJvm {
    private ChildJvm() {}

    /**
     * Ready to be started.
     *
     * @param jvmOptions more options for its JVM; of those that are given twice the last one counts
     */
    public static ProcessBuilder of(List<String> jvmOptions, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m", "-Xshare:auto", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath(), main));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    /** Surefire hides the real class path behind a jar of its own. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
