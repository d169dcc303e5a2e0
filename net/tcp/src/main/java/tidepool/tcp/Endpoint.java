package tidepool.tcp;

import java.io.IOException;
import tidepool.base.Carrier;
import tidepool.base.Clock;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Refusal;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.wire.AdaptiveSpin;

/**
 * The client's end of one connection to each memory node, shared by some lanes of a session. It has no thread of its
 * own: waiting threads read, see {@link EndpointReader}. Frames that strands of a {@link Carrier} post in one turn
 * leave together, in one write per node, or in a few if there are many.
 *
 * <p>Frames are assembled under the write lock. No thread waits while it holds the lock, and no holder tries to read.
 */
final class Endpoint {
    private final NodeConnection[] connections;
    private final WriteLock writing = new WriteLock();
    private final RoundWriter writer = new RoundWriter();
    private final Clock clock = Clock.system();
    private final long timeoutNanos;
    private final Carrier carrier;
    private final AnswerDispatcher dispatcher;
    private final EndpointReader reader;
    private final Runnable unattended;
    private int posts;
    private long silenceNanos = Long.MIN_VALUE / 2; // when the heartbeat thread last called breakSilent()

    /**
     * @param carrier the carrier whose strands alone use this endpoint; null if any thread may
     * @param unattended run when frames wait to be sent and possibly no thread reads this endpoint
     */
    Endpoint(
            int nodes,
            long timeoutNanos,
            AdaptiveSpin adaptiveSpin,
            Carrier carrier,
            SuspectedSessions suspects,
            Runnable unattended) {
        this(nodes, timeoutNanos, adaptiveSpin, carrier, suspects, unattended, EndpointReader.MAX_SELECT_NANOS);
    }

    /** @param maxSelectNanos see {@link TcpFabric} */
    Endpoint(
            int nodes,
            long timeoutNanos,
            AdaptiveSpin adaptiveSpin,
            Carrier carrier,
            SuspectedSessions suspects,
            Runnable unattended,
            long maxSelectNanos) {
        this.connections = new NodeConnection[nodes];
        this.timeoutNanos = timeoutNanos;
        this.carrier = carrier;
        this.unattended = unattended;
        this.dispatcher = new AnswerDispatcher(this, suspects);
        this.reader = new EndpointReader(this, connections, dispatcher, carrier, adaptiveSpin, maxSelectNanos);
        if (carrier != null) carrier.join(reader);
    }

    /** Returns how long an answer may take. */
    long timeoutNanos() {
        return timeoutNanos;
    }

    Carrier carrier() {
        return carrier;
    }

    /** Returns the listener for the connections of this endpoint. */
    FrameListener listener() {
        return dispatcher;
    }

    /** Returns the connection to a node; null if there was none yet. */
    NodeConnection connection(int node) {
        writing.lock();
        try {
            return connections[node];
        } finally {
            writing.unlock();
        }
    }

    /** Uses this connection from now on and buries the previous one. Waits for the reader role. */
    void use(NodeConnection connection) throws IOException {
        reader.withReadingPaused(connection, () -> {
            NodeConnection before = connections[connection.node];
            if (before != null) {
                before.breakDown("replaced");
                buryBroken();
            }
            writing.lock();
            try {
                connections[connection.node] = connection;
            } finally {
                writing.unlock();
            }
        });
    }

    // ---- sending

    /** Sends a round. {@code pending.begin()} was called before. */
    void post(PendingRound pending, boolean closed) {
        Round round = pending.round;
        long deadline = round.deadlineNanos();
        boolean deferred = isDeferred();
        // Strands of one turn share the time at which it began: reading the clock costs a tenth of a round.
        long now = deferred && deadline == 0 ? reader.turnNanos() : clock.nowNanos();
        pending.deadlineNanos = now + (deadline == 0 ? timeoutNanos : deadline);
        boolean none;
        writing.lock();
        try {
            int post = ++posts;
            int count = round.count();
            for (int i = 0; i < count; i++) {
                TcpLink link = (TcpLink) round.verb(i).link();
                if (link.lastPost == post) continue;
                link.lastPost = post;
                if (closed || link.isBroken()) refuse(pending, link, closed);
                else send(pending, link);
            }
            none = pending.allSent();
            boolean worth = !deferred;
            for (NodeConnection connection : connections) {
                if (connection == null) continue;
                connection.flights.show();
                worth |= connection.isWorthSending();
            }
            if (worth) flush(deferred);
        } finally {
            writing.unlock();
        }
        if (none) dispatcher.done(pending);
    }

