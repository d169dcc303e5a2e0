package tidepool.tcp;

import java.io.IOException;
import tidepool.base.Carrier;
import tidepool.base.Clock;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Refusal;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.tcp.wire.Patience;

/**
 * A connection to each memory node, shared by some lanes of a session. There is no thread behind it: those who wait read,
 * see {@link PortReader}. What strands of a {@link Carrier} post in one turn leaves together, in one write per node, or a
 * few if there is much of it.
 *
 * <p>What is sent is put together under the write lock, which nobody holds while waiting, and whose holder never wants to
 * read.
 */
final class Port {
    private final Wire[] wires;
    private final WriteLock writing = new WriteLock();
    private final RoundWriter writer = new RoundWriter();
    private final Clock clock = Clock.system();
    private final long timeoutNanos;
    private final Carrier carrier;
    private final Landing landing;
    private final PortReader reader;
    private final Runnable unattended;
    private int posts;
    private long silenceNanos = Long.MIN_VALUE / 2; // when the keeper last asked for it

    /**
     * @param carrier whose strands alone use this port; null for anybody
     * @param unattended run when something waits to be sent, and maybe nobody looks at this port
     */
    Port(int nodes, long timeoutNanos, Patience patience, Carrier carrier, Suspects suspects, Runnable unattended) {
        this.wires = new Wire[nodes];
        this.timeoutNanos = timeoutNanos;
        this.carrier = carrier;
        this.unattended = unattended;
        this.landing = new Landing(this, suspects);
        this.reader = new PortReader(this, wires, landing, carrier, patience);
        if (carrier != null) carrier.join(reader);
    }

    /** How long an answer may take. */
    long timeoutNanos() {
        return timeoutNanos;
    }

    Carrier carrier() {
        return carrier;
    }

    /** For the connections of this port. */
    Answers answers() {
        return landing;
    }

    /** The connection to a node; null if there was none yet. */
    Wire wire(int node) {
        writing.lock();
        try {
            return wires[node];
        } finally {
            writing.unlock();
        }
    }

    /** Uses this connection from now on; the one before it is buried. Waits. */
    void use(Wire wire) throws IOException {
        reader.whileNobodyReads(wire, () -> {
            Wire before = wires[wire.node];
            if (before != null) {
                before.breakDown("replaced");
                buryBroken();
            }
            writing.lock();
            try {
                wires[wire.node] = wire;
            } finally {
                writing.unlock();
            }
        });
    }

    // ---- sending

