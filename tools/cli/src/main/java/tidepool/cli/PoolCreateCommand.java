package tidepool.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocols;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.zookeeper.RosterCreation;
import tidepool.zookeeper.ZkUrl;

/** {@code tidepool pool create}: creates a pool in ZooKeeper from registered nodes. */
@Command(
        name = "create",
        description = {
            "Make a pool of nodes that have registered in ZooKeeper.",
            "Waits for them. Other parameters of a new pool (memory=, partitions=, flush=, …) may stand in the"
                    + " URL; later URLs of the pool need not repeat them."
        })
final class PoolCreateCommand implements Callable<Integer> {
    @Mixin
    PoolPlace pool;

    @Option(
            names = "--nodes",
            paramLabel = "NAME",
            split = ",",
            description = {
                "The nodes, in this order, by name, identity or address.",
                "Default: all that are registered as soon as there are enough for all copies."
            })
    List<String> nodes = List.of();

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "Wait until N nodes have registered, and take the first N by their names.")
    Integer count;

    @Option(names = "--replicas", paramLabel = "N", description = "Copies of everything; default 2.")
    Integer replicas;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description = "How long to wait for the nodes; default ${DEFAULT-VALUE}.")
    String patience = "30s";

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        FabricUrl url = pool.url();
        if (count != null && !nodes.isEmpty())
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--nodes says which nodes, --count how many: take one of them");
        if (replicas != null) url = with(url, "replicas", replicas);
        if (count != null) url = with(url, "nodes", count);
        ZkUrl place = pool.place(url);
        Duration wait;
        try {
            wait = FabricUrl.parseDuration("--wait", patience);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Roster roster;
        try {
            Protocols.of(url); // refuses switches that the protocol does not have
            roster = RosterCreation.create(place, nodes, wait, this::tell);
            // The first opening lays out the pool.
            tidepool.Tidepool.open(url.text()).close();
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        } catch (FabricException | StoreException e) {
            throw new UserError(e.getMessage());
        }
        PrintWriter out = spec.commandLine().getOut();
        int copies = roster.partitions().getFirst().whole().size();
        out.println("pool " + place.pool() + ": " + roster.members().size() + " nodes, "
                + roster.partitions().size() + " partitions, " + copies + (copies == 1 ? " copy" : " copies")
                + " of each");
        out.flush();
        return 0;
    }

    private static FabricUrl with(FabricUrl url, String name, int value) {
        String text = url.without(List.of(name)).text();
        return FabricUrl.parse(text + (text.indexOf('?') < 0 ? "?" : "&") + name + "=" + value);
    }

    private void tell(String what) {
        spec.commandLine().getErr().println(what);
        spec.commandLine().getErr().flush();
    }
}
