package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.cli.LauncherSandbox.Seen;
import tidepool.testkit.ChildProcess;

/** The launcher script, in a sandbox where JDKs and Maven are whatever the test puts there. */
class LauncherTest {
    @TempDir
    Path folder;

    private LauncherSandbox sandbox;

    @BeforeEach
    void copyTheLauncher() throws IOException {
        sandbox = new LauncherSandbox(folder);
    }

    /** The first thing that can be missing on a new machine. */
    @Test
    void withoutJdkItSaysWhatIsMissing() throws Exception {
        sandbox.addMaven();
        Seen seen = sandbox.start("--help");

        assertFailure(
                "tidepool: no JDK 25 or newer found; install one, or set TIDEPOOL_JAVA_HOME to where it lies", seen);
    }

    @Test
    void anOldJdkDoesNotCount() throws Exception {
        sandbox.addMaven();
        sandbox.addJdk("17.0.9");

        assertEquals(1, sandbox.start("--help").exitCode());
    }

    /** Silently taking another JDK than the one asked for would be a riddle. */
    @Test
    void aJdkThatWasAskedForHasToBeNewEnough() throws Exception {
        sandbox.addJdk("25");
        Path old = sandbox.addJdk("21.0.1");
        Seen seen = sandbox.with("TIDEPOOL_JAVA_HOME", old.toString()).start("--help");

        assertFailure("tidepool: TIDEPOOL_JAVA_HOME is not a JDK 25 or newer: " + old, seen);
    }

    /** An old JAVA_HOME is common, and no reason to give up. */
    @Test
    void aNewJdkIsFoundNextToAnOldJavaHome() throws Exception {
        sandbox.addMaven();
        Path old = sandbox.addJdk("17.0.9");
        Path young = sandbox.addJdk("25.0.1");
        Seen seen = sandbox.with("JAVA_HOME", old.toString()).start("--help");

        assertEquals(0, seen.exitCode(), seen.err());
        assertTrue(seen.out().startsWith(young + "/bin/java "), seen.out());
        assertTrue(seen.out().endsWith("tidepool.jar --help\n"), seen.out());
    }

    @Test
    void withoutMavenItSaysWhatIsMissing() throws Exception {
        sandbox.addJdk("25");
        Seen seen = sandbox.start("--help");

        String sentence = "tidepool: Maven is needed to build and is not on the PATH; install it so that 'mvn' works";
        assertFailure(sentence, seen);
        assertFailure(sentence, sandbox.start("test"));
    }

    /** Building is slow, so it happens only when there is something new to build. */
    @Test
    void buildsOnlyWhenSourcesAreNewer() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        sandbox.start("--help");
        sandbox.start("--help");
        assertEquals(1, sandbox.mavenCalls().size());

