package tidepool.fabric.direct;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Orders;
import tidepool.fabric.Session;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeRegion;

/** What {@code mem:} and {@code shm:} share: nodes mapped into this process, verbs carried out by the caller. */
public abstract class DirectFabric extends Fabric {
    private final Map<Integer, DirectSession> sessions = new ConcurrentHashMap<>();
    private volatile boolean closed;

    protected DirectFabric() {}

    /** There is memory, and nobody in it: the calling thread does it. */
    @Override
    public boolean hasMemorySide() {
        return false;
    }

    @Override
    public final Orders orders() {
        return Orders.PROGRAM;
    }

    @Override
    public final synchronized Session attach() {
        return whileOpen(() -> {
            int number;
            do {
                number = nextSession();
            } while (!beforeAttach(number));
            enterTables(number);
            DirectSession session = new DirectSession(this, number);
            sessions.put(number, session);
            return session;
        });
    }

    @Override
    public final NodeControl control(int node) {
        if (closed) throw closedException();
        return new DirectControl(this, memoryNode(node));
    }

    /** What FLUSH does here. */
    public abstract Durability durability();

    /** The node, mapped into this process. */
    protected abstract MemoryNode memoryNode(int node);

    /**
     * Makes the death of the session's process visible to others, before the session is. False if this number cannot be
     * used; another one is tried then.
     */
    protected abstract boolean beforeAttach(int session);

    /** The session has left. */
    protected abstract void afterClose(int session);

    /** A node has dropped a revoked session. */
    protected void afterForget(int session) {}

    /** A control call has changed the node's own memory and, unless it is null, the region's. */
    protected void afterControl(MemoryNode node, NodeRegion region) {}

    /** Waits until nothing of a session that is marked revoked can be under way, where this fabric did not open it. */
    protected abstract void awaitForeignQuiet(int session, MemoryNode node);

    /** Waits until nothing of a session that this fabric opened can be under way; returns at once if it did not. */
    protected final void awaitLocalQuiet(int session) {
        DirectSession local = sessions.get(session);
        if (local != null) local.awaitQuiet();
    }

    final DirectSession localSession(int number) {
        return sessions.get(number);
    }

    final void closed(DirectSession session) {
        sessions.remove(session.number());
        afterClose(session.number());
    }

    /**
     * Makes a call on mapped memory. Memory that was let go of, before or meanwhile, answers with an
     * {@link IllegalStateException}, which is no fault of the caller's: the pool is closed.
     */
    protected final <T> T whileOpen(Supplier<T> call) {
        if (closed) throw closedException();
        try {
            return call.get();
        } catch (IllegalStateException e) {
            if (closed) throw closedException();
            throw e;
        }
    }

    @Override
    public final void close() {
        synchronized (this) {
            if (closed) return;
            closed = true;
        }
        for (DirectSession session : sessions.values()) session.close();
        release();
    }

    /** Lets go of the memory; called once, when all sessions are closed. */
    protected abstract void release();

    /** A number that nobody had before. */
    protected final int nextSession() {
        try {
            return memoryNode(0).nextSession();
        } catch (MemoryNodeException e) {
            throw FabricException.unavailable(e.getMessage() + ": " + name(), e);
        }
    }

    /**
     * A session enters the tables of all nodes at once, also of those it connects to later or never: a revocation must
     * find it there, or a link made afterwards would escape it.
     */
    private void enterTables(int number) {
        try {
            long pid = ProcessHandle.current().pid();
            for (int i = 0; i < nodes(); i++)
                memoryNode(i).sessions().attach(number, pid, memoryNode(i).epoch());
        } catch (MemoryNodeException e) {
            leaveTables(number);
            afterClose(number);
            throw FabricException.unavailable(e.getMessage() + ": " + name(), e);
        }
    }

    /** Node 0 last: recoverers go by its list, should this process die between two of them. */
    final void leaveTables(int number) {
        for (int i = nodes() - 1; i >= 0; i--) memoryNode(i).sessions().detach(number);
    }

    final FabricException closedException() {
        return new FabricException(FabricException.Reason.CLOSED, Effect.NOT_DONE, "the pool is closed: " + name());
    }
}
