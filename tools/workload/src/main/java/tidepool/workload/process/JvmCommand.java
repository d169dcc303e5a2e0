package tidepool.workload.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of another JVM that runs one of our classes. */
public final class JvmCommand {
    private JvmCommand() {}

    /**
     * Returns the words of the command.
     *
     * @param jvmOptions more options for its JVM; the last one of equal options counts
     */
    public static List<String> of(List<String> jvmOptions, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m", "-Xshare:auto", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath(), main));
        command.addAll(arguments);
        return command;
    }

    /** Returns the class path. Surefire replaces it by a jar of its own and keeps the real one in a property. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
