package tidepool.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.SourceTree;

/**
 * The programs of examples/consumer as a user has them: far from the checkout, against artifacts in a local repository,
 * on the module path. One embeds a pool, one is a client of memory nodes, one is a memory node; each gets the jars that
 * docs/guide/start.md promises, and no others. The repository has the jars and poms of this build, and links to the
 * plugins that the build uses. Maven fetches what these do not have.
 */
@Tag("process")
class ConsumerProjectTest {
    private static final Pattern PLUGIN = Pattern.compile("<(maven-\\w+-plugin\\.version)>([^<]+)<");

    @TempDir
    Path folder;

    private final String version = ConsumerProject.version();
    private ConsumerProject project;
    private Path repository;

    @BeforeEach
    void install() throws IOException {
        repository = Files.createDirectory(folder.resolve("repository"));
        ConsumerProject.linkLibraries(repository);
        project = new ConsumerProject(folder, repository);
        put("tidepool-parent", SourceTree.path("pom.xml"), ".pom");
        put("tidepool-bom", SourceTree.path("bom/pom.xml"), ".pom");
        for (Path module : SourceTree.modules()) {
            String artifact = "tidepool-" + module.getFileName();
            Path jar = module.resolve("target/" + artifact + "-" + version + ".jar");
            if (!Files.exists(jar)) continue;
            put(artifact, module.resolve("pom.xml"), ".pom");
            put(artifact, jar, ".jar");
        }
        assumeTrue(Files.exists(place("tidepool-api", ".jar")), "the modules have no jars: the build did not package");
    }

    /** The links go before JUnit deletes the folder: what they lead to stays. */
    @AfterEach
    void unlink() throws IOException {
        ConsumerProject.unlinkLibraries(repository);
    }

    @Tag("full")
    @Test
    void mavenCompilesThemWithOurJarsAlone() throws IOException {
        assumeTrue(ConsumerProject.isOnPath("mvn"), "no Maven on the PATH");
        project.compileAndRun();
    }

    @Tag("full")
    @Test
    void gradleRunsIt() throws IOException {
        assumeTrue(ConsumerProject.isOnPath("gradle"), "no Gradle on the PATH");
        assumeTrue(gradleKnowsThisJava(), "the Gradle on the PATH does not run on Java 25");
        try (ChildProcess gradle = ChildProcess.program(
                        "gradle", "--offline", "--no-daemon", "--quiet", "-Dmaven.repo.local=" + repository, "run")
                .in(project.folder().resolve("embedded"))
                .with("JAVA_HOME", System.getProperty("java.home"))
                .start()) {
            assertEquals("5", gradle.rest().strip());
            assertEquals(0, gradle.exitCode(), gradle.errors());
        }
    }

    /** Other versions would have to be fetched. */
    @Test
    void itsPluginsAreThoseOfTheBuild() throws IOException {
        String parent = Files.readString(SourceTree.path("pom.xml"));
        Matcher plugin = PLUGIN.matcher(Files.readString(project.folder().resolve("pom.xml")));
        int plugins = 0;
        for (; plugin.find(); plugins++)
            assertTrue(parent.contains("<" + plugin.group(1) + ">" + plugin.group(2) + "<"), plugin.group());
        assertEquals(3, plugins);
        assertTrue(
                Files.readString(project.folder().resolve("pom.xml")).contains("<tidepool.version>" + version + "<"));
        assertTrue(Files.readString(project.folder().resolve("embedded/build.gradle.kts"))
                .contains("tidepool-bom:" + version + "\""));
    }

    private static boolean gradleKnowsThisJava() {
        try (ChildProcess gradle = ChildProcess.program("gradle", "--version")
                .with("JAVA_HOME", System.getProperty("java.home"))
                .start()) {
            gradle.rest();
            return gradle.exitCode() == 0;
        }
    }

    // ---- the repository

    private Path place(String artifact, String suffix) {
        return repository.resolve("dev/tidepool/" + artifact + "/" + version + "/" + artifact + "-" + version + suffix);
    }

    private void put(String artifact, Path file, String suffix) throws IOException {
        Path place = place(artifact, suffix);
        Files.createDirectories(place.getParent());
        Files.copy(file, place);
    }
}
