package tidepool.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.ChildStart;
import tidepool.testkit.SourceTree;

/**
 * A repository with nothing in it but the launcher, and a PATH with nothing on it but the tools the launcher uses. JDKs
 * and Maven are scripts that say how they were called, so that a test takes milliseconds and no network.
 */
final class LauncherSandbox {
    /** The exit code and output of one start. */
    record Seen(int exitCode, String out, String err) {}

    private static final List<String> TOOLS = List.of(
            "awk",
            "bash",
            "cat",
            "dirname",
            "find",
            "flock",
            "grep",
            "head",
            "mkdir",
            "mv",
            "readlink",
            "rm",
            "sed",
            "sleep",
            "sort",
            "tee",
            "touch");

    private static final String JAVA = """
            #!/bin/sh
            case "$*" in *AOTCacheOutput*) exit 1 ;; esac
            echo "$0 $*"
            """;

    private static final String MAVEN = """
            #!/bin/sh
            echo "$*" >> calls
            if [ -n "$MAVEN_FAILS" ]; then
                echo "[ERROR] Broken.java:[3,7] ';' expected"
                echo "[ERROR] Re-run Maven using the -X switch to enable full debug logging."
                exit 1
            fi
            sleep 0.3
            mkdir -p tools/cli/target tools/peers/target evidence/mutants/target dist/target
            touch tools/cli/target/tidepool.jar
            echo "[INFO] Copying 0 resource"
            echo "[INFO] $MAVEN_SAYS"
            echo "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.4 s -- in tidepool.QuickTest"
            echo "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 62.5 s -- in tidepool.SlowTest"
            echo "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0"
            """;

    private final Path repository;
    private final Path path;
    private final Path jdks;
    private final Map<String, String> environment = new TreeMap<>();

    LauncherSandbox(Path folder) throws IOException {
        repository = Files.createDirectory(folder.resolve("with a space"));
        path = Files.createDirectory(folder.resolve("path"));
        jdks = Files.createDirectory(folder.resolve("jdks"));
        Files.copy(SourceTree.path("tidepool"), repository.resolve("tidepool"));
        Files.createDirectory(repository.resolve("config"));
        Files.copy(SourceTree.path("config/find-java.sh"), repository.resolve("config/find-java.sh"));
        Files.createDirectories(source().getParent());
        Files.createFile(source());
        Files.createFile(repository.resolve("pom.xml"));
        Files.createFile(repository.resolve("tools/cli/pom.xml"));
        for (String tool : TOOLS) borrow(tool);
        environment.put("PATH", path.toString());
        environment.put("TIDEPOOL_JDK_PLACES", jdks + "/*");
    }

    /** A JDK of that version in one of the usual places. */
    Path addJdk(String version) throws IOException {
        Path home = jdks.resolve("jdk-" + version);
        script(home.resolve("bin/java"), JAVA);
        script(home.resolve("bin/javac"), JAVA);
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    void addModule(String module, String pom) throws IOException {
        Path folder = Files.createDirectories(repository.resolve(module));
        Files.writeString(folder.resolve("pom.xml"), pom);
    }

    void addMaven() throws IOException {
        script(path.resolve("mvn"), MAVEN);
    }

    void remove(String tool) throws IOException {
        Files.deleteIfExists(path.resolve(tool));
    }

    /** How Maven was called so far, one line a call. */
    List<String> mavenCalls() throws IOException {
        return Files.readAllLines(repository.resolve("calls"));
    }

    Path source() {
        return repository.resolve("tools/cli/src/main/java/Some.java");
    }

    LauncherSandbox with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    Seen start(String... arguments) {
        try (ChildProcess launcher = process(arguments).start()) {
            return seen(launcher);
        }
    }

    /** Waits for the end of a launcher. */
    static Seen seen(ChildProcess launcher) {
        String out = launcher.rest();
        return new Seen(launcher.exitCode(), out, launcher.errors());
    }

    ChildStart process(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(repository.resolve("tidepool").toString()));
        command.addAll(List.of(arguments));
        return ChildProcess.program(command.toArray(String[]::new))
                .in(repository)
                .environment(environment);
    }

    /** A script that calls the real tool, where there is one. */
    private void borrow(String tool) throws IOException {
        for (String folder : System.getenv("PATH").split(":")) {
            Path found = Path.of(folder, tool);
            if (Files.isExecutable(found)) {
                script(path.resolve(tool), "#!/bin/sh\nexec " + found + " \"$@\"\n");
                return;
            }
        }
    }

    private static void script(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        if (!file.toFile().setExecutable(true)) throw new IOException("cannot make executable: " + file);
    }
}
