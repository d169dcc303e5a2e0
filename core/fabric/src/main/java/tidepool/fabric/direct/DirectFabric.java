package tidepool.fabric.direct;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.NodeControl;
import tidepool.fabric.OrderTable;
import tidepool.fabric.Session;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeRegion;

/** The common part of {@code mem:} and {@code shm:}: nodes mapped into this process, verbs executed by the caller. */
public abstract class DirectFabric extends Fabric {
    private final Map<Integer, DirectSession> sessions = new ConcurrentHashMap<>();
    private volatile boolean closed;

    protected DirectFabric() {}

    /** Returns false: the memory has no processor of its own, so the calling thread executes chained work. */
    @Override
    public boolean hasMemorySide() {
        return false;
    }

    @Override
    public final OrderTable orders() {
        return OrderTable.PROGRAM;
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

    /** Returns the effect of FLUSH here. */
    public abstract FlushMode flushMode();

    /** Returns the node, mapped into this process. */
    protected abstract MemoryNode memoryNode(int node);

    /**
     * Makes the death of the session's process visible to others, before the session is. Returns false if this number
     * cannot be used; then another one is tried.
     */
    protected abstract boolean beforeAttach(int session);

    /** Called when the session has left. */
    protected abstract void afterClose(int session);

    /** Called when a session of this fabric is revoked at a node, and no verb of it can be under way there. */
    protected void afterLocalRevoke(int session) {}

    /** Called when a node has forgotten a revoked session. */
    protected void afterForget(int session) {}

    /** Called when a control call has changed the node's own memory and, unless it is null, the region's. */
    protected void afterControl(MemoryNode node, NodeRegion region) {}

    /**
     * Waits until no verb of a session that is marked revoked can be under way, if another fabric opened the session.
     */
    protected abstract void awaitForeignQuiet(int session, MemoryNode node);

    /**
     * Waits until no verb of a session that this fabric opened can be under way; returns at once for any other session.
     */
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
     * Makes a call on mapped memory. If the memory was unmapped, before or meanwhile, it throws an
     * {@link IllegalStateException}. That is no mistake of the caller: the pool is closed.
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

    /** Releases the memory; called once, when all sessions are closed. */
    protected abstract void release();

    /** Returns a session number that was never used before. */
    protected final int nextSession() {
        try {
            return memoryNode(0).nextSession();
        } catch (MemoryNodeException e) {
            throw FabricException.unavailable(e.getMessage() + ": " + name(), e);
        }
    }

    /**
     * Enters a session into the tables of all nodes at once, also of nodes to which it connects later or never. A
     * revocation must find it there. Otherwise a link made afterwards would escape the revocation.
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

    /**
     * Removes the session from all tables, from node 0 last: recoverers use its list, if this process dies half-way.
     */
    final void leaveTables(int number) {
        for (int i = nodes() - 1; i >= 0; i--) memoryNode(i).sessions().detach(number);
    }

    final FabricException closedException() {
        return new FabricException(FabricException.Reason.CLOSED, Effect.NOT_DONE, "the pool is closed: " + name());
    }
}
