package tidepool.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.bench.ValuesBench;
import tidepool.fabric.FabricUrl;

/** {@code tidepool bench values}: the time of puts and gets of long values. */
@Command(
        name = "values",
        description = {
            "Measure puts and gets of long values, by their length.",
            "One thread, two nodes, two copies. A put replaces a value, and deletes the parts of the one before."
                    + " Prints the median of each."
        })
final class BenchValuesCommand implements Callable<Integer> {
    private static final double NANOS = 1e9;

    @Option(names = "--fabric", paramLabel = "NAME", description = "mem, shm or tcp, default ${DEFAULT-VALUE}.")
    String fabric = "shm";

    @Option(names = "--lengths", split = ",", paramLabel = "SIZE", description = "In bytes, default ${DEFAULT-VALUE}.")
    List<String> lengths = List.of("64", "1k", "10k", "100k", "1m");

    @Option(names = "--url", paramLabel = "TEXT", description = "More parameters of the pool, such as protocol=motor.")
    String parameters = "";

    @Option(names = "--seconds", paramLabel = "N", description = "For each length, default ${DEFAULT-VALUE}.")
    double seconds = 2;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        List<Integer> bytes;
        try {
            RaceFlags.requireKnown("fabric", fabric, List.of("mem", "shm", "tcp"));
            bytes = lengths.stream()
                    .map(each -> (int) FabricUrl.parseSize("--lengths", each))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        ValuesBench bench = new ValuesBench(fabric, parameters, bytes, (long) (seconds * NANOS / 2));
        return bench.run(spec.commandLine().getOut()::println).isEmpty() ? 1 : 0;
    }
}
