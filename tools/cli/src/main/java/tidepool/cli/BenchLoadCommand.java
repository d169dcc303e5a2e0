package tidepool.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.bench.LoadBench;
import tidepool.protocol.Protocols;

/** {@code tidepool bench load}: the rate of a bulk load. */
@Command(
        name = "load",
        description = {
            "Measure a bulk load next to one insert per transaction, on one thread, with rows of 100 bytes.",
            "All insert the same rows into tables of their own, in turns. Two replicas; ratios are median and lowest"
                    + " to highest round. Exit code 1 if a table has not all rows."
        })
final class BenchLoadCommand implements Callable<Integer> {
    private static final int MAX_ROWS = 4_000_000;
    private static final int MAX_BATCH = 256;

    @Option(names = "--protocol", paramLabel = "NAME", description = "Default ${DEFAULT-VALUE}.")
    String protocol = "ford";

    @Option(names = "--fabric", paramLabel = "NAME", description = "mem, shm or tcp, default ${DEFAULT-VALUE}.")
    String fabric = "shm";

    @Option(names = "--rows", paramLabel = "N", description = "Rows of each round, default ${DEFAULT-VALUE}.")
    int rows = 300_000;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds, after one that does not count; default ${DEFAULT-VALUE}.")
    int rounds = 5;

    @Option(names = "--batch", paramLabel = "N", description = "Rows of a batch, default ${DEFAULT-VALUE}.")
    int batch = MAX_BATCH;

    @Option(names = "--shuffled", description = "Keys in random order instead of that of their numbers.")
    boolean shuffled;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        try {
            RaceFlags.requireKnown("fabric", fabric, List.of("mem", "shm", "tcp"));
            RaceFlags.requireKnown("protocol", protocol.replaceFirst("\\?.*", ""), Protocols.names());
            require(rows >= 1000 && rows <= MAX_ROWS, "--rows takes 1000 to " + MAX_ROWS + ", not " + rows);
            require(rounds >= 1 && rounds <= 1000, "--rounds takes 1 to 1000, not " + rounds);
            require(batch >= 1 && batch <= MAX_BATCH, "--batch takes 1 to " + MAX_BATCH + ", not " + batch);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        LoadBench.Options options = new LoadBench.Options(protocol, fabric, rows, rounds, batch, shuffled);
        return new LoadBench(options, spec.commandLine().getOut()::println).run() ? 0 : 1;
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) throw new IllegalArgumentException(sentence);
    }
}
