package tidepool.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.bench.race.CostBench;
import tidepool.bench.race.CostOptions;
import tidepool.protocol.Protocols;
import tidepool.workload.measured.kvs.Kvs;

/** {@code tidepool bench cost}: the cost of a transaction as work grows. */
@Command(
        name = "cost",
        description = {
            "Measure the cost of a transaction as work grows: more records, more of them in a transaction, more"
                    + " threads, uniform and"
                    + " skewed. Prints a table of kvs on one protocol and fabric.",
            "Takes several minutes and 5 GB of shared memory; --quick takes half a minute and 100 MB."
        })
final class BenchCostCommand implements Callable<Integer> {
    private static final int MAX_THREADS = 64;

    @Option(names = "--protocol", paramLabel = "NAME", description = "Default ${DEFAULT-VALUE}.")
    String protocol = "ford";

    @Option(names = "--fabric", paramLabel = "NAME", description = "mem or shm, default ${DEFAULT-VALUE}.")
    String fabric = "shm";

    @Option(names = "--threads", split = ",", paramLabel = "N", description = "Default ${DEFAULT-VALUE}.")
    List<Integer> threads = List.of(1, 2);

    @Option(
            names = "--records",
            split = ",",
            paramLabel = "N",
            description = "How many there are; default 100000, 1000000, 10000000; with --quick 10000, 100000.")
    List<Long> records;

    @Option(
            names = "--objects",
            split = ",",
            paramLabel = "N",
            description = "How many a transaction has; default 1 to 64 in doublings; with --quick 1, 8, 64.")
    List<Integer> objects;

    @Option(names = "--zipf", split = ",", paramLabel = "S", description = "0 is uniform; default ${DEFAULT-VALUE}.")
    List<Double> zipf = List.of(0.0, 0.99);

    @Option(names = "--writes", paramLabel = "N", description = "Of a hundred records, default ${DEFAULT-VALUE}.")
    int writes = 25;

    @Option(names = "--seconds", paramLabel = "N", description = "Of each of three rounds; default 0.5, quick 0.1.")
    Double seconds;

    @Option(names = "--quick", description = "Fewer and shorter.")
    boolean quick;

    @Option(names = "--seed", paramLabel = "N", description = "Of what is drawn, default ${DEFAULT-VALUE}.")
    long seed = 1;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the results as JSON.")
    Path json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        CostOptions options;
        try {
            options = options();
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        OutputFiles.require(json, "report");
        PrintWriter out = spec.commandLine().getOut();
        CostBench bench = new CostBench(options, out::println, new LiveLine(out));
        bench.run();
        if (json != null) bench.writeJson(json);
        return bench.isRight() ? 0 : 1;
    }

    private CostOptions options() {
        RaceFlags.requireKnown("fabric", fabric, List.of("mem", "shm"));
        RaceFlags.requireKnown("protocol", protocol.replaceFirst("\\?.*", ""), Protocols.names());
        Protocols.named(protocol);
        if (records == null) records = quick ? List.of(10_000L, 100_000L) : List.of(100_000L, 1_000_000L, 10_000_000L);
        if (objects == null) objects = quick ? List.of(1, 8, 64) : List.of(1, 2, 4, 8, 16, 32, 64);
        double time = seconds != null ? seconds : quick ? 0.1 : 0.5;
        for (int count : threads)
            require(count >= 1 && count <= MAX_THREADS, "--threads takes 1 to " + MAX_THREADS + ", not " + count);
        for (int count : objects)
            require(
                    count >= 1 && count <= Kvs.MAX_OBJECTS,
                    "--objects takes 1 to " + Kvs.MAX_OBJECTS + ", not " + count);
        for (long count : records)
            require(count >= 1000 && count <= 1L << 32, "--records takes 1000 to 4294967296, not " + count);
        for (double exponent : zipf) require(exponent >= 0 && exponent <= 10, "--zipf takes 0 to 10, not " + exponent);
        require(writes >= 0 && writes <= 100, "--writes takes 0 to 100, not " + writes);
        require(time >= 0.01 && time <= 60, "--seconds takes 0.01 to 60, not " + time);
        long millis = Math.round(time * 1000);
        return new CostOptions(protocol, fabric, threads, records, objects, zipf, writes, millis, millis, seed);
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) throw new IllegalArgumentException(sentence);
    }
}