    /** Sends a control call on the connection to a node. */
    void post(ControlCall call, NodeConnection connection) {
        call.begin();
        call.deadlineNanos = Math.max(call.deadlineNanos, clock.nowNanos() + timeoutNanos);
        boolean none;
        writing.lock();
        try {
            if (!connection.isUp()) AnswerDispatcher.unsent(call, connection, connection.why());
            else if (!connection.isBacklogged() && connection.hasRoom()) connection.control(call);
            else enqueue(call, connection, new Unsent(call));
            none = call.allSent();
            connection.flights.show();
            flush(false);
        } finally {
            writing.unlock();
        }
        if (none) dispatcher.done(call);
    }

    /**
     * Returns whether frames are sent at the end of the carrier's turn: those that its strands post, and follow-up
     * rounds of the answers that it takes in.
     */
    private boolean isDeferred() {
        return carrier != null && carrier.isHere();
    }

    /**
     * Sends unsent frames to all nodes, or only to nodes for which there are many. It is a separate method because few
     * rounds come here.
     */
    private void flush(boolean onlyMuch) {
        for (NodeConnection connection : connections) {
            if (connection == null || !connection.isUp()) continue;
            if (!(onlyMuch ? connection.isWorthSending() : connection.hasUnsent())) continue;
            connection.flush();
            if (onlyMuch || !connection.hasUnsent()) continue;
            reader.wake(); // the socket is full: the reader has to wait for writability, too
            unattended.run();
        }
    }

    private void refuse(PendingRound pending, TcpLink link, boolean closed) {
        Refusal refusal = !closed && link.wasRevoked() ? Refusal.EPOCH : null;
        failAll(pending.round, link, Effect.NOT_DONE, refusal);
        if (closed) pending.fail(Reason.CLOSED, "the lane is closed");
        else if (refusal != null) pending.fail(Reason.REFUSED, "verb refused (" + link.why() + ")");
        else pending.fail(Reason.DISCONNECTED, "the link is broken (" + link.why() + ")");
    }

    /** Adds the frames for one link. Frames for which there is no room wait after those that wait already. */
    private void send(PendingRound pending, TcpLink link) {
        NodeConnection connection = link.connection();
        if (connection.isBacklogged()) enqueue(pending, connection, new Unsent(pending, link, 0, 0));
        else if (!writer.write(pending, link)) enqueue(pending, connection, writer.rest(pending, link));
    }

    /** Adds an entry to the backlog. The reader sends it when there is room. */
    private void enqueue(PendingReply pending, NodeConnection connection, Unsent unsent) {
        pending.sent();
        connection.enqueue(unsent);
        unattended.run();
    }

    private static void failAll(Round round, TcpLink link, Effect effect, Refusal refusal) {
        boolean first = true;
        for (int i = 0; i < round.count(); i++) {
            Verb verb = round.verb(i);
            if (verb.link() != link) continue;
            verb.failed(effect, first ? refusal : null);
            first = false;
        }
    }

    // ---- waiting and reading

    /** Waits until the request is done. Its deadline ends the wait too. */
    void await(PendingReply pending) {
        reader.await(pending);
    }

    /** Waits until the request is done without reading. Another thread reads. */
    void awaitAsleep(PendingReply pending) {
        reader.awaitAsleep(pending);
    }

    /** Takes in what has arrived, unless another thread is reading. */
    void poll() {
        reader.poll();
    }

    /** Takes in what has arrived, unless a thread has polled within the last 0.5 ms. */
    void pollUnattended(long now) {
        reader.pollUnattended(now);
    }

    /** Reads for at most the given time. For an endpoint that one thread reads for all. */
    void readFor(long nanos) {
        reader.readFor(nanos);
    }

    /** Wakes the thread that waits in the selector of this endpoint. Called from any thread. */
    void wake() {
        reader.wake();
    }

    /** Wakes the waiter of a request that is done. Called by the reader. */
    void wake(PendingReply pending) {
        if (carrier != null && carrier.isHere()) pending.wakeHere(carrier);
        else pending.wakeElsewhere();
    }

