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
import tidepool.fabric.direct.Durability;
import tidepool.memory.Handlers;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.memory.SessionLiveness;

/**
 * {@code shm:PATH?nodes=3&durability=none&handlers=on&mode=auto&revokeWaitMillis=2000}: a pool that processes of one
 * machine share through mapped files. No server: verbs are loads, stores and swaps by the caller.
 *
 * <p><b>Revocation.</b> A dead process has nothing under way, see {@link SessionLocks}. A living one cannot be fenced
 * from outside: it may have been stopped between the check and the store. So revoking waits for it to die or leave, and
 * then says whom to look at. The session stays marked, and its next verb is refused.
 *
 * <p>The arena holds all mappings and closes with the fabric, after every lane is quiet.
 */
public final class ShmFabric extends DirectFabric {
    private static final long FIRST_PAUSE_NANOS = 100_000;
    private static final long MOST_PAUSE_NANOS = 5_000_000;

    private final PoolDirectory pool;
    private final int revokeWaitMillis;
    private final Arena arena = Arena.ofShared();
    private final SessionLocks locks;
    private final MemoryNode[] nodes;
    private volatile boolean discarded;

    /** In whose name this fabric takes control locks; others take them over when this process has died. */
    private final int controlSession;

    /** Opens the pool in this directory, or creates it. */
    public static ShmFabric open(Path path, ShmOptions options) {
        return open(path, options, new Handlers());
    }

    /** The same, with handlers of one's own; they are not used where the pool has its handlers off. */
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
                // For now without a name to control in: that takes a session number, so it changes the pool.
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

    /** Where the pool lies. */
    public Path path() {
        return pool.path();
    }

    /** The pool's random id; a copied or restored pool has it too, a new one never. */
    public Id128 id() {
        return pool.superblock().id();
    }

    @Override
    public int nodes() {
        return nodes.length;
    }

    @Override
    public Durability durability() {
        return pool.superblock().durability();
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

    /** A session that ended by itself is called dead too: nothing of it is under way, and nothing ever will be. */
    @Override
    public boolean isDead(int session) {
        return whileOpen(() -> session > 0 && session < given() && locks.isDead(session));
    }

    @Override
    protected boolean beforeAttach(int session) {
        // Should power fail, this number must not be given out again.
        if (durability() != Durability.NONE) nodes[0].meta().force();
        return locks.take(session, this);
    }

    @Override
    protected void afterClose(int session) {
        locks.release(session);
    }

    @Override
    protected void afterForget(int session) {
        // The dead process had a session to control in as well, which stands in no table.
        if (!isKnown(session)) sweepLocks();
    }

    /** A process that died while it opened the pool had a lock file, and no session to recover. */
    @Override
    public void tidy() {
        whileOpen(() -> {
            sweepLocks();
            return null;
        });
    }

    /** Removes the lock files of dead sessions that no node remembers. */
    private void sweepLocks() {
        for (int session : locks.all()) if (!isKnown(session)) locks.sweep(session);
    }

    @Override
    protected void afterControl(MemoryNode node, NodeRegion region) {
        if (durability() == Durability.NONE) return;
        // The region first: an entry that says it lives must not survive it.
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
        for (long pause = FIRST_PAUSE_NANOS; !locks.isDead(session); pause = Math.min(2 * pause, MOST_PAUSE_NANOS)) {
            if (clock.nowNanos() >= deadlineNanos)
                throw new FabricException(
                        Reason.TIMED_OUT,
                        Effect.UNKNOWN,
                        "the session is marked revoked, but its process lives and may still finish a verb (is it stopped?)"
                                + ": session=" + session + " pid="
                                + node.sessions().pid(session) + " node=" + node.number()
                                + " waitedMillis=" + revokeWaitMillis + " pool=" + pool.path());
            Waiting.pause(pause);
        }
    }

    /** Session numbers below this one were given out. */
    private long given() {
        return Words.acquire(nodes[0].meta(), NodeLayout.NEXT_SESSION);
    }

    private boolean isKnown(int session) {
        for (MemoryNode node : nodes) if (node.sessions().find(session) >= 0) return true;
        return false;
    }

    /** Memory first: whoever is still inside a control call fails now, before others may take its lock over. */
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
            PoolCreation.withdraw(pool, locks);
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
