package tidepool.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import tidepool.fabric.FabricException;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalOptions;
import tidepool.node.metrics.MetricsEndpoint;
import tidepool.node.metrics.NodeHealth;
import tidepool.node.metrics.NodeMetrics;
import tidepool.node.security.NodeSecurity;
import tidepool.wire.AuthMethod;
import tidepool.wire.NodeStatus;
import tidepool.wire.Transports;
import tidepool.wire.tls.CredentialsException;

/** Starts a node by its settings. Throws a {@link UserError} if that is not possible. */
final class NodeStart {
    /** A smaller memory would not even hold the tables of a few pools. */
    private static final long MIN_MEMORY = 8 << 20;

    private final NodeSettings settings;
    private final InetSocketAddress listen;
    private final NodeSecurity security;

    NodeStart(NodeSettings settings) {
        this.settings = settings;
        this.listen = settings.address(NodeSetting.LISTEN);
        this.security = security();
        refuseOpenDoors();
        requireMemory(settings.size(NodeSetting.MEMORY));
        requireFolder(settings.path(NodeSetting.DIR));
        if (settings.durability() != Durability.NONE && !settings.has(NodeSetting.DIR))
            throw new UserError("--durability " + settings.text(NodeSetting.DURABILITY)
                    + " needs a folder for the journal: give --dir FOLDER");
        if (!listen.getAddress().isLoopbackAddress() && security.transports() == Transports.PLAIN)
            System.getLogger("tidepool.node")
                    .log(
                            System.Logger.Level.WARNING,
                            "what clients read and write travels in the clear: --tls-cert and --tls-key turn TLS on");
    }

    /** @param identity the node's identity in a roster; null if it is in none */
    MemoryServer server(String identity) {
        NodeOptions options = new NodeOptions(
                settings.name(),
                listen,
                settings.size(NodeSetting.MEMORY),
                settings.path(NodeSetting.DIR),
                settings.isOn(NodeSetting.HANDLERS),
                settings.time(NodeSetting.LEASE),
                settings.time(NodeSetting.GRACE),
                settings.limits(),
                security.authenticator(),
                security.transports(),
                JournalOptions.of(settings.durability()),
                identity);
        try {
            return MemoryServer.start(options, NodeEnd::failed);
        } catch (FabricException e) {
            throw cannotListen("--listen", settings.text(NodeSetting.LISTEN), e.getCause(), e.getMessage());
        }
    }

    /**
     * Starts the metrics endpoint, or returns null if none was asked for. A node whose endpoint cannot start does not
     * start.
     */
    MetricsEndpoint metrics(MemoryServer server, NodeHealth health) {
        InetSocketAddress address = settings.address(NodeSetting.METRICS);
        if (address == null) return null;
        try {
            return new MetricsEndpoint(address, () -> NodeMetrics.page(health.ask()), health::reason);
        } catch (IOException e) {
            server.close();
            throw cannotListen("--metrics", settings.text(NodeSetting.METRICS), e, e.getMessage());
        }
    }

    /** Returns the text that is printed when the node is up. */
    String ready(MemoryServer server, MetricsEndpoint metrics) {
        Path folder = settings.path(NodeSetting.DIR);
        return "node " + settings.name() + " listens on " + text(server.address()) + ", memory "
                + Quantities.bytes(settings.size(NodeSetting.MEMORY)) + (folder == null ? "" : " in " + folder) + ", "
                + durability(server)
                + door()
                + (metrics == null ? "" : ", metrics on http://" + text(metrics.address()) + "/metrics");
    }

    private String durability(MemoryServer server) {
        return switch (settings.durability()) {
            case NONE -> "";
            case FLUSH -> "a FLUSH outlasts the node, ";
            case STRICT ->
                server.status().count(NodeStatus.LINES).isPresent()
                        ? "a FLUSH outlasts the power, by lines of persistent memory, "
                        : "a FLUSH outlasts the power, ";
        };
    }

    private String door() {
        String over = security.transports() == Transports.PLAIN ? "plain TCP" : "TLS";
        return switch (security.authenticator().method()) {
            case AuthMethod.TOKEN -> "tokens over " + over;
            case AuthMethod.CERTIFICATE -> "certificates over " + over;
            default -> "open to every process of this machine";
        };
    }

    private NodeSecurity security() {
        try {
            return NodeSecurity.of(
                    settings.path(NodeSetting.CREDENTIALS),
                    settings.path(NodeSetting.TLS_CERT),
                    settings.path(NodeSetting.TLS_KEY),
                    settings.path(NodeSetting.TLS_CA));
        } catch (CredentialsException e) {
            throw new UserError(e.getMessage());
        }
    }

    /**
     * Refuses to listen beyond loopback without credentials, or to serve metrics there without the flag for it. The
     * node itself would refuse as well, but this message names the flags that help.
     */
    private void refuseOpenDoors() {
        if (!listen.getAddress().isLoopbackAddress() && security.authenticator().method() == AuthMethod.NONE)
            throw new UserError("refusing to listen on " + settings.text(NodeSetting.LISTEN)
                    + ", where everybody on the network could read and write: give --credentials FILE, or listen on"
                    + " 127.0.0.1");
        InetSocketAddress metrics = settings.address(NodeSetting.METRICS);
        if (metrics != null
                && !metrics.getAddress().isLoopbackAddress()
                && !settings.isOn(NodeSetting.METRICS_ANYWHERE))
            throw new UserError("refusing to tell metrics on " + settings.text(NodeSetting.METRICS)
                    + ", where everybody on the network could read them: give --metrics-anywhere, or 127.0.0.1");
    }

    private void requireMemory(long bytes) {
        if (bytes < MIN_MEMORY)
            throw new UserError("--memory is at least " + Quantities.bytes(MIN_MEMORY) + ", not "
                    + settings.text(NodeSetting.MEMORY));
        if (settings.has(NodeSetting.DIR) && settings.durability() == Durability.NONE) return;
        long machine =
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                        ? os.getTotalMemorySize()
                        : Long.MAX_VALUE;
        if (bytes > machine)
            throw new UserError("--memory " + settings.text(NodeSetting.MEMORY) + " is more than this machine has, "
                    + Quantities.bytes(machine) + "; give less, or keep regions as files by --dir");
    }

    private static void requireFolder(Path folder) {
        if (folder == null) return;
        try {
            Files.createDirectories(folder);
            Files.delete(Files.createTempFile(folder, "tidepool-", ".try"));
        } catch (AccessDeniedException e) {
            throw new UserError("--dir: permission denied: " + e.getFile());
        } catch (IOException e) {
            throw new UserError("--dir: cannot write to " + folder + ": " + e.getMessage());
        }
    }

    private static UserError cannotListen(String flag, String where, Throwable cause, String otherwise) {
        if (!(cause instanceof BindException)) return new UserError(otherwise);
        boolean taken = cause.getMessage().contains("in use");
        return new UserError(flag + ": cannot listen on " + where + ": "
                + (taken ? "another process listens there" : cause.getMessage()));
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
