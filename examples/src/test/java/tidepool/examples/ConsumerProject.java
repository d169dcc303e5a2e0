package tidepool.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.ChildStart;
import tidepool.testkit.SourceTree;

/** A copy of examples/consumer, far from the checkout, and a local repository of Maven from which it is built. */
final class ConsumerProject {
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

    /** Folders that a build of the project leaves. */
    private static final Pattern BUILT = Pattern.compile("(^|/)(target|build|lib|\\.gradle)(/|$)");

    private static final Pattern UNREACHABLE =
            Pattern.compile("Could not transfer|UnknownHost|Unknown host|Connection refused|Connection timed out");

    private final Path folder;
    private final Path project;
    private final Path repository;
    private final String version = version();

    /** Copies the project into a folder. */
    ConsumerProject(Path folder, Path repository) throws IOException {
        this.folder = folder;
        this.repository = repository;
        this.project = folder.resolve("project");
        copyTree(SourceTree.path("examples/consumer"), project);
    }

    Path folder() {
        return project;
    }

    /** Has Maven compile the three programs, compares their jars with those that are promised, and runs them. */
    void compileAndRun() throws IOException {
        MavenRun run = maven("--offline");
        // The build itself does not use all that the plugins of this project need.
        if (run.output.contains("in offline mode")) run = maven("--no-transfer-progress");
        assumeTrue(
                run.exitCode == 0 || !UNREACHABLE.matcher(run.output).find(),
                "plugins of the project are not in the local repository, and no other repository answers");
        assertEquals(0, run.exitCode, run.output);
        Set<String> client = new TreeSet<>(treeOfApi());
        client.addAll(Set.of("tidepool-tcp", "tidepool-wire"));
        assertEquals(treeOfApi(), jars("embedded"));
        assertEquals(client, jars("client"));
        Set<String> node =
                Set.of("tidepool-node", "tidepool-wire", "tidepool-fabric", "tidepool-memory", "tidepool-base");
        assertEquals(new TreeSet<>(node), jars("node"));

        assertEquals("5", printed("embedded", "app/app.Main"));
        try (ChildProcess server = program("node", "app.node/app.node.Main").start()) {
            String port = server.line();
            assertTrue(port != null && port.matches("\\d+"), () -> port + server.errors());
            String url = "tcp://127.0.0.1:" + port + "/visits?replicas=1&memory=8m";
            assertEquals("3", printed("client", "app.client/app.client.Main", url));
            server.finish("");
            assertEquals(0, server.exitCode(), server.errors());
        }
    }

    /** Returns the jars that Maven has copied for a program. */
    private Set<String> jars(String program) throws IOException {
        Set<String> jars = new TreeSet<>();
        try (Stream<Path> files = Files.list(project.resolve(program + "/lib"))) {
            files.forEach(file -> jars.add(file.getFileName().toString().replace("-" + version + ".jar", "")));
        }
        return jars;
    }

    private record MavenRun(int exitCode, String output) {}

    private MavenRun maven(String transfer) {
        try (ChildProcess maven = ChildProcess.program(
                        "mvn",
                        "--batch-mode",
                        transfer,
                        "-Dmaven.repo.local=" + repository,
                        "compile",
                        "dependency:copy-dependencies",
                        "-DoutputDirectory=lib")
                .in(project)
                .with("JAVA_HOME", System.getProperty("java.home"))
                .merged()
                .start()) {
            String output = maven.rest();
            return new MavenRun(maven.exitCode(), output);
        }
    }

    private String printed(String program, String main, String... arguments) {
        try (ChildProcess process = program(program, main, arguments).start()) {
            String printed = process.rest().strip();
            assertEquals(0, process.exitCode(), process.errors());
            return printed;
        }
    }

    private ChildStart program(String program, String main, String... arguments) {
        Path home = project.resolve(program);
        String path = home.resolve("target/classes") + File.pathSeparator + home.resolve("lib");
        List<String> command = new ArrayList<>(List.of(ChildProcess.java(), "--module-path", path, "--module", main));
        command.addAll(List.of(arguments));
        return ChildProcess.program(command.toArray(String[]::new)).in(folder);
    }

    /** The modules of core, and nothing else. */
    private static Set<String> treeOfApi() {
        Set<String> artifacts = new TreeSet<>();
        for (Path module : SourceTree.modules())
            if (module.getParent().endsWith("core")) artifacts.add("tidepool-" + module.getFileName());
        assertTrue(artifacts.contains("tidepool-api"), artifacts.toString());
        return artifacts;
    }

    static boolean isOnPath(String program) {
        for (String place : System.getenv("PATH").split(File.pathSeparator))
            if (Files.isExecutable(Path.of(place, program))) return true;
        return false;
    }

    // ---- the repository

    /** Fills a repository with links to the libraries and plugins of the local one, without our own artifacts. */
    static void linkLibraries(Path repository) throws IOException {
        linkAllBut("dev", localRepository(), repository);
        Path dev = Files.createDirectory(repository.resolve("dev"));
        if (Files.isDirectory(localRepository().resolve("dev")))
            linkAllBut("tidepool", localRepository().resolve("dev"), dev);
    }

    /** The links go before JUnit deletes the folder: what they lead to stays. */
    static void unlinkLibraries(Path repository) throws IOException {
        for (Path place : List.of(repository, repository.resolve("dev")))
            try (Stream<Path> files = Files.list(place)) {
                for (Path file : files.filter(Files::isSymbolicLink).toList()) Files.delete(file);
            }
    }

    private static Path localRepository() {
        return Path.of(System.getProperty(
                "maven.repo.local",
                Path.of(System.getProperty("user.home"), ".m2", "repository").toString()));
    }

    private static void linkAllBut(String name, Path from, Path to) throws IOException {
        List<Path> children = new ArrayList<>();
        try (Stream<Path> files = Files.list(from)) {
            files.filter(file -> !file.endsWith(name)).forEach(children::add);
        }
        for (Path child : children) Files.createSymbolicLink(to.resolve(child.getFileName()), child);
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path relative = from.relativize(file);
                if (BUILT.matcher(relative.toString()).find()) continue;
                Path copy = to.resolve(relative.toString());
                if (Files.isDirectory(file)) Files.createDirectories(copy);
                else Files.copy(file, copy);
            }
        }
    }

    /** Returns the version of this build. */
    static String version() {
        try {
            Matcher version = VERSION.matcher(Files.readString(SourceTree.path("pom.xml")));
            assertTrue(version.find());
            return version.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
