package tidepool.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import tidepool.fabric.FabricException;
import tidepool.node.MemoryServer;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalException;
import tidepool.node.journal.JournalVerdict;
import tidepool.node.journal.SystemDisk;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.wire.HostPort;
import tidepool.wire.NodeStatus;
import tidepool.zookeeper.JournalHighWater;
import tidepool.zookeeper.NodeEntry;
import tidepool.zookeeper.NodeRegistration;
import tidepool.zookeeper.RosterReader;
import tidepool.zookeeper.ZkUrl;

/**
 * A node that is a member of a pool in ZooKeeper, or may become one. It decides which life of the node this process is,
 * and registers the node. A life ends when the contents of the node are lost. If they are kept in a journal, the next
 * process continues the life.
 */
final class NodeInPool implements AutoCloseable {
    private final NodeSettings settings;
    private final ZkUrl url;
    private final NodeHome home; // null if no folder is given
    private final String identity;
    private NodeRegistration registration;

    /** Throws a {@link UserError} if the node cannot join the pool. */
    NodeInPool(NodeSettings settings) {
        LibraryLogs.quiet();
        this.settings = settings;
        this.url = settings.zookeeper();
        Path folder = settings.path(NodeSetting.DIR);
        this.home = folder == null ? null : new NodeHome(folder);
        if (folder != null && settings.durability() == Durability.NONE)
            throw new UserError(
                    "--zk with --dir needs --durability flush or strict: without a journal nobody could tell"
                            + " whether what comes back is what was there");
        String before = earlier();
        boolean kept = before != null && isStillWanted(before);
        this.identity = kept ? before : settings.name() + "#" + NodeHome.fresh();
        if (home != null && !kept) home.own(new NodeHome.Owner(url.pool(), identity));
    }

    String identity() {
        return identity;
    }

    /** Registers the node. Called when the node listens. */
    void register(MemoryServer server) {
        InetSocketAddress listens = server.address();
        HostPort advertised = settings.advertised();
        HostPort address = advertised != null
                ? advertised
                : new HostPort(listens.getAddress().getHostAddress(), listens.getPort());
        if (listens.getAddress().isAnyLocalAddress() && advertised == null)
            throw fail(
                    server, "a node that listens on all addresses has to say where the others reach it: --zk-address");
        requireSamePlace(server, address);
        server.advertise(address.toString());
        long life = server.status().count(NodeStatus.LIFE).orElse(0);
        try {
            if (life > 0) JournalHighWater.remember(url, identity, life);
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
            if (life > 0) registration.remember(() -> remembered(server));
        } catch (FabricException | StoreException e) {
            throw fail(server, "--zk: " + e.getMessage());
        }
    }

    private static JournalHighWater.Remembered remembered(MemoryServer server) {
        NodeStatus status = server.status();
        if (status == null) return null;
        return new JournalHighWater.Remembered(
                status.count(NodeStatus.LIFE).orElse(0),
                status.count(NodeStatus.BLOCK).orElse(0));
    }

    /** Refuses an address other than the one in the roster, at which clients look for the member. */
    private void requireSamePlace(MemoryServer server, HostPort address) {
        Roster roster = roster();
        int position = roster == null ? -1 : roster.position(identity);
        if (position < 0) return;
        String known = roster.members().get(position).address();
        if (!known.equals(address.toString()))
            throw fail(
                    server,
                    identity + " is a member at " + known + ", and nobody would find it at " + address
                            + ": start it there, or take it out by ./tidepool pool remove first");
    }

    private static UserError fail(MemoryServer server, String sentence) {
        Thread.ofPlatform().start(server::close); // the exit runs the hooks, which close the server as well
        return new UserError(sentence);
    }

    /**
     * Called when the pool has removed the node. The contents of the node are obsolete. The next start of the node
     * begins a new life.
     */
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

    /** Returns the life to which the contents of the folder belong, or null if the folder is empty. */
    private String earlier() {
        if (home == null) return null;
        NodeHome.Owner owner = home.owner();
        if (owner == null && home.hasJournal())
            throw new UserError("--dir: " + home.folder() + " holds the journal of a node that was in no pool of"
                    + " ZooKeeper: give another folder");
        if (owner == null || owner.pool().equals(url.pool())) return owner == null ? null : owner.identity();
        throw new UserError("--dir: " + home.folder() + " belongs to a node of the pool " + owner.pool());
    }

    /**
     * Returns whether the pool still relies on the contents of the folder. The folder of a removed member is put aside
     * if {@code --rejoin} allows it.
     */
    private boolean isStillWanted(String before) {
        Roster roster = roster();
        if (roster == null) return true;
        if (roster.position(before) >= 0) {
            requireNewest(roster, before);
            return true;
        }
        if (isEmpty()) return true; // it was a spare
        if (!settings.isOn(NodeSetting.REJOIN))
            throw new UserError(before + " was removed from the pool " + url.pool() + ", and " + home.folder()
                    + " holds what is old: start with --rejoin to put that aside and come as a new node");
        Path aside = home.putAside();
        asking(() -> JournalHighWater.forget(url, before));
        System.getLogger("tidepool.node")
                .log(
                        System.Logger.Level.INFO,
                        before + " was removed from the pool " + url.pool() + ": its folder is put aside as " + aside);
        return false;
    }

    /** Returns whether the folder holds nothing of the pool. */
    private boolean isEmpty() {
        try {
            JournalSummary found = home.hasJournal() ? JournalSummary.at(home.journal()) : null;
            return found == null || !found.holds(url.pool());
        } catch (JournalException e) {
            return false; // the contents cannot be determined
        }
    }

    /**
     * Refuses an outdated folder before any client can reach the node. Clients know this identity and would trust its
     * contents.
     */
    private void requireNewest(Roster roster, String before) {
        String repair = "; ./tidepool pool repair " + url + " " + home.folder() + " says what can be done";
        JournalSummary found;
        try {
            found = home.hasJournal() ? JournalSummary.at(home.journal()) : null;
        } catch (JournalException e) {
            throw new UserError(e.getMessage() + repair);
        }
        asking(() -> {
            String fault = FolderAge.fault(url, roster, before, found, settings.durability());
            if (fault != null) throw new UserError(fault + repair);
            if (FolderAge.isShort(url, before, found)) disbelieve(before);
            JournalHighWater.remember(url, before, found.life());
        });
    }

    /**
     * Marks the journal as untrusted, because ZooKeeper remembers a later block than its files hold. The node is then
     * filled from the other copies.
     */
    private void disbelieve(String before) {
        try {
            JournalVerdict.disbelieve(new SystemDisk(home.journal()));
        } catch (IOException e) {
            throw new UserError("cannot write to " + home.journal() + ": " + e.getMessage());
        }
        System.getLogger("tidepool.node")
                .log(
                        System.Logger.Level.WARNING,
                        "the journal in " + home.journal() + " ends before what ZooKeeper remembers that " + before
                                + " has acknowledged");
    }

    private Roster roster() {
        Roster[] read = new Roster[1];
        asking(() -> read[0] = RosterReader.read(url));
        return read[0];
    }

    private static void asking(Runnable work) {
        try {
            work.run();
        } catch (FabricException | StoreException e) {
            throw new UserError("--zk: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        if (registration != null) registration.close();
    }
}