        Files.setLastModifiedTime(sandbox.source(), FileTime.from(Instant.now().plusSeconds(5)));
        sandbox.start("--help");
        assertEquals(2, sandbox.mavenCalls().size());
    }

    /** Foreign stores are eighty megabytes: only users who race against them wait for the download. */
    @Test
    void peersAreBuiltOnlyForThoseWhoNameThem() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        sandbox.start("bench", "smallbank", "--peers", "chm,hand");
        sandbox.start("bench", "smallbank", "--peers", "infinispan,rocksdb");
        sandbox.start("bench", "smallbank", "--peers=rocksdb");
        sandbox.start("bench", "ycsb-a", "--scale", "spec", "--peers", "chm,lmdb");
        sandbox.start("--help");

        List<String> calls = sandbox.mavenCalls();
        assertEquals(2, calls.size(), calls.toString());
        assertTrue(calls.getFirst().contains("-pl tools/cli -am"), calls.toString());
        assertTrue(calls.getLast().contains("-pl tools/cli,tools/peers -am"), calls.toString());
    }

    /** Mutants are tried with compiled tests, which no other command waits for. */
    @Test
    void testsAreCompiledForMutantsAlone() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        sandbox.start("--help");
        sandbox.start("mutants", "--module", "store");
        sandbox.start("mutants", "--module", "api");

        List<String> calls = sandbox.mavenCalls();
        assertEquals(2, calls.size(), calls.toString());
        assertTrue(calls.getFirst().contains("-pl tools/cli -am -Dmaven.test.skip=true"), calls.toString());
        assertTrue(
                calls.getLast().contains("-pl tools/cli,evidence/mutants,evidence/protocols -am -DskipTests"),
                calls.toString());
    }

    /** The distribution has nothing of an earlier build, although no file seems to be stale. */
    @Test
    void theDistributionIsMadeFromACleanBuild() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        sandbox.start("--help");
        Seen seen = sandbox.start("dist");

        assertEquals(0, seen.exitCode(), seen.err());
        assertTrue(seen.out().contains(" tidepool.dist.DistMain "), seen.out());
        List<String> calls = sandbox.mavenCalls();
        assertEquals(2, calls.size(), calls.toString());
        assertTrue(calls.getLast().contains("clean package -pl tools/cli,dist -am"), calls.toString());
        assertFailure("tidepool: dist takes no arguments, and was given '--fast'", sandbox.start("dist", "--fast"));
    }

    /** Published are the modules that do not skip the installation, and the BOM. */
    @Test
    void publishedModulesAreInstalled() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        sandbox.addModule("core/base", "<project/>");
        sandbox.addModule("net/tcp", "<project/>");
        sandbox.addModule("evidence/fuzz", "<maven.install.skip>true</maven.install.skip>");
        Seen seen = sandbox.start("install", "-Dmaven.repo.local=place");

        assertEquals(0, seen.exitCode(), seen.err());
        String call = sandbox.mavenCalls().getFirst();
        assertTrue(call.contains("install -P publish -pl bom,core/base,net/tcp,tools/cli -am"), call);
        assertTrue(call.endsWith("-Dmaven.repo.local=place"), call);
        assertEquals(1, sandbox.with("MAVEN_FAILS", "yes").start("install").exitCode());
    }

    /** A deleted class must not live on in the jar. */
    @Test
    void aDeletedSourceIsBuiltAway() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        sandbox.start("--help");
        Files.delete(sandbox.source());
        sandbox.start("--help");

        assertEquals(2, sandbox.mavenCalls().size());
    }

    /** Several first starts at once: one builds, the others wait for it, all of them start. */
    @Test
    void concurrentFirstStartsBuildOnce() throws Exception {
        assertThreeStartsBuildOnce();
    }

    /** Not every system has flock. */
    @Test
    void concurrentFirstStartsBuildOnceWithoutFlock() throws Exception {
        sandbox.remove("flock");
        assertThreeStartsBuildOnce();
    }

    /** Messages of the compiler are shown; messages of Maven about itself are not. */
    @Test
    void aFailedBuildShowsWhyAndWhere() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        Seen seen = sandbox.with("MAVEN_FAILS", "yes").start("--help");

        assertEquals(1, seen.exitCode());
        assertTrue(seen.err().contains("[ERROR] Broken.java:[3,7] ';' expected"), seen.err());
        assertTrue(seen.err().contains("tidepool: the build failed; all of its output is in "), seen.err());
        assertTrue(!seen.err().contains("Re-run Maven"), seen.err());
    }

    /** People and machines look for the closing line of the test runner. */
    @Test
    void testsShowTheirCountAndTakeArguments() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        Seen seen = sandbox.start("test", "-pl", "base");

        assertEquals(0, seen.exitCode(), seen.err());
        assertTrue(seen.out().endsWith("[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n"), seen.out());
        assertTrue(sandbox.mavenCalls().getFirst().endsWith("verify --fail-at-end -pl base"));
    }

    /** The effort is a property of Maven; a night has no limit for its JVMs. */
    @Test
    void quickAndNightChooseTheEffort() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        sandbox.start("test");
        sandbox.start("test", "--quick", "-pl", "base");
        sandbox.start("test", "-pl", "base", "--night");
        assertFailure("tidepool: test takes --quick or --night, not both", sandbox.start("test", "--quick", "--night"));

        List<String> calls = sandbox.mavenCalls();
        assertEquals(3, calls.size(), calls.toString());
        assertTrue(calls.get(0).endsWith("verify --fail-at-end"), calls.toString());
        assertTrue(calls.get(1).endsWith("verify --fail-at-end -pl base -Dtidepool.effort=quick"), calls.toString());
        assertTrue(
                calls.get(2)
                        .endsWith("verify --fail-at-end -pl base -Dtidepool.effort=night"
                                + " -Djunit.jupiter.execution.timeout.mode=disabled"),
                calls.toString());
    }

    /** A slow run says where its time went, and is no failure. */
    @Test
    void aSlowRunNamesItsSlowestClasses() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        Seen quiet = sandbox.start("test");
        Seen slow = sandbox.with("TIDEPOOL_SLOW_SECONDS", "-1").start("test");

        assertEquals("", quiet.err());
        assertEquals(0, slow.exitCode());
        List<String> lines = slow.err().lines().toList();
        assertTrue(lines.getFirst().endsWith("more than -1 s; the slowest classes:"), slow.err());
        assertEquals(List.of("    62.5 s  tidepool.SlowTest", "     0.4 s  tidepool.QuickTest"), lines.subList(1, 3));
    }

    /** A search for FAILED in the output of a green run finds nothing. */
    @Test
    void aGreenRunDoesNotSayFailed() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        sandbox.with("MAVEN_SAYS", "the transfer FAILED as it should");

        Seen seen = sandbox.start("test", "--quick");
        assertEquals(1, seen.exitCode());
        assertTrue(seen.err().contains("the transfer FAILED as it should"), seen.err());
        assertTrue(seen.err().contains("the tests passed, and the output says FAILED"), seen.err());
        assertEquals(0, sandbox.start("test", "-Dtest=SomeTest").exitCode(), "prints of one class");
        assertEquals(0, sandbox.with("MAVEN_SAYS", "UNFAILED").start("test").exitCode());
    }

    /** A run of one class is looked at: its prints come to the terminal. */
    @Test
    void oneClassPrintsToTheTerminal() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        sandbox.start("test", "-Dtest=SomeTest");
        assertTrue(sandbox.mavenCalls()
                .getFirst()
                .endsWith("-Dtest=SomeTest -Dmaven.test.redirectTestOutputToFile=false"));
    }

    @Test
    void failedTestsFailTheCommand() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();

        assertEquals(1, sandbox.with("MAVEN_FAILS", "yes").start("test").exitCode());
    }

    private void assertThreeStartsBuildOnce() throws Exception {
        sandbox.addJdk("25");
        sandbox.addMaven();
        List<ChildProcess> starts = new ArrayList<>();
        for (int i = 0; i < 3; i++) starts.add(sandbox.process("--help").start());

        for (ChildProcess start : starts)
            try (start) {
                assertEquals(0, LauncherSandbox.seen(start).exitCode());
            }
        assertEquals(1, sandbox.mavenCalls().size());
    }

    private static void assertFailure(String sentence, Seen seen) {
        assertEquals(new Seen(1, "", sentence + "\n"), seen);
    }
}
