package tidepool.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.bench.FabricBench;

/** {@code tidepool bench fabric}: the cost of a round, compared with plain memory accesses of equal size. */
@Command(
        name = "fabric",
        description = {
            "Measure the cost of a round of verbs on each fabric. For mem and shm the limit is the same accesses"
                    + " written by hand,"
                    + " for tcp raw messages of the same size between two processes, measured in turns with"
                    + " ours; for sim"
                    + " it is the wall time that was promised for a simulated round.",
            "All checks and counters are on. Figures are medians; spread is half the distance between the quarters."
        })
final class BenchFabricCommand implements Callable<Integer> {
    private static final List<String> KNOWN = List.of("mem", "shm", "tcp", "sim");

    @Option(names = "--fabric", split = ",", paramLabel = "NAME", description = "Which fabrics: mem,shm,tcp,sim.")
    List<String> fabrics = KNOWN;

    @Option(names = "--samples", description = "Samples per figure, default ${DEFAULT-VALUE}.")
    int samples = 15;

    @Option(names = "--rounds", description = "Rounds per sample, default ${DEFAULT-VALUE}.")
    int rounds = 200_000;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the results as JSON.")
    Path json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        for (String fabric : fabrics)
            if (!KNOWN.contains(fabric))
                throw new CommandLine.ParameterException(
                        spec.commandLine(), "Unknown fabric '" + fabric + "'; known: " + String.join(", ", KNOWN));
        if (samples < 3 || rounds < 1000)
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "At least 3 samples of 1000 rounds are needed");
        if (json != null && !Files.isDirectory(json.toAbsolutePath().getParent()))
            throw new UserError(
                    "no such folder for the report: " + json.toAbsolutePath().getParent());

        FabricBench bench = new FabricBench(line -> spec.commandLine().getOut().println(line), samples, rounds);
        bench.header();
        for (String fabric : fabrics) measure(bench, fabric);
        bench.verdict();
        if (json != null) bench.writeJson(json);
        return 0;
    }

    private static void measure(FabricBench bench, String fabric) {
        switch (fabric) {
            case "mem" -> bench.direct(fabric, "mem:?nodes=1");
            case "shm" -> bench.shm();
            case "tcp" -> bench.tcp(System.getProperty("java.class.path"));
            case "sim" -> bench.sim();
            default -> throw new IllegalStateException("no such fabric: " + fabric);
        }
    }
}
