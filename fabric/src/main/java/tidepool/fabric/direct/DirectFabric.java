package tidepool.fabric.direct;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Orders;
import tidepool.fabric.Session;
import tidepool.memory.MemoryNode;

/** What {@code mem:} and {@code shm:} share: nodes mapped into this process, verbs carried out by the caller. */
public abstract class DirectFabric extends Fabric {
    private final Map<Integer, DirectSession> sessions = new ConcurrentHashMap<>();
    private volatile boolean closed;

    protected DirectFabric() {}

    @Override
    public final Orders orders() {
        return Orders.PROGRAM;
    }

    @Override
    public final Session attach() {
        if (closed) throw closedException();
        int number = memoryNode(0).nextSession();
        beforeAttach(number);
        DirectSession session = new DirectSession(this, number);
        sessions.put(number, session);
        return session;
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

    /** Makes the death of the session's process visible to others, before the session is. */
    protected abstract void beforeAttach(int session);

    /** The session has left. */
    protected abstract void afterClose(int session);

    /** Waits until nothing of a session that is marked revoked can be under way in <em>another</em> process. */
    protected abstract void awaitForeignQuiet(int session, MemoryNode node);

    final DirectSession localSession(int number) {
        return sessions.get(number);
    }

    final void closed(DirectSession session) {
        sessions.remove(session.number());
        afterClose(session.number());
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

    private FabricException closedException() {
        return new FabricException(
                FabricException.Reason.CLOSED, tidepool.fabric.Effect.NOT_DONE, "the pool is closed: " + name());
    }
}
