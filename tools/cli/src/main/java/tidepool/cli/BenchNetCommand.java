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
import tidepool.bench.net.Message;
import tidepool.bench.net.NetBench;
import tidepool.bench.net.NetOptions;
import tidepool.bench.net.NetResult;
import tidepool.bench.net.RawTransports;

/**
 * {@code tidepool bench net}: the cost of messages between two processes, over plain sockets and foreign transports.
 */
@Command(
        name = "net",
        description = {
            "Measure small messages between two processes over loopback, there and back: one at a time, and"
                    + " many in one"
                    + " piece. Messages are as long as a round of one READ of 8 bytes over TCP.",
            "Rates are medians of the rounds; CPU is of both processes; spread is half of fastest to slowest."
        })
final class BenchNetCommand implements Callable<Integer> {
    @Option(
            names = "--transports",
            split = ",",
            paramLabel = "NAME",
            description =
                    "nio-spin, nio-select, blocking; of others netty-nio, netty-epoll, netty-epoll-spin, aeron-udp."
                            + " Default: the first three.")
    List<String> transports = RawTransports.OWN;

    @Option(
            names = "--under-way",
            split = ",",
            paramLabel = "N",
            description = "How many messages go together; default 1,64.")
    List<Integer> underWay = List.of(1, 64);

    @Option(names = "--rounds", paramLabel = "N", description = "How many rounds count, default ${DEFAULT-VALUE}.")
    int rounds = 5;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Of each measurement, and of the work before it; default ${DEFAULT-VALUE}.")
    double seconds = 1;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the results as JSON.")
    Path json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        try {
            for (String transport : transports) RaceFlags.requireKnown("transport", transport, RawTransports.names());
            if (transports.stream().distinct().count() < transports.size())
                throw new IllegalArgumentException("each transport is measured only once");
            for (int messages : underWay)
                if (messages < 1 || messages > Message.MAX_UNDER_WAY)
                    throw new IllegalArgumentException(
                            "--under-way takes 1 to " + Message.MAX_UNDER_WAY + ", not " + messages);
            if (rounds < 1 || rounds > 1000)
                throw new IllegalArgumentException("--rounds takes 1 to 1000, not " + rounds);
            if (!(seconds >= 0.1 && seconds <= 3600))
                throw new IllegalArgumentException("--seconds takes 0.1 to 3600, not " + seconds);
            OutputFiles.require(json, "report");
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        long millis = Math.round(seconds * 1000);
        List<String> foreign =
                transports.stream().filter(RawTransports::isForeign).toList();
        NetOptions options =
                new NetOptions(transports, underWay, rounds, millis, millis, PeerLibraries.classPathWith(foreign));
        List<NetResult> results = new NetBench(options, new LiveLine(out)).run();
        NetBench.print(results, out::println);
        if (json != null) NetBench.writeJson(results, json);
        return 0;
    }
}
