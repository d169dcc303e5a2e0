package tidepool.fabric.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import tidepool.base.Clock;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.FabricProvider;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.direct.DirectFabric;
import tidepool.fabric.direct.FlushMode;
import tidepool.memory.Handlers;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.memory.SessionLiveness;

/**
 * The fabric {@code shm:PATH?nodes=3&durability=none&handlers=on&mode=auto&revokeWaitMillis=2000}: a pool that
 * processes of one machine share through mapped files. There is no server: verbs are loads, stores and swaps by the
 * caller.
 *
 * <p><b>Revocation.</b> A dead process has no verb under way, see {@link SessionLocks}. A living one cannot be fenced
 * from outside: it may have been stopped between the check and the store. So a revocation waits until it dies or
 * leaves, and on time-out names the process. The session stays marked, and its next verb is refused.
 *
 * <p>The arena holds all mappings and closes with the fabric, after every lane is idle.
 */
public final class ShmFabric extends DirectFabric {
    private static final long FIRST_PAUSE_NANOS = 100_000;
    private static final long MAX_PAUSE_NANOS = 5_000_000;

    private final PoolDirectory pool;
    private final int revokeWaitMillis;
    private final Arena arena = Arena.ofShared();
    private final SessionLocks locks;
    private final MemoryNode[] nodes;
    private volatile boolean discarded;

    /**
     * The session that holds the control locks of this fabric. Other processes take them over when this process has
     * died.
     */
    private final int controlSession;

    /** Opens the pool in this directory, or creates it. */
    public static ShmFabric open(Path path, ShmOptions options) {
        return open(path, options, new Handlers());
    }

    /** Opens or creates the pool with the given handlers. They are not used if the pool has its handlers off. */
    public static ShmFabric open(Path path, ShmOptions options, Handlers handlers) {
        return new ShmFabric(PoolDirectory.open(path, options), options, handlers);
    }

    private ShmFabric(PoolDirectory pool, ShmOptions options, Handlers handlers) {
        if (pool.superblock().isServed())
            throw FabricException.unavailable(
                    "this is one node of a pool, for tidepool node --dir; it cannot be shared by files: "
                            + pool.path());
        this.pool = pool;
        this.revokeWaitMillis = options.revokeWaitMillis();
        this.locks = new SessionLocks(pool);
        this.nodes = new MemoryNode[pool.superblock().nodes()];
        int control = 0;
        boolean opened = false;
        try {
            MappedStore[] stores = new MappedStore[nodes.length];
            Handlers served = pool.superblock().handlers() ? handlers : Handlers.off();
            for (int i = 0; i < nodes.length; i++) {
                stores[i] = new MappedStore(pool, i, arena, null);
                stores[i].verify();
                // For now without a control session: it takes a session number, which would change the pool.
                nodes[i] = new MemoryNode(i, stores[i], Ids.secure(), SessionLiveness.NEVER_DEAD, 1, served);
            }
            // ---- the pool is sound; from here on it changes ----
            control = takeControlSession();
            for (int i = 0; i < nodes.length; i++) {
                nodes[i] = new MemoryNode(i, stores[i], Ids.secure(), this::isDead, control, served);
                stores[i].sweep();
            }
            sweepLocks();
            opened = true;
        } catch (MemoryNodeException e) {
            throw FabricException.unavailable(e.getMessage() + ": " + pool.path(), e);
        } finally {
            if (!opened) {
                arena.close();
                locks.close();
                locks.release(control);
                if (pool.isNew()) withdraw();
            }
        }
        this.controlSession = control;
    }

    private int takeControlSession() {
        int number;
        do {
            number = nextSession();
        } while (!beforeAttach(number));
        return number;
    }

    @Override
    public String name() {
        return "shm";
    }

    /** Returns the directory of the pool. */
    public Path path() {
        return pool.path();
    }

    /** Returns the pool's random id. A copied or restored pool has the id of its original; a new pool has a new one. */
    public Id128 id() {
        return pool.superblock().id();
    }

    @Override
    public int nodes() {
        return nodes.length;
    }

    @Override
    public FlushMode flushMode() {
        return pool.superblock().flushMode();
    }

    @Override
    protected MemoryNode memoryNode(int node) {
        return nodes[node];
    }

