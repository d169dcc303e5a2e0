package tidepool.cluster;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tidepool.fabric.FabricException;
import tidepool.store.Roster;
import tidepool.store.StoreException;

/**
 * Says in ZooKeeper that a node is there, and learns what the roster says of it. One thread looks again and again: it
 * registers the node anew where ZooKeeper has forgotten it, and tells when the roster does without it.
 *
 * <p>That ZooKeeper cannot be reached changes nothing for those who use the node: whoever removes it shuts them out.
 */
public final class NodeRegistration implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("tidepool.cluster");
    private static final long MOST_PAUSE_MILLIS = 1000;

    /** How often ZooKeeper is told how far the journal is. */
    private static final long REMEMBER_NANOS = 2_000_000_000L;

    private final NodeEntry entry;
    private final PoolPaths paths;
    private final ZooKeeperClient client;
    private final Duration lease;
    private final Consumer<String> removed;
    private final Set<Long> sessions = new HashSet<>(); // that registered it: all of them ours
    private final Thread thread;
    private volatile Supplier<RememberedLives.Remembered> journal; // null if the node keeps none
    private long rememberedNanos = System.nanoTime();
    private volatile Roster roster; // the last one that was read; null if there is none yet
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
     * Registers the node. Fails with a sentence if ZooKeeper does not answer or somebody else has this identity.
     *
     * @param entry with the lease that is wanted; ZooKeeper may allow less or more
     * @param removed told once, by a sentence, when the roster has had the node and does not have it any more
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

    /** Has ZooKeeper told how far the journal of this node is, every two seconds. */
    public void remember(Supplier<RememberedLives.Remembered> newJournal) {
        journal = newJournal;
    }

    private void remember() {
        if (journal == null || System.nanoTime() - rememberedNanos < REMEMBER_NANOS) return;
        rememberedNanos = System.nanoTime();
        RememberedLives.Remembered now = journal.get();
        if (now != null) RememberedLives.remember(client, paths.life(entry.identity()), now);
    }

    /** The last roster that this node has read; null if there is none yet. */
    public Roster roster() {
        return roster;
    }

    /** How long ZooKeeper waits for the node before it counts as missing. */
    public Duration lease() {
        return lease;
    }

    /** Since ZooKeeper was last heard. */
    public Duration age() {
        return Duration.ofNanos(System.nanoTime() - heardNanos);
    }

    private void run() {
        long pause = Math.min(MOST_PAUSE_MILLIS, Math.max(50, lease.toMillis() / 3));
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

    /** A process that was killed and came back with what it held finds its entry of before, until that lease has run out. */
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

    /** The entry is gone with the session in which it was made; one of an older session of ours is made anew. */
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

    /** Takes the entry away. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        client.close();
    }
}
