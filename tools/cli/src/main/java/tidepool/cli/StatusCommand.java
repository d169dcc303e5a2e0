package tidepool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.fabric.FabricUrl;
import tidepool.tcp.ClientCredentials;
import tidepool.tcp.probe.NodeProbe;
import tidepool.tcp.probe.NodeSample;
import tidepool.wire.HostPort;
import tidepool.wire.tls.CredentialsException;

/** {@code tidepool status}: asks nodes for their status twice, because rates need two samples. */
@Command(
        name = "status",
        description = {
            "Show what memory nodes are doing.",
            "Nodes, pools, memory, clients, throughput and the last errors. Exit code 1 if a node does not"
                    + " answer, or may hold less than it has acknowledged."
        })
final class StatusCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "NODES",
            description = "HOST:PORT,…, or the URL of a pool, tcp://HOST:PORT,…/POOL; with credentials after a question"
                    + " mark as in a URL: '127.0.0.1:7400?user=NAME&tokenFile=FILE'.")
    String nodes;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            description = "Time between two samples, for the rates; default ${DEFAULT-VALUE}.")
    String interval = "1s";

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Time limit for the answer of a node; default ${DEFAULT-VALUE}.")
    String timeout = "5s";

    @Option(names = "--watch", description = "Repeat until ^C.")
    boolean watch;

    @Option(names = "--json", description = "Print JSON instead of tables.")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<HostPort> addresses;
        NodeProbe.Asker asker;
        Duration pause;
        Duration patience;
        try {
            FabricUrl url = NodeList.url(nodes);
            asker = NodeProbe.Asker.of(ClientCredentials.of(url));
            addresses = NodeList.of(url);
            pause = FabricUrl.parseDuration("--interval", interval);
            patience = FabricUrl.parseDuration("--timeout", timeout);
        } catch (CredentialsException e) {
            throw new UserError(e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        List<NodeSample> earlier = NodeSample.of(addresses, asker, patience);
        while (true) {
            // If no node answers, there are no rates to compute.
            if (watch || earlier.stream().anyMatch(NodeSample::isThere)) TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            List<NodeSample> samples = NodeSample.of(addresses, asker, patience);
            print(samples, earlier);
            if (!watch) return samples.stream().allMatch(one -> one.isThere() && !StatusTable.isDoubted(one)) ? 0 : 1;
            earlier = samples;
        }
    }

    private void print(List<NodeSample> samples, List<NodeSample> earlier) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(StatusJson.text(samples, earlier));
        } else {
            if (watch) out.println("-- " + LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS));
            new StatusTable(samples, earlier).print(out::println);
            if (watch) out.println();
        }
        out.flush();
    }
}
