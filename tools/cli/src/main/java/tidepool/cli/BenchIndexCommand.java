package tidepool.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.bench.index.IndexBench;
import tidepool.bench.index.IndexOptions;
import tidepool.protocol.Protocols;

/** {@code tidepool bench index}: inserts into ordered tables and scans of them. */
@Command(
        name = "index",
        description = {
            "Measure inserts into ordered tables, the shape of the trees that they leave, and scans.",
            "Keys come in random order, ascending for all threads together, and replaced at random. Fails if an index"
                    + " has not all rows."
        })
final class BenchIndexCommand implements Callable<Integer> {
    private static final int MAX_THREADS = 64;
    private static final long MIN_ROWS = 1_000;
    private static final long MAX_ROWS = 100_000_000;

    @Option(
            names = "--protocol",
            split = ",",
            paramLabel = "NAME",
            description = "One or several, which take turns; default ford.")
    List<String> protocols = List.of("ford");

    @Option(names = "--fabric", paramLabel = "NAME", description = "mem or shm, default ${DEFAULT-VALUE}.")
    String fabric = "shm";

    @Option(names = "--rows", paramLabel = "N", description = "Rows of a table, default ${DEFAULT-VALUE}.")
    long rows = 200_000;

    @Option(names = "--threads", paramLabel = "N", description = "Threads that insert, default ${DEFAULT-VALUE}.")
    int threads = 2;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds, default ${DEFAULT-VALUE}.")
    int rounds = 3;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        IndexOptions options;
        try {
            options = options();
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        new IndexBench(options, spec.commandLine().getOut()::println).run();
        return 0;
    }

    private IndexOptions options() {
        RaceFlags.requireKnown("fabric", fabric, List.of("mem", "shm"));
        for (String protocol : protocols) {
            RaceFlags.requireKnown("protocol", protocol.replaceFirst("\\?.*", ""), Protocols.names());
            Protocols.named(protocol);
        }
        require(rows >= MIN_ROWS && rows <= MAX_ROWS, "--rows takes 1000 to " + MAX_ROWS + ", not " + rows);
        require(threads >= 1 && threads <= MAX_THREADS, "--threads takes 1 to " + MAX_THREADS + ", not " + threads);
        require(rounds >= 1 && rounds <= 1000, "--rounds takes 1 to 1000, not " + rounds);
        return new IndexOptions(List.copyOf(protocols), fabric, rows, threads, rounds);
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) throw new IllegalArgumentException(sentence);
    }
}
