package tidepool.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.SourceTree;

/**
 * {@code ./tidepool install} with Maven itself, in a copy of the checkout and into a repository of its own. In the
 * checkout the command would wait for ever: the build that runs this test holds the lock.
 */
@Tag("night")
@Tag("process")
class InstalledArtifactsTest {
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(tidepool-[^<]+)</artifactId>");
    private static final Pattern UNREACHABLE =
            Pattern.compile("Could not transfer|UnknownHost|Unknown host|Connection refused|Connection timed out");

    @TempDir
    Path folder;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void everyArtifactOfTheBomIsWholeAndTheConsumersRun() throws IOException {
        assumeTrue(ConsumerProject.isOnPath("mvn"), "no Maven on the PATH");
        assumeTrue(Files.exists(SourceTree.path(".git")), "no checkout of git");
        Path checkout = copyOfTheCheckout();
        Path repository = Files.createDirectory(folder.resolve("repository"));
        ConsumerProject.linkLibraries(repository);
        try {
            install(checkout, repository);
            assertEquals(List.of(), missing(repository));
            new ConsumerProject(folder, repository).compileAndRun();
        } finally {
            ConsumerProject.unlinkLibraries(repository);
        }
    }

    /** The files that git has, as they are here; what a build has made stays out. */
    private Path copyOfTheCheckout() throws IOException {
        Path checkout = folder.resolve("checkout");
        try (ChildProcess git = ChildProcess.program("git", "ls-files", "--cached", "--others", "--exclude-standard")
                .in(SourceTree.root())
                .start()) {
            List<String> files = git.lines();
            assertEquals(0, git.exitCode(), git.errors());
            for (String file : files) {
                if (!Files.isRegularFile(SourceTree.path(file))) continue;
                Path copy = checkout.resolve(file);
                Files.createDirectories(copy.getParent());
                Files.copy(SourceTree.path(file), copy);
            }
        }
        return checkout;
    }

    private static void install(Path checkout, Path repository) {
        try (ChildProcess launcher = ChildProcess.program(
                        checkout.resolve("tidepool").toString(), "install", "-Dmaven.repo.local=" + repository)
                .in(checkout)
                .with("TIDEPOOL_JAVA_HOME", System.getProperty("java.home"))
                .merged()
                .deadline(Duration.ofMinutes(90))
                .start()) {
            String output = launcher.rest();
            assumeTrue(
                    launcher.exitCode() == 0 || !UNREACHABLE.matcher(output).find(),
                    "plugins of the build are not in the local repository, and no other repository answers");
            assertEquals(0, launcher.exitCode(), output);
            assertTrue(output.contains("tidepool-api"), output);
        }
    }

    /** Returns what is missing or superfluous in the repository, as the BOM and the documents promise it. */
    private static List<String> missing(Path repository) throws IOException {
        Path installed = repository.resolve("dev/tidepool");
        Set<String> missing = new TreeSet<>();
        Set<String> artifacts = artifactsOfTheBom();
        for (String artifact : artifacts)
            for (String suffix : List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar")) {
                String version = ConsumerProject.version();
                Path file = installed.resolve(artifact + "/" + version + "/" + artifact + "-" + version + suffix);
                if (!Files.exists(file) || !isWhole(file, suffix)) missing.add(artifact + suffix);
            }
        artifacts.addAll(Set.of("tidepool-bom", "tidepool-parent"));
        try (Stream<Path> folders = Files.list(installed)) {
            folders.map(each -> each.getFileName().toString())
                    .filter(name -> name.startsWith("tidepool-") && !artifacts.contains(name))
                    .forEach(name -> missing.add(name + " is not in the BOM"));
        }
        return List.copyOf(missing);
    }

    private static boolean isWhole(Path file, String suffix) throws IOException {
        if (suffix.equals(".pom")) return Files.size(file) > 0;
        String wanted =
                switch (suffix) {
                    case ".jar" -> ".class";
                    case "-sources.jar" -> ".java";
                    default -> "index.html";
                };
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.stream().anyMatch(entry -> entry.getName().endsWith(wanted));
        }
    }

    private static Set<String> artifactsOfTheBom() throws IOException {
        String bom = Files.readString(SourceTree.path("bom/pom.xml"));
        Set<String> artifacts = new TreeSet<>();
        Matcher artifact = ARTIFACT.matcher(bom.substring(bom.indexOf("<dependencyManagement>")));
        while (artifact.find()) artifacts.add(artifact.group(1));
        assertTrue(artifacts.size() > 10, artifacts.toString());
        return artifacts;
    }
}
