package tidepool.workload.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of another JVM that runs one of our classes. */
public final class JvmCommand {
    /** Ignores ^C, which a terminal sends to all processes of its foreground. */
    private static final List<String> DEAF_TO_INTERRUPTS = List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh");

    private JvmCommand() {}

    /**
     * Returns the words of the command, with the options of clients and memory nodes and the class path of this JVM.
     *
     * @param jvmOptions more options for its JVM; the last one of equal options counts
     */
    public static List<String> of(List<String> jvmOptions, String main, List<String> arguments) {
        List<String> options = new ArrayList<>(
                List.of("-XX:+UseSerialGC", "-Xmx512m", "-Xshare:auto", "--enable-native-access=ALL-UNNAMED"));
        options.addAll(jvmOptions);
        return of(options, classPath(), main, arguments);
    }

    /**
     * Returns the words of the command.
     *
     * @param jvmOptions all options of its JVM
     */
    public static List<String> of(List<String> jvmOptions, String classPath, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(arguments);
        return command;
    }

    /** Returns a command that ignores ^C. Its parent process ends it. */
    public static List<String> deafToInterrupts(List<String> command) {
        List<String> deaf = new ArrayList<>(DEAF_TO_INTERRUPTS);
        deaf.addAll(command);
        return deaf;
    }

    /** Returns the class path. Surefire replaces it by a jar of its own and keeps the real one in a property. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
