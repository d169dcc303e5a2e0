package tidepool.mutants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trials in child JVMs of a checkout with one class and one test: the driver distinguishes faults from changes without
 * effect.
 */
@Tag("process")
class TrialTest {
    private static final String SAMPLE = "tidepool/mutants/MutatedSample";
    private static final List<String> OWN = List.of(
            "SharedRun", "TestRun", "TestRun$1", "MethodCoverage", "ProcessTimes", "TestTimes", "TestTimes$Taken");

    @TempDir
    Path root;

    @Test
    void aFaultIsKilledAndWhatIsNoneSurvives() throws Exception {
        checkout();
        Options options = Options.of(List.of("--module", "protocol", "--seconds", "20"));
        MutantsMain driver = new MutantsMain(root, options);

        TestTimes times = driver.times();

        assertEquals(List.of(), times.failed());
        assertEquals(1, times.count());
        assertEquals("killed", verdict(driver, times, "larger", Mutation.NEGATE));
        assertEquals("survived", verdict(driver, times, "larger", Mutation.BOUNDARY));
        assertEquals("not entered", verdict(driver, times, "alone", Mutation.OPERATOR));
        MutantsMain hasty = new MutantsMain(root, Options.of(List.of("--module", "protocol", "--seconds", "4")));
        assertEquals("timed out", verdict(hasty, hasty.times(), "steps", Mutation.OPERATOR));
    }

    /** A JVM of many trials tells only what is certain: a failure that ends with the change. */
    @Test
    void aJvmOfManyTrialsDecidesWhatIsCertain() throws Exception {
        checkout();
        try (MutantsMain driver =
                new MutantsMain(root, Options.of(List.of("--module", "protocol", "--seconds", "4")))) {
            decidesWhatIsCertain(driver);
        }
    }

    private static void decidesWhatIsCertain(MutantsMain driver) throws IOException, InterruptedException {
        TestTimes times = driver.times();
        assertEquals("killed", together(driver, times, "larger", Mutation.NEGATE));
        assertEquals("open", together(driver, times, "larger", Mutation.BOUNDARY));
        assertEquals("killed", together(driver, times, "isEven", Mutation.OPERATOR), "the class was put back");
        assertEquals("open", together(driver, times, "openAndClose", Mutation.DROP_CALL), "no test passes again");
        assertEquals("killed", together(driver, times, "name", Mutation.RETURN), "in another JVM");
        assertEquals("open", together(driver, times, "steps", Mutation.OPERATOR), "it does not end");
        assertEquals("killed", together(driver, times, "tellTwice", Mutation.DROP_CALL), "in a third JVM");
        assertEquals("not entered", together(driver, times, "alone", Mutation.OPERATOR));
        assertEquals("killed", verdict(driver, times, "openAndClose", Mutation.DROP_CALL));
    }

    /** A test class that takes longer than a trial would be in no trial, so its coverage is not waited for. */
    @Test
    void aTestThatTakesLongerThanATrialIsLeftOut() throws Exception {
        checkout();
        put("core/protocol/target/test-classes", "tidepool/mutants/PatientSampleTest");
        Files.createFile(root.resolve("evidence/protocols").resolve(PatientSampleTest.GATE));
        Options options = Options.of(List.of("--module", "protocol", "--seconds", "2"));

        TestTimes times = new MutantsMain(root, options).times();

        assertEquals(List.of(PatientSampleTest.class.getName()), times.slow());
        assertEquals(List.of(), times.failed());
        assertEquals(1, times.count());
    }

    /** A run of all tests takes longer than most campaigns, so one serves all modules and is not begun anew. */
    @Test
    void eachTestIsRunOnce() throws Exception {
        checkout();
        put("core/protocol/target/test-classes", "tidepool/mutants/PatientSampleTest");
        Options all = Options.of(List.of("--module", "protocol", "--seconds", "9"));
        Options some = Options.of(List.of("--module", "model", "--seconds", "9", "--tests", "Mutated"));

        assertEquals(2, new MutantsMain(root, all).times().count());
        List<String> first = Files.readAllLines(recorded());
        assertEquals(1, new MutantsMain(root, some).times().count());
        assertEquals(first, Files.readAllLines(recorded()));
        Files.write(recorded(), first.subList(0, first.size() - 1)); // the run was ended within its second test
        assertEquals(2, new MutantsMain(root, all).times().count());
        assertEquals(first.size() + 1, Files.readAllLines(recorded()).size(), "one test was begun again");
    }

    private Path recorded() throws IOException {
        try (Stream<Path> files = Files.list(root.resolve(".tidepool/mutants"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("tests-"))
                    .reduce((one, other) -> fail("two records: " + one + " and " + other))
                    .orElseThrow();
        }
    }

    /** A campaign takes hours: one that is ended goes on with the mutants that were not tried. */
    @Test
    void verdictsAreReadAgain() throws Exception {
        checkout();
        List<Mutant> plan = new Sites(TrialTest.class.getClassLoader()).of(SitesTest.bytes(SAMPLE));
        MutantVerdict verdict =
                new MutantVerdict(plan.getFirst(), MutantVerdict.Kind.KILLED, "MutatedSampleTest.aSampleDoes()", 17);
        MutantsMain driver = new MutantsMain(root, Options.of(List.of()));
        assertEquals(Map.of(), driver.resume(plan));
        Files.createDirectories(root.resolve(".tidepool/mutants"));
        driver.tell(verdict, 1);

        MutantsMain next = new MutantsMain(root, Options.of(List.of()));

        assertEquals(Map.of(plan.getFirst(), verdict), next.resume(plan));
        assertEquals(Map.of(), next.resume(List.of(plan.getLast())), "a mutant that is not in the plan");
        assertEquals(Map.of(), new MutantsMain(root, Options.of(List.of("--seconds", "9"))).resume(plan));
    }

    private static String verdict(MutantsMain driver, TestTimes times, String method, Mutation mutation)
            throws IOException, InterruptedException {
        return driver.tried(mutant(method, mutation), times).kind().text;
    }

    private static String together(MutantsMain driver, TestTimes times, String method, Mutation mutation)
            throws IOException, InterruptedException {
        return driver.triedTogether(mutant(method, mutation), times).kind().text;
    }

    private static Mutant mutant(String method, Mutation mutation) throws IOException {
        return new Sites(TrialTest.class.getClassLoader())
                .of(SitesTest.bytes(SAMPLE)).stream()
                        .filter(each -> each.methodName().equals(method) && each.mutation() == mutation)
                        .findFirst()
                        .orElseThrow();
    }

    /** Makes the folders of a built checkout, with the sample as the module protocol. */
    private void checkout() throws IOException {
        Files.createDirectories(root.resolve("evidence/protocols"));
        put("core/protocol/target/classes", SAMPLE);
        put("core/protocol/target/test-classes", SAMPLE + "Test");
        for (String name : OWN) put("evidence/mutants/target/classes", "tidepool/mutants/" + name);
        Path libraries = Files.createDirectories(root.resolve("evidence/mutants/target/lib"));
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : path.split(File.pathSeparator)) {
            Path library = Path.of(entry).toAbsolutePath();
            if (entry.endsWith(".jar"))
                Files.copy(library, libraries.resolve(library.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void put(String folder, String name) throws IOException {
        Path file = root.resolve(folder).resolve(name + ".class");
        Files.createDirectories(file.getParent());
        Files.write(file, SitesTest.bytes(name));
    }
}
