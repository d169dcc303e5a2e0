package tidepool.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.Steward;
import tidepool.StewardListener;
import tidepool.cluster.NodeEntry;
import tidepool.cluster.NodeRegistration;
import tidepool.cluster.ZkUrl;
import tidepool.cluster.ZooKeeperMembership;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.protocol.Change;
import tidepool.protocol.Protocols;
import tidepool.snapshot.Snapshot;
import tidepool.store.Placement;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;
import tidepool.store.StoreException;
import tidepool.tcp.node.MemoryServer;
import tidepool.tcp.node.NodeOptions;

/** {@code tidepool pool backup}: a snapshot of a pool while transactions run. */
@Command(
        name = "backup",
        description = {
            "Write a snapshot of a pool into a file, while transactions run.",
            "This process joins the pool as one more memory node, gets a copy of everything, and is taken out at one"
                    + " moment: the pool stands still for that moment, however much it holds.",
            "It needs as much memory as one copy of the pool, and the other nodes must be able to reach it."
        })
final class PoolBackupCommand implements Callable<Integer> {
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final long SAY_NANOS = 1_000_000_000L;

    @Parameters(index = "0", paramLabel = "URL", description = "zk://HOST:PORT,…/POOL.")
    String url;

    @Parameters(index = "1", paramLabel = "FILE", description = "Where the snapshot goes; must not exist.")
    Path file;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where clients of the pool reach this process meanwhile, default ${DEFAULT-VALUE}.")
    String listen = "127.0.0.1:0";

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "The most memory that the copy may take, default ${DEFAULT-VALUE}.")
    String memory = "8g";

    @Spec
    CommandSpec spec;

    private long nextWord;

    @Override
    public Integer call() throws IOException {
        if (Files.exists(file)) throw new UserError(file + " exists, and nothing is overwritten");
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) throw new UserError("there is no folder " + folder);
        try (ZooKeeperMembership membership = ZooKeeperMembership.open(place())) {
            FabricUrl whole = membership.complete(FabricUrl.parse(url));
            return backup(membership, PoolOptions.of(whole), whole);
        } catch (FabricException | StoreException e) {
            throw new UserError(e.getMessage());
        }
    }

    private ZkUrl place() {
        try {
            return ZkUrl.of(FabricUrl.parse(url).without(Protocols.parameters()));
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int backup(ZooKeeperMembership membership, PoolOptions options, FabricUrl whole) throws IOException {
        byte[] random = new byte[8];
        new SecureRandom().nextBytes(random);
        String identity = "backup#" + HexFormat.of().formatHex(random);
        NodeOptions node = NodeOptions.onLoopback("backup", 0, FabricUrl.parseSize("--memory", memory))
                .withListen(address())
                .withIdentity(identity);
        try (MemoryServer server = MemoryServer.start(node)) {
            String at = server.address().getAddress().getHostAddress() + ":"
                    + server.address().getPort();
            NodeEntry entry = new NodeEntry(identity, at, "backup", LEASE, node.memoryBytes(), 0);
            try (NodeRegistration registration = NodeRegistration.register(place(), entry, sentence -> {})) {
                return backup(membership, options, whole, entry.member(), registration);
            }
        }
    }

    private int backup(
            ZooKeeperMembership membership,
            PoolOptions options,
            FabricUrl whole,
            Roster.Member self,
            NodeRegistration registration)
            throws IOException {
        Steward steward = new Steward(membership, options, Protocols.of(whole));
        steward.listen(new StewardListener() {
            @Override
            public void changed(Roster roster, Change.Report report) {
                say("epoch " + roster.epoch() + ": the pool stood still for "
                        + (report.shutOutNanos() + report.resolveNanos() + report.openNanos()) / 1_000_000 + " ms");
            }

            @Override
            public void filling(Roster roster, int partition, long bytes, long of) {
                if (System.nanoTime() < nextWord) return;
                nextWord = System.nanoTime() + SAY_NANOS;
                say("partition " + partition + ": " + 100 * bytes / Math.max(1, of) + " % of " + Quantities.bytes(of));
            }
        });
        join(membership, steward, self);
        int sessions;
        try {
            sessions = steward.splitOff(self);
        } catch (RuntimeException e) {
            registration.close(); // whoever cares for the pool takes this process out
            throw e;
        }
        Roster now = membership.latest();
        Roster alone = new Roster(
                now.epoch(),
                true,
                List.of(self),
                Placement.spread(1, now.partitions().size(), 1));
        try (Fabric fabric = membership.open(alone)) {
            Snapshot.Summary summary = Snapshot.write(fabric, sessions, file);
            say("wrote " + file + ": " + summary.description().tables() + " tables, "
                    + Quantities.bytes(summary.bytes()) + ", epoch "
                    + summary.description().epoch());
        }
        return 0;
    }

    private static void join(ZooKeeperMembership membership, Steward steward, Roster.Member self) {
        while (true) {
            Roster roster = membership.read();
            if (roster.position(self.identity()) >= 0) return;
            if (roster.steady()) {
                Roster with = RosterPlan.with(roster, self);
                steward.change(roster, RosterPlan.copiedTo(with, with.position(self.identity())));
            } else if (!steward.tend()) Thread.onSpinWait();
        }
    }

    private InetSocketAddress address() throws IOException {
        int colon = listen.lastIndexOf(':');
        if (colon < 0 || !listen.substring(colon + 1).matches("[0-9]{1,5}"))
            throw new UserError("--listen takes HOST:PORT, not " + listen);
        return new InetSocketAddress(
                InetAddress.getByName(listen.substring(0, colon)), Integer.parseInt(listen.substring(colon + 1)));
    }

    private void say(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
