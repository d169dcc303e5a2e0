package tidepool.tcp.node;

import java.util.List;
import java.util.function.Supplier;
import tidepool.fabric.FabricException;
import tidepool.memory.MemoryNodeException;
import tidepool.tcp.journal.Changes;
import tidepool.tcp.wire.ControlStatus;
import tidepool.tcp.wire.RefusedCode;

/** What control calls do to connections and sessions, and the way to the thread beside the loop and back. */
final class Beside implements ControlExecutor.Loop {
    private static final ControlReply FULL = ControlReply.refused(
            ControlStatus.FULL, "the node's disk is full: it was done, and may be lost with the node's memory");

    private final NodeLoop loop;
    private final ControlWorker worker;
    private final Connections connections;
    private int underWay;

    Beside(NodeLoop loop, ControlWorker worker, Connections connections) {
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

    /** Until the answer is there, nothing more of this connection is carried out: answers keep their order. */
    @Override
    public void later(Connection from, int sequence, Supplier<ControlReply> call, Changes changes) {
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

    /** Whether no call is under way: then the journal was told of all that is in memory. */
    boolean isQuiet() {
        return underWay == 0;
    }

    @Override
    public boolean isAllKept() {
        return connections.keeping().isAllKept();
    }

    @Override
    public void whenKept(Connection from, int sequence, ControlReply reply) {
        whenKept(from, sequence, reply, null);
    }

    private void whenKept(Connection from, int sequence, ControlReply reply, Runnable then) {
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
    public void bind(Connection connection, HostedSession session) {
        connection.session = session;
        connection.pool.controls().remove(connection);
        session.add(connection, loop.nowNanos());
    }

    @Override
    public void revoke(HostedPool pool, int number) {
        connections.counters().count(NodeCounter.REVOCATIONS);
        HostedSession session = pool.revoke(number, loop.nowNanos());
        loop.watch(loop.nowNanos()); // so that it is found in time if nobody forgets it
        if (session == null) return;
        for (Connection connection : List.copyOf(session.connections()))
            connections.refuse(connection, RefusedCode.REVOKED, "session " + number + " was revoked");
    }

    @Override
    public void guessed(Connection from) {
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