    /** Sends remaining bytes. Called by the reader. */
    void flush(NodeConnection connection) {
        if (!writing.tryLock()) return; // the holder of the lock flushes
        try {
            connection.flush();
        } finally {
            writing.unlock();
        }
    }

    /**
     * Sends entries of the backlog as far as there is room. Returns whether an entry left the backlog. Called by the
     * reader.
     */
    boolean sendWaiting(NodeConnection connection) {
        boolean any = false;
        writing.lock();
        try {
            for (Unsent next = connection.nextUnsent();
                    next != null && connection.isUp();
                    next = connection.nextUnsent()) {
                next.pending.resume();
                boolean over = sendWaiting(connection, next);
                next.pending.resumed();
                if (!over) break;
                any = true;
                connection.dequeue();
                if (next.pending.countOff()) dispatcher.done(next.pending);
            }
            connection.flights.show();
            if (connection.isUp() && connection.hasUnsent()) connection.flush();
        } finally {
            writing.unlock();
        }
        return any;
    }

    /** Returns whether the entry is completely sent, or will never be sent. */
    private boolean sendWaiting(NodeConnection connection, Unsent next) {
        if (next.pending instanceof ControlCall call) {
            if (!connection.hasRoom()) return false;
            connection.control(call);
            return true;
        }
        if (next.link.opening() == next.opening && !next.link.isBroken()) return writer.write(next);
        dispatcher.unsent(connection, next, Reason.DISCONNECTED, "the link is broken (" + next.link.why() + ")");
        return true;
    }

    /** Fails entries of the backlog that are past their deadlines. Called by the reader. */
    void expireWaiting(NodeConnection connection, long now, boolean stoodStill) {
        writing.lock();
        try {
            for (Unsent late : connection.expired(now, stoodStill, timeoutNanos)) {
                dispatcher.unsent(
                        connection, late, Reason.TIMED_OUT, "too much is under way to node " + connection.node);
                if (late.pending.countOff()) dispatcher.done(late.pending);
            }
        } finally {
            writing.unlock();
        }
    }

    /** Returns whether frames wait for room or for a socket. The next thread that polls this endpoint sends them. */
    boolean isStuck() {
        for (NodeConnection connection : connections)
            if (connection != null && connection.isUp() && connection.isStuck()) return true;
        return false;
    }

    /** Fails everything that is under way on broken connections. Called by the reader. */
    void buryBroken() {
        writing.lock();
        try {
            for (NodeConnection connection : connections)
                if (connection != null && connection.isToBury()) connection.bury();
        } finally {
            writing.unlock();
        }
    }

    // ---- leases

    /** Sends a BEAT to every node, which renews the lease of the session. */
    void beat() {
        writing.lock();
        try {
            for (NodeConnection connection : connections)
                if (connection != null && connection.isUp()) connection.beat();
            flush(false);
        } finally {
            writing.unlock();
        }
    }

    /**
     * Breaks connections to nodes that have owed an answer for {@code silentNanos} without sending anything. The
     * heartbeat thread calls it at every beat. If it has not for long, this process was suspended, and frames that the
     * nodes have sent meanwhile may still be unread.
     */
    void breakSilent(long silentNanos) {
        long now = clock.nowNanos();
        boolean stoodStill = now - silenceNanos > silentNanos / 2;
        silenceNanos = now;
        if (stoodStill) {
            for (NodeConnection connection : connections) if (connection != null) connection.listenAnew(now);
            return;
        }
        for (NodeConnection connection : connections)
            if (connection != null && connection.isUp() && connection.silentNanos(now) > silentNanos)
                connection.breakDown(
                        "node " + connection.node + " has not been heard for " + silentNanos / 1_000_000 + " ms");
    }

    /** Sends GOODBYE and closes the connections. Requests under way fail, and their waiters are woken. */
    void close() {
        if (carrier != null) carrier.leave(reader);
        writing.lock();
        try {
            for (NodeConnection connection : connections) {
                if (connection == null || !connection.isUp()) continue;
                connection.goodbye();
                connection.flush();
                connection.breakDown("closed");
            }
        } finally {
            writing.unlock();
        }
        try {
            reader.withReadingPaused(null, this::buryBroken);
            reader.close();
        } catch (IOException e) {
            // The endpoint counts as closed anyway.
        }
    }
}
