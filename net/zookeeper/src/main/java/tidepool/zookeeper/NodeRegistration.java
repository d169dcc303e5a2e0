package tidepool.zookeeper;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tidepool.fabric.FabricException;
import tidepool.store.Roster;
import tidepool.store.StoreException;

/**
 * The registration of a node in ZooKeeper. One thread reads the roster again and again. It registers the node anew if
 * ZooKeeper has lost its entry, and reports when the roster no longer contains the node.
 *
 * <p>If ZooKeeper cannot be reached, clients of the node are not affected: the process that removes a node revokes
 * their sessions.
 */
public final class NodeRegistration implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("tidepool.cluster");
    private static final long MAX_PAUSE_MILLIS = 1000;

    /** Time between two updates of the journal's position in ZooKeeper. */
    private static final long REMEMBER_NANOS = 2_000_000_000L;

    private final NodeEntry entry;
    private final PoolPaths paths;
    private final ZooKeeperClient client;
    private final Duration lease;
    private final Consumer<String> removed;
    // ZooKeeper sessions that registered this node: all of them belong to this process
    private final Set<Long> sessions = new HashSet<>();
    private final Thread thread;
    private volatile Supplier<JournalHighWater.Remembered> journal; // null if the node has no journal
    private long rememberedNanos = System.nanoTime();
    private volatile Roster roster; // the last roster that was read; null if there is none yet
    private volatile boolean wasMember;
    private volatile long heardNanos = System.nanoTime();
    private volatile boolean silent;
    private volatile boolean closed;

    private NodeRegistration(NodeEntry entry, ZkUrl url, ZooKeeperClient client, Consumer<String> removed) {
        this.entry = entry;
        this.paths = new PoolPaths(url.pool());
        this.client = client;
        this.removed = removed;
        this.lease = client.session();
        this.thread =
                Thread.ofPlatform().name("tidepool-zk-" + entry.name()).daemon().unstarted(this::run);
    }

    /**
     * Registers the node. Throws an exception with a sentence if ZooKeeper does not answer or another process has this
     * identity.
     *
     * @param entry with the requested lease; ZooKeeper may grant a shorter or longer one
     * @param removed called once with a sentence, when the roster no longer contains the node after it did
     */
    public static NodeRegistration register(ZkUrl url, NodeEntry entry, Consumer<String> removed) {
        ZooKeeperClient client = new ZooKeeperClient(url, entry.lease());
        boolean done = false;
        try {
            NodeEntry agreed =
                    new NodeEntry(entry.identity(), entry.address(), entry.name(), client.session(), entry.memory(), 0);
            NodeRegistration registration = new NodeRegistration(agreed, url, client, removed);
            registration.readRoster();
            registration.awaitOlder();
            registration.ensure();
            registration.thread.start();
            done = true;
            return registration;
        } finally {
            if (!done) client.close();
        }
    }

    /** Writes the position of this node's journal to ZooKeeper every two seconds. */
    public void remember(Supplier<JournalHighWater.Remembered> newJournal) {
        journal = newJournal;
    }

    private void remember() {
        if (journal == null || System.nanoTime() - rememberedNanos < REMEMBER_NANOS) return;
        rememberedNanos = System.nanoTime();
        JournalHighWater.Remembered now = journal.get();
        if (now != null) JournalHighWater.remember(client, paths.life(entry.identity()), now);
    }

    /** Returns the last roster that this node has read; null if there is none yet. */
    public Roster roster() {
        return roster;
    }

    /** Returns how long ZooKeeper waits for the node before it removes the entry. */
    public Duration lease() {
        return lease;
    }

    /** Returns the time since ZooKeeper last answered. */
    public Duration age() {
        return Duration.ofNanos(System.nanoTime() - heardNanos);
    }

    private void run() {
        long pause = Math.min(MAX_PAUSE_MILLIS, Math.max(50, lease.toMillis() / 3));
        while (!closed) {
            try {
                Thread.sleep(pause);
                readRoster();
                ensure();
                remember();
                heard();
            } catch (InterruptedException e) {
                return;
            } catch (FabricException | StoreException e) {
                if (!silent && !closed) LOG.log(System.Logger.Level.WARNING, "{0}; the node goes on", e.getMessage());
                silent = true;
            }
        }
    }

    private void heard() {
        heardNanos = System.nanoTime();
        if (silent) LOG.log(System.Logger.Level.INFO, "ZooKeeper answers again");
        silent = false;
    }

    private void readRoster() {
        ZooKeeperClient.Found found = client.read(paths.roster());
        if (found == null) return;
        Roster read = Roster.parse(found.text());
        roster = read;
        boolean isMember = read.position(entry.identity()) >= 0;
        if (wasMember && !isMember && !closed) {
            closed = true;
            removed.accept(entry.identity() + " was removed from the pool " + paths.pool() + " in epoch " + read.epoch()
                    + ": what it holds is not needed any more");
        }
        wasMember |= isMember;
    }

    /**
     * Waits until an entry of an earlier process with this identity is gone, at most two leases. A killed process that
     * restarts with its data finds its former entry until that lease has expired.
     */
    private void awaitOlder() {
        long deadline = System.nanoTime() + 2 * lease.toNanos();
        while (client.read(paths.node(entry.identity())) != null && System.nanoTime() < deadline) {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /**
     * Creates the entry if it is missing. The entry disappears with the ZooKeeper session that made it. One of an older
     * session of this process is replaced.
     */
    private void ensure() {
        if (closed) return;
        long session = client.sessionId();
        String path = paths.node(entry.identity());
        ZooKeeperClient.Found found = client.read(path);
        if (found != null && found.stat().getEphemeralOwner() == session) return;
        if (found != null) {
            if (!sessions.contains(found.stat().getEphemeralOwner()))
                throw FabricException.unavailable(
                        entry.identity() + " is registered already, by another process: one life of a node runs once");
            client.delete(path);
        }
        sessions.add(session);
        client.create(path, entry.text(), true);
    }

    /** Removes the entry. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        client.close();
    }
}
