package tidepool.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.workload.process.BoundedProcess;

/**
 * {@code tidepool mutants}: changes compiled classes of a module, one place at a time, and runs the tests on each
 * change. It needs a checkout with compiled tests, so the launcher builds the module {@code mutants} and the tests only
 * for this command. The property {@code tidepool.mutants} says where the module is.
 */
@Command(
        name = "mutants",
        description = {
            "Mutate compiled classes and list the mutants that no test detects.",
            "Changes compiled classes of a module, one place at a time.",
            "Mutants are drawn by the seed: the same seed and classes give the same list. Each is tried with"
                    + " the tests that enter its method, the fastest first, in a JVM that tries many. Those that"
                    + " it does not kill are tried again, each in a JVM of its own.",
            "Verdicts: killed, timed out, survived, not entered.",
            "A run that was ended goes on where it was. Reports go to .tidepool/mutants. See docs/evidence/mutants.md."
        })
final class MutantsCommand implements Callable<Integer>, NeedsCheckout {
    private static final String PROPERTY = "tidepool.mutants";
    private static final List<String> MODULES = List.of("protocol", "store", "model", "api");
    private static final Duration TESTS_WITHOUT_A_CHANGE = Duration.ofDays(2);
    private static final List<String> EFFORTS = List.of("quick", "full");

    @Option(
            names = {"--module", "--room"},
            paramLabel = "MODULE",
            description = "protocol, store, model or api, default ${DEFAULT-VALUE}.")
    String module = "protocol";

    @Option(names = "--count", paramLabel = "N", description = "Mutants, default ${DEFAULT-VALUE}.")
    int count = 300;

    @Option(names = "--seed", paramLabel = "N", description = "Draws the mutants, default ${DEFAULT-VALUE}.")
    long seed = 1;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Most processor time for the tests of one mutant, default ${DEFAULT-VALUE}.")
    int seconds = 60;

    @Option(
            names = "--only",
            paramLabel = "PATTERN",
            description = "Change only classes in whose full name this regular expression is found.")
    String only = "";

    @Option(
            names = "--tests",
            paramLabel = "PATTERN",
            description = "Ask only test classes in whose full name this regular expression is found.")
    String tests = "";

    @Option(
            names = "--effort",
            paramLabel = "LEVEL",
            description = "Effort of the tests, quick or full, default ${DEFAULT-VALUE}.")
    String effort = "quick";

    @Option(names = "--jobs", paramLabel = "N", description = "Mutants tried at once, default ${DEFAULT-VALUE}.")
    int jobs = 1;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!MODULES.contains(module))
            throw refusal("--module takes protocol, store, model or api, not '" + module + "'");
        if (!EFFORTS.contains(effort)) throw refusal("--effort takes quick or full, not '" + effort + "'");
        between("--count", count, 1, 100_000);
        between("--seconds", seconds, 1, 3_600);
        between("--jobs", jobs, 1, 64);
        pattern("--only", only);
        pattern("--tests", tests);
        try (BoundedProcess driver = BoundedProcess.inherited("the driver of mutants", command(folder()))) {
            return driver.awaitEnd(limit());
        }
    }

    /** Returns more than the longest run takes: the driver ends a trial that waits for five times its limit. */
    Duration limit() {
        return TESTS_WITHOUT_A_CHANGE.plusSeconds(10L * count * seconds);
    }

    /** Returns the command of the driver, whose first argument is the checkout: the module is two folders below. */
    List<String> command(Path folder) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                folder.resolve("target/classes") + File.pathSeparator + folder.resolve("target/lib/*"),
                "tidepool.mutants.MutantsMain",
                folder.getParent().getParent().toString()));
        command.addAll(
                List.of("--module", module, "--count", "" + count, "--seed", "" + seed, "--seconds", "" + seconds));
        command.addAll(List.of("--effort", effort, "--jobs", "" + jobs, "--only", only, "--tests", tests));
        return command;
    }

    private void between(String option, int value, int min, int max) {
        if (value < min || value > max) throw refusal(option + " takes " + min + " to " + max);
    }

    private void pattern(String option, String value) {
        try {
            Pattern.compile(value);
        } catch (PatternSyntaxException e) {
            throw refusal(option + " takes a regular expression: " + e.getDescription() + " in '" + value + "'");
        }
    }

    private CommandLine.ParameterException refusal(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }

    private static Path folder() {
        String folder = System.getProperty(PROPERTY, "");
        if (folder.isEmpty()
                || !Files.exists(Path.of(folder, "target", "classes"))
                || !Files.exists(Path.of(folder, "target", "lib")))
            throw new UserError(
                    "mutants need a checkout with compiled tests; start the command by ./tidepool of a checkout, which"
                            + " builds both");
        return Path.of(folder).toAbsolutePath();
    }
}
