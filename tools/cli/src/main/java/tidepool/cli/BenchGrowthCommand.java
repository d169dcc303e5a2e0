package tidepool.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.bench.growth.GrowthBench;
import tidepool.bench.growth.GrowthOptions;
import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocols;

/** {@code tidepool bench growth}: inserts into a table while it grows. */
@Command(
        name = "growth",
        description = {
            "Measure inserts into a table that grows, next to one that was made large.",
            "Threads insert, one row per transaction, and one more thread reads what is there. Each insert is timed."
                    + " Both tables are filled in turns; ratios are median and lowest to highest round. Fails if a row"
                    + " is missing."
        })
final class BenchGrowthCommand implements Callable<Integer> {
    private static final int MAX_THREADS = 64;
    private static final long MAX_ROWS = 1L << 32;
    private static final int USUAL_FACTOR = 64;
    private static final long MIN_BYTES = 128 << 20;

    @Option(names = "--protocol", paramLabel = "NAME", description = "Default ${DEFAULT-VALUE}.")
    String protocol = "ford";

    @Option(names = "--fabric", paramLabel = "NAME", description = "mem, shm or tcp, default ${DEFAULT-VALUE}.")
    String fabric = "shm";

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Rows for which the table is made, default ${DEFAULT-VALUE}.")
    long rows = 1_000;

    @Option(names = "--grown", paramLabel = "N", description = "Rows that it takes; default 64 times as many.")
    Long grown;

    @Option(names = "--threads", paramLabel = "N", description = "Threads that insert, default ${DEFAULT-VALUE}.")
    int threads = 2;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds, after one of at most 64000 rows that does not count; default ${DEFAULT-VALUE}.")
    int rounds = 5;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "Memory of the pool, all copies and logs, as in 8g; default: as much as both tables need.")
    String memory;

    @Option(names = "--alone", description = "Without the table that was made large.")
    boolean alone;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        GrowthOptions options;
        try {
            options = options();
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        new GrowthBench(options, spec.commandLine().getOut()::println).run();
        return 0;
    }

    private GrowthOptions options() {
        RaceFlags.requireKnown("fabric", fabric, List.of("mem", "shm", "tcp"));
        RaceFlags.requireKnown("protocol", protocol.replaceFirst("\\?.*", ""), Protocols.names());
        Protocols.named(protocol);
        long all = grown == null ? rows * USUAL_FACTOR : grown;
        require(
                rows >= 1 && rows <= MAX_ROWS / USUAL_FACTOR,
                "--rows takes 1 to " + MAX_ROWS / USUAL_FACTOR + ", not " + rows);
        require(all >= rows && all <= MAX_ROWS, "--grown takes --rows to " + MAX_ROWS + ", not " + all);
        require(threads >= 1 && threads <= MAX_THREADS, "--threads takes 1 to " + MAX_THREADS + ", not " + threads);
        require(rounds >= 1 && rounds <= 1000, "--rounds takes 1 to 1000, not " + rounds);
        long bytes = memory == null ? 0 : FabricUrl.parseSize("--memory", memory);
        require(bytes == 0 || bytes >= MIN_BYTES, "--memory takes 128m or more, not " + memory);
        return new GrowthOptions(protocol, fabric, rows, all, threads, rounds, bytes, alone);
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) throw new IllegalArgumentException(sentence);
    }
}
