package tidepool.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import tidepool.cluster.NodeEntry;
import tidepool.cluster.NodeRegistration;
import tidepool.cluster.RememberedLives;
import tidepool.cluster.RosterReader;
import tidepool.cluster.ZkUrl;
import tidepool.fabric.FabricException;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.tcp.journal.Durability;
import tidepool.tcp.journal.JournalException;
import tidepool.tcp.journal.JournalVerdict;
import tidepool.tcp.journal.SystemDisk;
import tidepool.tcp.node.MemoryServer;
import tidepool.tcp.node.NodeStatus;
import tidepool.tcp.ops.HostPort;

/**
 * A node that is, or may become, a member of a pool in ZooKeeper: which life of it this is, and that it is registered. A life
 * ends with what the node holds; where that is kept in a journal, the next process goes on with the same life.
 */
final class NodeInPool implements AutoCloseable {
    private final NodeSettings settings;
    private final ZkUrl url;
    private final NodeHome home; // null if nothing is kept
    private final String identity;
    private NodeRegistration registration;

    /** Says in a sentence why it cannot be. */
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

    /** When the node listens. */
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
            if (life > 0) RememberedLives.remember(url, identity, life);
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

    private static RememberedLives.Remembered remembered(MemoryServer server) {
        NodeStatus status = server.status();
        if (status == null) return null;
        return new RememberedLives.Remembered(
                status.count(NodeStatus.LIFE).orElse(0),
                status.count(NodeStatus.BLOCK).orElse(0));
    }

    /** Clients look for a member where the roster says that it is. */
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
        if (home == null) return null;
        NodeHome.Owner owner = home.owner();
        if (owner == null && home.hasJournal())
            throw new UserError("--dir: " + home.folder() + " holds the journal of a node that was in no pool of"
                    + " ZooKeeper: give another folder");
        if (owner == null || owner.pool().equals(url.pool())) return owner == null ? null : owner.identity();
        throw new UserError("--dir: " + home.folder() + " belongs to a node of the pool " + owner.pool());
    }

    /** Whether what the folder holds is what the pool counts on; what the pool has done without is put aside if it may be. */
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
        asking(() -> RememberedLives.forget(url, before));
        System.getLogger("tidepool.node")
                .log(
                        System.Logger.Level.INFO,
                        before + " was removed from the pool " + url.pool() + ": its folder is put aside as " + aside);
        return false;
    }

    /** Whether it holds nothing of the pool. */
    private boolean isEmpty() {
        try {
            JournalGlance found = home.hasJournal() ? JournalGlance.at(home.journal()) : null;
            return found == null || !found.holds(url.pool());
        } catch (JournalException e) {
            return false; // nobody can tell
        }
    }

    /** Before anybody can reach it: clients know this identity, and would believe it. */
    private void requireNewest(Roster roster, String before) {
        String repair = "; ./tidepool pool repair " + url + " " + home.folder() + " says what can be done";
        JournalGlance found;
        try {
            found = home.hasJournal() ? JournalGlance.at(home.journal()) : null;
        } catch (JournalException e) {
            throw new UserError(e.getMessage() + repair);
        }
        asking(() -> {
            String fault = FolderAge.fault(url, roster, before, found, settings.durability());
            if (fault != null) throw new UserError(fault + repair);
            if (FolderAge.isShort(url, before, found)) disbelieve(before);
            RememberedLives.remember(url, before, found.life());
        });
    }

    /** ZooKeeper knows better than the files of the journal: the node is filled from the other copies. */
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
