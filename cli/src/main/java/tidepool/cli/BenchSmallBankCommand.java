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
import tidepool.bench.smallbank.Contender;
import tidepool.bench.smallbank.RaceOptions;
import tidepool.bench.smallbank.SmallBankBench;

/** {@code tidepool bench smallbank}: our protocols on shared memory against what others would use instead. */
@Command(
        name = "smallbank",
        description = {
            "SmallBank on shared memory, two replicas, against other stores. Each contender has a JVM of its own; they work"
                    + " in turns, and the figures to look at are ratios within a round.",
            "Peers: infinispan and rocksdb as an application would embed them, serializable; chm, a hash map under striped"
                    + " locks; hand, the verbs of FORD written by hand without index and engine.",
            "The accounts are added up at the end; exit code 1 if they do not hold what was committed."
        })
final class BenchSmallBankCommand implements Callable<Integer> {
    private static final int MOST_THREADS = 64;

    @Option(
            names = "--protocol",
            split = ",",
            paramLabel = "NAME",
            description = "Which of our protocols, default ${DEFAULT-VALUE}; peers are compared with the first.")
    List<String> protocols = List.of("ford");

    @Option(
            names = "--peers",
            split = ",",
            paramLabel = "NAME",
            description = "Which others: infinispan,rocksdb,chm,hand; default none.")
    List<String> peers = List.of();

    @Option(names = "--threads", paramLabel = "N", description = "Of each contender, default ${DEFAULT-VALUE}.")
    int threads = 2;

    @Option(names = "--rounds", paramLabel = "N", description = "How many rounds count, default ${DEFAULT-VALUE}.")
    int rounds = 5;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long each contender works in a round, default ${DEFAULT-VALUE}.")
    double seconds = 4;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "Seconds of work before the first round, default ${DEFAULT-VALUE}.")
    double warmUp = 8;

    @Option(names = "--accounts", paramLabel = "N", description = "Customers of the bank, default ${DEFAULT-VALUE}.")
    int accounts = 1_000_000;

    @Option(names = "--seed", paramLabel = "N", description = "Of the requests, default ${DEFAULT-VALUE}.")
    long seed = 1;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the results as JSON.")
    Path json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        check();
        RaceOptions options = new RaceOptions(
                protocols,
                peers,
                accounts,
                threads,
                rounds,
                Math.round(seconds * 1000),
                Math.round(warmUp * 1000),
                seed,
                PeerLibraries.classPath(peers),
                List.of());
        var out = spec.commandLine().getOut();
        SmallBankBench bench = new SmallBankBench(options, out::println, new LiveLine(out));
        bench.run();
        if (json != null) bench.writeJson(json);
        return bench.addsUp() ? 0 : 1;
    }

    private void check() {
        require(protocols, Contender.protocols(), "protocol");
        require(peers, Contender.peers(), "peer");
        if (threads < 1 || threads > MOST_THREADS) throw wrong("--threads takes 1 to " + MOST_THREADS);
        if (rounds < 1 || rounds > 1000) throw wrong("--rounds takes 1 to 1000");
        if (!(seconds >= 0.1 && seconds <= 3600)) throw wrong("--seconds takes 0.1 to 3600");
        if (!(warmUp >= 0 && warmUp <= 3600)) throw wrong("--warm-up takes 0 to 3600");
        if (accounts < 100 || accounts > 10_000_000) throw wrong("--accounts takes 100 to 10000000");
        if (json != null && !Files.isDirectory(json.toAbsolutePath().getParent()))
            throw new UserError(
                    "no such folder for the report: " + json.toAbsolutePath().getParent());
    }

    private void require(List<String> names, List<String> known, String what) {
        for (String name : names)
            if (!known.contains(name))
                throw wrong("Unknown " + what + " '" + name + "'; known: " + String.join(", ", known));
        if (names.stream().distinct().count() < names.size()) throw wrong("Each " + what + " can race only once");
    }

    private CommandLine.ParameterException wrong(String sentence) {
        return new CommandLine.ParameterException(spec.commandLine(), sentence);
    }
}
