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
import tidepool.backup.BackupSummary;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.node.security.NodeSecurity;
import tidepool.protocol.Protocols;
import tidepool.protocol.Reconfiguration;
import tidepool.spi.BackupImage;
import tidepool.spi.BackupMember;
import tidepool.spi.Steward;
import tidepool.spi.StewardListener;
import tidepool.store.Placement;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.wire.HostPort;
import tidepool.wire.tls.CredentialsException;
import tidepool.zookeeper.NodeEntry;
import tidepool.zookeeper.NodeRegistration;
import tidepool.zookeeper.ZkUrl;
import tidepool.zookeeper.ZooKeeperMembership;

/** {@code tidepool pool backup}: writes a backup of a pool while transactions run. */
@Command(
        name = "backup",
        description = {
            "Write a backup of a pool into a file, while transactions run.",
            "This process joins the pool as one more memory node, gets a copy of everything, and is taken out at one"
                    + " moment: the pool stands still for that moment, however much it holds.",
            "It needs as much memory as one copy of the pool, and all clients of the pool must be able to reach"
                    + " it: where nodes"
                    + " have credentials and TLS it needs the same, by the flags that they have."
        })
final class PoolBackupCommand implements Callable<Integer> {
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final long SAY_NANOS = 1_000_000_000L;

    @Parameters(index = "0", paramLabel = "URL", description = "zk://HOST:PORT,…/POOL.")
    String url;

    @Parameters(index = "1", paramLabel = "FILE", description = "Where the backup goes; must not exist.")
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

    @Option(
            names = "--address",
            paramLabel = "HOST:PORT",
            description = "Where clients reach it if that is not where it listens.")
    String address;

    @Option(names = "--credentials", paramLabel = "FILE", description = "Who may come in, as for the nodes.")
    Path credentials;

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "Its certificate chain (PEM), as for a node.")
    Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "The private key of the certificate (PEM, PKCS #8).")
    Path key;

    @Option(names = "--tls-ca", paramLabel = "FILE", description = "Certificate authority of the clients (PEM).")
    Path clientCa;

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
        NodeSecurity security = security();
        NodeOptions node = NodeOptions.onLoopback("backup", 0, FabricUrl.parseSize("--memory", memory))
                .withListen(listen())
                .withSecurity(security.authenticator(), security.transports())
                .withIdentity(identity);
        try (MemoryServer server = MemoryServer.start(node)) {
            NodeEntry entry = new NodeEntry(identity, at(server), "backup", LEASE, node.memoryBytes(), 0);
            server.advertise(entry.address());
            requireReachable(membership, entry.member());
            try (NodeRegistration _ = NodeRegistration.register(place(), entry, sentence -> {})) {
                return backup(membership, options, whole, entry.member());
            }
        }
    }

    private String at(MemoryServer server) {
        if (address != null) return HostPort.parse("--address", address).toString();
        return new HostPort(
                        server.address().getAddress().getHostAddress(),
                        server.address().getPort())
                .toString();
    }

    private NodeSecurity security() {
        try {
            return NodeSecurity.of(credentials, certificate, key, clientCa);
        } catch (CredentialsException e) {
            throw new UserError(e.getMessage());
        }
    }

    /**
     * Checks, before any change, that this process can be reached as a member. A member that this process cannot reach
     * as a client, no other client can reach.
     */
    private static void requireReachable(ZooKeeperMembership membership, Roster.Member self) {
        if (!membership.answers(self))
            throw new UserError("clients of the pool could not use this process at " + self.address()
                    + " as they use its nodes, so nothing was begun: give --credentials, --tls-cert, --tls-key and"
                    + " --tls-ca as the nodes have them, and --address if clients reach it elsewhere");
    }

    private int backup(ZooKeeperMembership membership, PoolOptions options, FabricUrl whole, Roster.Member self)
            throws IOException {
        Steward steward = new Steward(membership, options, Protocols.of(whole));
        steward.setListener(new StewardListener() {
            @Override
            public void changed(Roster roster, Reconfiguration.Report report) {
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
        int sessions = new BackupMember(membership, steward, self).splitOff();
        Roster now = membership.latest();
        Roster alone = new Roster(
                now.epoch(),
                true,
                List.of(self),
                Placement.spread(1, now.partitions().size(), 1));
        try (Fabric fabric = membership.open(alone)) {
            BackupSummary summary = BackupImage.write(fabric, sessions, file);
            say("wrote " + file + ": " + summary.tables() + " tables, "
                    + Quantities.bytes(summary.bytes()) + ", epoch "
                    + summary.epoch());
        }
        return 0;
    }

    private InetSocketAddress listen() throws IOException {
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
