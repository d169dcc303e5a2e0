package tidepool.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import tidepool.cluster.NodeEntry;
import tidepool.cluster.NodeRegistration;
import tidepool.cluster.RosterReader;
import tidepool.cluster.ZkUrl;
import tidepool.fabric.FabricException;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.tcp.journal.Durability;
import tidepool.tcp.node.MemoryServer;
import tidepool.tcp.ops.HostPort;

/**
 * A node that is, or may become, a member of a pool in ZooKeeper: which life of it this is, and that it is registered. A life
 * ends with what the node holds; where that is kept in a journal, the next process goes on with the same life.
 */
final class NodeInPool implements AutoCloseable {
    private static final String FILE = "identity";

    private final NodeSettings settings;
    private final ZkUrl url;
    private final Path folder;
    private final String identity;
    private final boolean kept;
    private NodeRegistration registration;

    /** Says in a sentence why it cannot be. */
    NodeInPool(NodeSettings settings) {
        LibraryLogs.quiet();
        this.settings = settings;
        this.url = settings.zookeeper();
        this.folder = settings.path(NodeSetting.DIR);
        if (folder != null && settings.durability() == Durability.NONE)
            throw new UserError(
                    "--zk with --dir needs --durability flush or strict: without a journal nobody could tell"
                            + " whether what comes back is what was there");
        String before = earlier();
        this.kept = before != null && isStillWanted(before);
        this.identity = kept ? before : settings.name() + "#" + fresh();
        if (folder != null && !kept) remember();
    }

    String identity() {
        return identity;
    }

    /** When the node listens. */
    void register(MemoryServer server) {
        boolean holds =
                server.status().pools().stream().anyMatch(pool -> pool.name().equals(url.pool()));
        if (kept && !holds && isMember(identity))
            throw fail(
                    server,
                    identity + " is a member of the pool " + url.pool() + ", and its folder " + folder
                            + " does not hold it any more: start with --rejoin to come as a new node");
        InetSocketAddress listens = server.address();
        HostPort advertised = settings.advertised();
        HostPort address = advertised != null
                ? advertised
                : new HostPort(listens.getAddress().getHostAddress(), listens.getPort());
        if (listens.getAddress().isAnyLocalAddress() && advertised == null)
            throw fail(
                    server, "a node that listens on all addresses has to say where the others reach it: --zk-address");
        try {
            registration = NodeRegistration.register(
                    url,
                    new NodeEntry(
                            identity,
                            address.toString(),
                            settings.name(),
                            settings.time(NodeSetting.ZK_LEASE),
                            settings.size(NodeSetting.MEMORY),
                            0),
                    sentence -> removed(server, sentence));
        } catch (FabricException | StoreException e) {
            throw fail(server, "--zk: " + e.getMessage());
        }
    }

    private static UserError fail(MemoryServer server, String sentence) {
        Thread.ofPlatform().start(server::close); // the exit runs the hooks, which close it as well
        return new UserError(sentence);
    }

    /** What it holds is worth nothing any more. Whoever starts it again gets a new life of it. */
    private static void removed(MemoryServer server, String sentence) {
        System.getLogger("tidepool.node").log(System.Logger.Level.WARNING, sentence + "; the node ends");
        Thread.ofPlatform().start(server::close);
    }

    String ready() {
        return "registered as " + identity + " in " + url;
    }

    void tell(Map<String, Long> told) {
        NodeRegistration registered = registration;
        if (registered == null) return;
        told.put("zookeeper-silent-millis-now", registered.age().toMillis());
        Roster roster = registered.roster();
        if (roster == null) return;
        int me = roster.position(identity);
        told.put("roster-epoch-now", roster.epoch());
        told.put("roster-member-now", me < 0 ? 0L : 1L);
        told.put("roster-primaries-now", count(roster, copies -> copies.whole().indexOf(me) == 0));
        told.put("roster-backups-now", count(roster, copies -> copies.whole().indexOf(me) > 0));
        told.put("roster-filling-now", count(roster, copies -> copies.filling().contains(me)));
    }

    private static long count(Roster roster, java.util.function.Predicate<Roster.Copies> which) {
        return roster.partitions().stream().filter(which).count();
    }

    // ---- lives

    /** The life of which the folder holds something; null if there is none. */
    private String earlier() {
        if (folder == null || !Files.exists(folder.resolve(FILE))) return null;
        try {
            List<String> words =
                    List.of(Files.readString(folder.resolve(FILE)).strip().split(" ", -1));
            if (words.size() == 2 && words.getFirst().equals(url.pool())) return words.getLast();
            throw new UserError("--dir: " + folder + " belongs to a node of the pool " + words.getFirst());
        } catch (IOException e) {
            throw new UserError("--dir: cannot read " + folder.resolve(FILE) + ": " + e.getMessage());
        }
    }

    /** False if the pool has done without it, and that is what the operator wants to begin anew. */
    private boolean isStillWanted(String before) {
        Roster roster = roster();
        if (roster == null || roster.position(before) >= 0 && !settings.isOn(NodeSetting.REJOIN)) return true;
        if (!settings.isOn(NodeSetting.REJOIN))
            throw new UserError(before + " was removed from the pool " + url.pool() + ", and " + folder
                    + " holds what is old: start with --rejoin to put that aside and come as a new node");
        Path aside = folder.resolveSibling(folder.getFileName() + ".left-" + fresh());
        try {
            Files.move(folder, aside);
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UserError("--rejoin: cannot move " + folder + " to " + aside + ": " + e.getMessage());
        }
        return false;
    }

    private boolean isMember(String life) {
        Roster roster = roster();
        return roster != null && roster.position(life) >= 0;
    }

    private Roster roster() {
        try {
            return RosterReader.read(url);
        } catch (FabricException | StoreException e) {
            throw new UserError("--zk: " + e.getMessage());
        }
    }

    private void remember() {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(FILE), url.pool() + " " + identity + "\n");
        } catch (IOException e) {
            throw new UserError("--dir: cannot write " + folder.resolve(FILE) + ": " + e.getMessage());
        }
    }

    private static String fresh() {
        byte[] bytes = new byte[8];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public void close() {
        if (registration != null) registration.close();
    }
}