    int controlSession() {
        return controlSession;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    /** Returns true also for a session that ended by itself: none of its verbs is under way, and none ever will be. */
    @Override
    public boolean isDead(int session) {
        return whileOpen(() -> session > 0 && session < given() && locks.isDead(session));
    }

    @Override
    protected boolean beforeAttach(int session) {
        // After a power failure this number must not be given out again.
        if (flushMode() != FlushMode.NONE) nodes[0].meta().force();
        return locks.take(session, this);
    }

    @Override
    protected void afterClose(int session) {
        locks.release(session);
    }

    @Override
    public boolean revokesLiving() {
        return false;
    }

    /**
     * Marks a session of this process dead for others, once it is revoked at all nodes: none of its verbs can be under
     * way any more, although the process lives.
     */
    @Override
    protected void afterLocalRevoke(int session) {
        for (MemoryNode node : nodes) if (!node.sessions().isOver(session)) return;
        locks.release(session);
    }

    @Override
    protected void afterForget(int session) {
        // The dead process also had a control session, which is in no table.
        if (!isKnown(session)) sweepLocks();
    }

    /** Removes the lock file of a process that died while it opened the pool: it has no session to recover. */
    @Override
    public void tidy() {
        whileOpen(() -> {
            sweepLocks();
            return null;
        });
    }

    /** Removes the lock files of dead sessions that are in no node's table. */
    private void sweepLocks() {
        for (int session : locks.all()) if (!isKnown(session)) locks.sweep(session);
    }

    @Override
    protected void afterControl(MemoryNode node, NodeRegion region) {
        if (flushMode() == FlushMode.NONE) return;
        // The region first: otherwise a live entry could survive a power failure without its region.
        if (region != null) region.whole().force();
        node.meta().force();
    }

    @Override
    protected void awaitForeignQuiet(int session, MemoryNode node) {
        ShmFabric owner = locks.ownerHere(session);
        if (owner != null) owner.awaitLocalQuiet(session);
        else awaitDeath(session, node);
    }

    private void awaitDeath(int session, MemoryNode node) {
        Clock clock = Clock.system();
        long deadlineNanos = clock.nowNanos() + revokeWaitMillis * 1_000_000L;
        for (long pause = FIRST_PAUSE_NANOS; !locks.isDead(session); pause = Math.min(2 * pause, MAX_PAUSE_NANOS)) {
            if (clock.nowNanos() >= deadlineNanos)
                throw new FabricException(
                        Reason.TIMED_OUT,
                        Effect.UNKNOWN,
                        "the session is marked revoked, but its process lives and may still finish a verb (is"
                                + " it stopped?)"
                                + ": session=" + session + " pid="
                                + node.sessions().pid(session) + " node=" + node.number()
                                + " waitedMillis=" + revokeWaitMillis + " pool=" + pool.path());
            Waiting.pause(pause);
        }
    }

    /** Returns the next session number; all lower ones were given out. */
    private long given() {
        return Words.acquire(nodes[0].meta(), NodeLayout.NEXT_SESSION);
    }

    private boolean isKnown(int session) {
        for (MemoryNode node : nodes) if (node.sessions().find(session) >= 0) return true;
        return false;
    }

    /**
     * Closes the memory first. So a thread inside a control call fails now, before other processes may take its lock
     * over.
     */
    @Override
    protected void release() {
        arena.close();
        locks.close();
        locks.release(controlSession);
        if (discarded) withdraw();
    }

    @Override
    public void discard() {
        discarded = true;
    }

    /** Removes the pool if no living process has it open. */
    private void withdraw() {
        try {
            ShmPoolCreation.withdraw(pool, locks);
        } catch (IOException | FabricException e) {
            System.getLogger(ShmFabric.class.getName())
                    .log(System.Logger.Level.WARNING, "a pool that holds nothing stays: " + pool.path(), e);
        }
    }

    /** Opens {@code shm:PATH}. */
    public static final class Provider implements FabricProvider {
        public Provider() {}

        @Override
        public String scheme() {
            return "shm";
        }

        @Override
        public ShmFabric open(FabricUrl url) {
            if (url.target().isEmpty())
                throw new IllegalArgumentException(
                        "shm: needs the path of a directory, such as shm:/dev/shm/bank: " + url.text());
            ShmOptions options = ShmOptions.of(url);
            try {
                return ShmFabric.open(Path.of(url.target()), options);
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("not a path (" + e.getReason() + "): " + url.text(), e);
            }
        }
    }
}
