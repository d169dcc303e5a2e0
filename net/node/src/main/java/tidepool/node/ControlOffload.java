package tidepool.node;

import java.util.List;
import java.util.function.Supplier;
import tidepool.fabric.FabricException;
import tidepool.memory.MemoryNodeException;
import tidepool.node.journal.ChangeSet;
import tidepool.wire.ControlStatus;
import tidepool.wire.RefusedCode;

/** The effects of control calls on connections and sessions, and the path to the control thread and back. */
final class ControlOffload implements ControlExecutor.Loop {
    private static final ControlReply FULL = ControlReply.refused(
            ControlStatus.FULL, "the node's disk is full: it was done, and may be lost with the node's memory");

    private final NodeLoop loop;
    private final ControlWorker worker;
    private final ConnectionTable connections;
    private int underWay;

    ControlOffload(NodeLoop loop, ControlWorker worker, ConnectionTable connections) {
        this.loop = loop;
        this.worker = worker;
        this.connections = connections;
    }

    @Override
    public long nowNanos() {
        return loop.nowNanos();
    }

    @Override
    public void watch(long nanos) {
        loop.watch(nanos);
    }

    /** Until the call is answered, no other frame of the connection is executed. So answers keep their order. */
    @Override
    public void later(ClientConnection from, int sequence, Supplier<ControlReply> call, ChangeSet changes) {
        from.controlPending(true);
        underWay++;
        worker.execute(() -> {
            ControlReply reply = answered(call);
            loop.execute(() -> {
                underWay--;
                if (changes != null) from.pool.journal().journal().append(changes);
                whenKept(from, sequence, reply, changes == null ? null : changes.whenKept());
            });
        });
    }

    /** Returns whether no call is under way. Then the journal has every change that is in memory. */
    boolean isQuiet() {
        return underWay == 0;
    }

    @Override
    public boolean isAllKept() {
        return connections.acks().isAllKept();
    }

    @Override
    public void whenKept(ClientConnection from, int sequence, ControlReply reply) {
        whenKept(from, sequence, reply, null);
    }

    private void whenKept(ClientConnection from, int sequence, ControlReply reply, Runnable then) {
        from.controlPending(true);
        connections.whenKept(from, kept -> {
            if (kept && then != null) worker.execute(then);
            from.controlPending(false);
            if (from.session != null) from.session.heard(loop.nowNanos());
            connections.reply(from, sequence, kept ? reply : FULL);
            connections.resume(from);
        });
    }

    private static ControlReply answered(Supplier<ControlReply> call) {
        try {
            return call.get();
        } catch (MemoryNodeException e) {
            return ControlReply.of(e);
        } catch (FabricException e) {
            return ControlReply.of(e);
        } catch (RuntimeException e) {
            System.getLogger("tidepool.node").log(System.Logger.Level.ERROR, "a control call failed", e);
            return ControlReply.refused(ControlStatus.CORRUPT, "the node could not do it: " + e);
        }
    }

    @Override
    public boolean hasNames() {
        return connections.hasNames();
    }

    @Override
    public void bind(ClientConnection connection, HostedSession session) {
        connection.session = session;
        connection.pool.controls().remove(connection);
        session.add(connection, loop.nowNanos());
    }

    @Override
    public void revoke(HostedPool pool, int number) {
        connections.counters().count(NodeCounter.REVOCATIONS);
        HostedSession session = pool.revoke(number, loop.nowNanos());
        loop.watch(loop.nowNanos()); // so that it becomes suspected in time if its recoverer dies
        if (session == null) return;
        for (ClientConnection connection : List.copyOf(session.connections()))
            connections.refuse(connection, RefusedCode.REVOKED, "session " + number + " was revoked");
    }

    @Override
    public void guessed(ClientConnection from) {
        connections.refuse(from, RefusedCode.RIGHT, "too many capabilities that open nothing");
    }

    @Override
    public void forgotten(HostedPool pool, int number) {
        connections.tellOver(pool, number);
    }

    @Override
    public String statusText() {
        return loop.status().toText();
    }
}