    /** Sends a round; {@code pending} was begun. */
    void post(RoundPending pending, boolean closed) {
        Round round = pending.round;
        long deadline = round.deadlineNanos();
        boolean deferred = isDeferred();
        // Strands of one turn share the time at which it began: to ask costs a tenth of a round.
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
            for (Wire wire : wires) {
                if (wire == null) continue;
                wire.flights.show();
                worth |= wire.isWorthSending();
            }
            if (worth) flush(deferred);
        } finally {
            writing.unlock();
        }
        if (none) landing.done(pending);
    }

    /** Sends a control call on the connection to a node. */
    void post(ControlCall call, Wire wire) {
        call.begin();
        call.deadlineNanos = Math.max(call.deadlineNanos, clock.nowNanos() + timeoutNanos);
        boolean none;
        writing.lock();
        try {
            if (!wire.isUp()) Landing.unsent(call, wire, wire.why());
            else if (!wire.isBacklogged() && wire.hasRoom()) wire.control(call);
            else enqueue(call, wire, new Unsent(call));
            none = call.allSent();
            wire.flights.show();
            flush(false);
        } finally {
            writing.unlock();
        }
        if (none) landing.done(call);
    }

    /** What strands of the carrier post, and what follows the rounds that it takes in, leaves when their turn is over. */
    private boolean isDeferred() {
        return carrier != null && carrier.isHere();
    }

    /** Sends what there is, or only to nodes for which there is much. In a method of its own: few rounds come here. */
    private void flush(boolean onlyMuch) {
        for (Wire wire : wires) {
            if (wire == null || !wire.isUp()) continue;
            if (!(onlyMuch ? wire.isWorthSending() : wire.hasUnsent())) continue;
            wire.flush();
            if (onlyMuch || !wire.hasUnsent()) continue;
            reader.wake(); // the socket is full: whoever reads waits for that, too
            unattended.run();
        }
    }

    private void refuse(RoundPending pending, TcpLink link, boolean closed) {
        Refusal refusal = !closed && link.wasRevoked() ? Refusal.EPOCH : null;
        failAll(pending.round, link, Effect.NOT_DONE, refusal);
        if (closed) pending.fail(Reason.CLOSED, "the lane is closed");
        else if (refusal != null) pending.fail(Reason.REFUSED, "verb refused (" + link.why() + ")");
        else pending.fail(Reason.DISCONNECTED, "the link is broken (" + link.why() + ")");
    }

    /** Adds the frames for one link. Those for which there is no room wait for it, behind those that wait already. */
    private void send(RoundPending pending, TcpLink link) {
        Wire wire = link.wire();
        if (wire.isBacklogged()) enqueue(pending, wire, new Unsent(pending, link, 0, 0));
        else if (!writer.write(pending, link)) enqueue(pending, wire, writer.rest(pending, link));
    }

    /** The reader sends it when there is room. */
    private void enqueue(Pending pending, Wire wire, Unsent unsent) {
        pending.sent();
        wire.enqueue(unsent);
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

    /** Waits until it is done; the deadline ends it too. */
    void await(Pending pending) {
        reader.await(pending);
    }

    /** Waits without ever reading: somebody else does. */
    void awaitAsleep(Pending pending) {
        reader.awaitAsleep(pending);
    }

    /** Takes in what there is, unless somebody else is just reading. */
    void poll() {
        reader.poll();
    }

    /** Takes in what there is, unless somebody has looked within a moment. */
    void pollUnattended(long now) {
        reader.pollUnattended(now);
    }

    /** Reads for a while, for a port that one thread reads for all. */
    void readFor(long nanos) {
        reader.readFor(nanos);
    }

    /** Lets whoever sleeps over this port look up. From any thread. */
    void wake() {
        reader.wake();
    }

    /** By the reader: this is done. */
    void wake(Pending pending) {
        if (carrier != null && carrier.isHere()) pending.wakeHere(carrier);
        else pending.wakeElsewhere();
    }

    /** By the reader: sends what is left over. */
    void flush(Wire wire) {
        if (!writing.tryLock()) return; // whoever has it flushes
        try {
            wire.flush();
        } finally {
            writing.unlock();
        }
    }

    /** By the reader: sends what has waited, as far as there is room for it. True if something waits no more. */
    boolean sendWaiting(Wire wire) {
        boolean any = false;
        writing.lock();
        try {
            for (Unsent next = wire.nextUnsent(); next != null && wire.isUp(); next = wire.nextUnsent()) {
                next.pending.resume();
                boolean over = sendWaiting(wire, next);
                next.pending.resumed();
                if (!over) break;
                any = true;
                wire.dequeue();
                if (next.pending.countOff()) landing.done(next.pending);
            }
            wire.flights.show();
            if (wire.isUp() && wire.hasUnsent()) wire.flush();
        } finally {
            writing.unlock();
        }
        return any;
    }

    /** Whether all of it has been sent, or never will be. */
    private boolean sendWaiting(Wire wire, Unsent next) {
        if (next.pending instanceof ControlCall call) {
            if (!wire.hasRoom()) return false;
            wire.control(call);
            return true;
        }
        if (next.link.opening() == next.opening && !next.link.isBroken()) return writer.write(next);
        landing.unsent(wire, next, Reason.DISCONNECTED, "the link is broken (" + next.link.why() + ")");
        return true;
    }

    /** By the reader: gives up what has waited for room too long. */
    void expireWaiting(Wire wire, long now, boolean stoodStill) {
        writing.lock();
        try {
            for (Unsent late : wire.expired(now, stoodStill, timeoutNanos)) {
                landing.unsent(wire, late, Reason.TIMED_OUT, "too much is under way to node " + wire.node);
                if (late.pending.countOff()) landing.done(late.pending);
            }
        } finally {
            writing.unlock();
        }
    }

    /** Whether something waits for room or for a socket; whoever looks at this port sends it. */
    boolean isStuck() {
        for (Wire wire : wires) if (wire != null && wire.isUp() && wire.isStuck()) return true;
        return false;
    }

    /** By the reader: fails what is under way on connections that broke. */
    void buryBroken() {
        writing.lock();
        try {
            for (Wire wire : wires) if (wire != null && wire.isToBury()) wire.bury();
        } finally {
            writing.unlock();
        }
    }

    // ---- keeping

    /** Tells every node that the session lives. */
    void beat() {
        writing.lock();
        try {
            for (Wire wire : wires) if (wire != null && wire.isUp()) wire.beat();
            flush(false);
        } finally {
            writing.unlock();
        }
    }

    /**
     * Breaks connections to nodes that have owed an answer for so long without a word. The keeper calls it at every beat. If
     * it has not for long, this process stood still, and what the nodes have said meanwhile may still be unread.
     */
    void breakSilent(long silentNanos) {
        long now = clock.nowNanos();
        boolean stoodStill = now - silenceNanos > silentNanos / 2;
        silenceNanos = now;
        if (stoodStill) {
            for (Wire wire : wires) if (wire != null) wire.listenAnew(now);
            return;
        }
        for (Wire wire : wires)
            if (wire != null && wire.isUp() && wire.silentNanos(now) > silentNanos)
                wire.breakDown("node " + wire.node + " has not been heard for " + silentNanos / 1_000_000 + " ms");
    }

    /** Says goodbye and closes; what is under way fails, and whoever waits for it is told. */
    void close() {
        if (carrier != null) carrier.leave(reader);
        writing.lock();
        try {
            for (Wire wire : wires) {
                if (wire == null || !wire.isUp()) continue;
                wire.goodbye();
                wire.flush();
                wire.breakDown("closed");
            }
        } finally {
            writing.unlock();
        }
        try {
            reader.whileNobodyReads(null, this::buryBroken);
            reader.close();
        } catch (IOException e) {
            // It is closed as far as we are concerned.
        }
    }
}
