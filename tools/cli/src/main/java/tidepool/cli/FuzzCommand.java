package tidepool.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.workload.process.BoundedProcess;

/**
 * {@code tidepool fuzz}: feeds hostile input to parsers. The fuzzer is large, so the launcher builds the module
 * {@code fuzz} only for this command. The property {@code tidepool.fuzz} says where the module is.
 */
@Command(
        name = "fuzz",
        description = {
            "Fuzz the parsers with hostile input.",
            "Targets: frames, handshake, region, node, journal, log, credentials, url; or all together.",
            "What is found goes to .tidepool/fuzz. Exit code 0 if nothing is found. See docs/operating/security.md."
        })
final class FuzzCommand implements Callable<Integer>, NeedsCheckout {
    private static final String PROPERTY = "tidepool.fuzz";

    /** For the start, for one slow input, and for the end; FuzzMain waits for half an hour of them. */
    private static final Duration GRACE = Duration.ofMinutes(40);

    @Parameters(arity = "0..1", paramLabel = "TARGET", description = "One target, default ${DEFAULT-VALUE}.")
    String target = "all";

    @Option(names = "--minutes", paramLabel = "N", description = "For how long, default ${DEFAULT-VALUE}.")
    int minutes = 10;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (minutes < 1 || minutes > 10_000)
            throw new CommandLine.ParameterException(spec.commandLine(), "--minutes takes 1 to 10000");
        Path module = module();
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                module.resolve("target/tidepool-fuzz.jar") + File.pathSeparator + module.resolve("target/lib/*"),
                "tidepool.fuzz.FuzzMain",
                target,
                Long.toString(60L * minutes),
                module.resolve("corpus").toString(),
                module.resolveSibling(".tidepool").resolve("fuzz").toString());
        try (BoundedProcess fuzzer = BoundedProcess.inherited("the fuzzer", command)) {
            return fuzzer.awaitEnd(Duration.ofMinutes(minutes).plus(GRACE));
        }
    }

    private static Path module() {
        String module = System.getProperty(PROPERTY, "");
        if (module.isEmpty() || !Files.exists(Path.of(module, "target", "tidepool-fuzz.jar")))
            throw new UserError(
                    "the fuzzer is not here; start the command by ./tidepool, which builds the module fuzz for it"
                            + " (Maven has to be able to fetch com.code-intelligence:jazzer)");
        return Path.of(module).toAbsolutePath();
    }
}
