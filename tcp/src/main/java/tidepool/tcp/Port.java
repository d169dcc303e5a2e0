package tidepool.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import tidepool.base.Carrier;
import tidepool.base.Clock;
import tidepool.base.Poller;
import tidepool.base.Strand;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Refusal;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.tcp.wire.ControlStatus;
import tidepool.tcp.wire.Frame;
import tidepool.tcp.wire.Patience;

/**
 * A connection to each memory node, shared by some lanes of a session. There is no thread behind it: of those who wait for
 * answers one at a time is the <b>reader</b>, takes in what arrives for all, and hands the role on when it has what it
 * waited for. A port of a {@link Carrier} is read by the carrier between its strands, and what strands post in one turn
 * leaves together, in one write per node.
 *
 * <p>Two locks: what is sent is put together under the write lock, which nobody holds while waiting; the role of reader is
 * a lock too. Who holds the write lock never wants the role.
 */
final class Port implements Answers, Poller {
    private static final long EXPIRY_NANOS = 1_000_000;
    private static final long FOLLOW_NANOS = 1_000_000;
    private static final long ELSEWHERE_NANOS = 50_000;
    private static final long MOST_SELECT_NANOS = 100_000_000;
    private static final long LINGER_NANOS = 30_000;
    private static final int WORTH_LINGERING = 8;

    private final Wire[] wires;
    private final ReentrantLock writing = new ReentrantLock();

    /** Fair: a thread that reads for all takes it again at once, and whoever brings a new connection would wait for ever. */
    private final ReentrantLock reading = new ReentrantLock(true);

    private final RoundWriter writer = new RoundWriter();
    private final Selector selector;
    private final Clock clock = Clock.system();
    private final Patience patience;
    private final long timeoutNanos;
    private final Carrier carrier;
    private final Suspects suspects;
    private final Consumer<SelectionKey> marks = Port::mark;
    private int posts;
    private long nextExpiryNanos;

    /** Answers taken in by the poll that is running. */
    private int landed;

    /** @param carrier whose strands alone use this port; null for anybody */
    Port(int nodes, long timeoutNanos, Patience patience, Carrier carrier, Suspects suspects) {
        this.wires = new Wire[nodes];
        this.timeoutNanos = timeoutNanos;
        this.patience = patience;
        this.carrier = carrier;
        this.suspects = suspects;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector: too many open files?", e);
        }
        if (carrier != null) carrier.join(this);
    }

    Carrier carrier() {
        return carrier;
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

    /** Uses this connection from now on; the one before it is buried. */
    void use(Wire wire) throws IOException {
        wire.register(selector);
        wake(); // a selector looks at those that are registered when it begins
        reading.lock();
        try {
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
        } finally {
            reading.unlock();
        }
    }

    // ---- sending

    /** Sends a round; {@code pending} was begun. */
    void post(RoundPending pending, boolean closed) {
        Round round = pending.round;
        long deadline = round.deadlineNanos();
        pending.deadlineNanos = clock.nowNanos() + (deadline == 0 ? timeoutNanos : deadline);
        writing.lock();
        try {
            int post = ++posts;
            int count = round.count();
            for (int i = 0; i < count; i++) {
                TcpLink link = (TcpLink) round.verb(i).link();
                if (link.lastPost == post) continue;
                link.lastPost = post;
                if (closed || link.isBroken()) refuse(pending, link, closed);
                else if (!writer.write(pending, link)) tooMuch(pending, link);
            }
            if (!isDeferred()) flushAll();
        } finally {
            writing.unlock();
        }
        if (pending.countOff()) done(pending);
    }

    /** Sends a control call on the connection to a node. */
    void post(ControlCall call, Wire wire) {
        call.begin();
        call.deadlineNanos = Math.max(call.deadlineNanos, clock.nowNanos() + timeoutNanos);
        writing.lock();
        try {
            if (!wire.isUp()) unsent(call, wire, wire.why());
            else if (wire.flights.room() == 0) call.text = "too much is under way";
            else wire.control(call);
            flushAll();
        } finally {
            writing.unlock();
        }
        if (call.countOff()) done(call);
    }

    /** What strands of the carrier post leaves when their turn is over. */
    private boolean isDeferred() {
        if (carrier == null) return false;
        Strand strand = Strand.current();
        return strand != null && strand.scheduler() == carrier;
    }

    private void flushAll() {
        for (Wire wire : wires) if (wire != null && wire.isUp() && wire.hasUnsent()) wire.flush();
    }

    private void refuse(RoundPending pending, TcpLink link, boolean closed) {
        Refusal refusal = !closed && link.wasRevoked() ? Refusal.EPOCH : null;
        failAll(pending.round, link, Effect.NOT_DONE, refusal);
        if (closed) pending.fail(Reason.CLOSED, "the lane is closed");
        else if (refusal != null) pending.fail(Reason.REFUSED, "verb refused (" + link.why() + ")");
        else pending.fail(Reason.DISCONNECTED, "the link is broken (" + link.why() + ")");
    }

    private static void tooMuch(RoundPending pending, TcpLink link) {
        // Some pieces may be on their way, so nobody can say.
        failAll(pending.round, link, Effect.UNKNOWN, null);
        pending.fail(Reason.UNAVAILABLE, "too much is under way to node " + link.node());
        link.breakDown();
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

    // ---- waiting

    /** Waits until it is done; the deadline ends it too. */
    void await(Pending pending) {
        Strand strand = Strand.current();
        while (!pending.isDone()) {
            if (strand == null) {
                if (reading.tryLock()) lead(pending);
                else follow(pending);
            } else if (strand.scheduler() == carrier) {
                pending.waiter(strand);
                if (!pending.isDone()) Strand.park();
                pending.waiter(null);
            } else {
                awaitElsewhere(pending, strand);
            }
        }
    }

    /** A strand whose carrier does not read this port: it looks now and then, so that its carrier can rest. */
    private void awaitElsewhere(Pending pending, Strand strand) {
        poll();
        pending.waiter(strand);
        if (!pending.isDone()) strand.scheduler().parkFor(ELSEWHERE_NANOS);
        pending.waiter(null);
    }

    /** Waits without ever reading: somebody else does. */
    void awaitAsleep(Pending pending) {
        Strand strand = Strand.current();
        pending.waiter(strand == null ? Thread.currentThread() : strand);
        while (!pending.isDone()) {
            if (strand == null) LockSupport.parkNanos(this, MOST_SELECT_NANOS);
            else Strand.park();
        }
        pending.waiter(null);
    }

    /** This thread reads for everybody until it has what it waits for. */
    private void lead(Pending pending) {
        Pending heir;
        try {
            long began = clock.nowNanos();
            long spinUntil = began + patience.nanos();
            while (!pending.isDone()) {
                if (takeIn()) continue;
                long now = clock.nowNanos();
                if (now >= spinUntil) select(pending.deadlineNanos - now);
                else Thread.onSpinWait();
            }
            patience.waited(clock.nowNanos() - began);
            heir = sleeper();
        } finally {
            reading.unlock();
        }
        if (heir != null) heir.wake();
    }

    private void follow(Pending pending) {
        pending.waiter(Thread.currentThread());
        if (!pending.isDone() && reading.isLocked()) LockSupport.parkNanos(this, FOLLOW_NANOS);
        pending.waiter(null);
    }

    /** Somebody who sleeps until an answer is here, and might read instead. */
    private Pending sleeper() {
        for (Wire wire : wires) {
            if (wire == null) continue;
            int count = wire.flights.count();
            for (int i = 0; i < count; i++) {
                Pending waiting = wire.flights.get(i).pending;
                if (waiting != null && waiting.hasWaiter() && !waiting.isDone()) return waiting;
            }
        }
        return null;
    }

    private void select(long nanos) {
        long millis = Math.max(1, Math.min(nanos, MOST_SELECT_NANOS) / 1_000_000);
        try {
            selector.select(marks, millis);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void mark(SelectionKey key) {
        ((Wire) key.attachment()).ready = true;
    }

    // ---- reading

    /** Sends and takes in what there is, unless somebody else is just reading. */
    @Override
    public boolean poll() {
        if (!reading.tryLock()) return false;
        try {
            landed = 0;
            boolean any = takeIn();
            if (any && carrier != null) linger();
            return any;
        } finally {
            reading.unlock();
        }
    }

    /**
     * Where many strands wait, a few answers are not worth a turn: every turn costs a write and a read per node. Lets the
     * nodes work on for a moment, until half of what is under way is here.
     */
    private void linger() {
        if (underWay() < WORTH_LINGERING) return;
        long until = clock.nowNanos() + LINGER_NANOS;
        while (landed < underWay() && clock.nowNanos() < until) {
            Thread.yield();
            takeIn();
        }
    }

    private int underWay() {
        int count = 0;
        for (Wire wire : wires) if (wire != null) count += wire.flights.count();
        return count;
    }

    /** For carriers: none of their strands can run before something arrives. */
    @Override
    public void waitFor(long nanos) {
        long began = clock.nowNanos();
        long spinUntil = began + Math.min(nanos, patience.nanos());
        while (clock.nowNanos() < spinUntil) {
            if (poll()) {
                patience.waited(clock.nowNanos() - began);
                return;
            }
            Thread.onSpinWait();
        }
        if (!reading.tryLock()) {
            LockSupport.parkNanos(this, Math.min(nanos, FOLLOW_NANOS));
            return;
        }
        try {
            select(nanos);
            if (takeIn()) patience.waited(clock.nowNanos() - began);
        } finally {
            reading.unlock();
        }
    }

    @Override
    public void wake() {
        selector.wakeup();
    }

    /** Reads for a while, for a port that one thread reads for all. */
    void readFor(long nanos) {
        reading.lock();
        try {
            if (!takeIn()) select(nanos);
            takeIn();
        } finally {
            reading.unlock();
        }
    }

    private boolean takeIn() {
        boolean any = look();
        boolean broken = false;
        for (Wire wire : wires) broken |= wire != null && wire.isToBury();
        if (broken) {
            buryBroken();
            any = true;
        }
        if (clock.nowNanos() >= nextExpiryNanos) expire();
        return any;
    }

    /** Sends what is left to send and reads: the one connection that owes answers, or those where something has arrived. */
    private boolean look() {
        Wire only = null;
        int owing = 0;
        boolean marked = false;
        for (Wire wire : wires) {
            if (wire == null || !wire.isUp()) continue;
            if (wire.hasUnsent()) flush(wire);
            marked |= wire.ready;
            if (wire.flights.count() == 0) continue;
            owing++;
            only = wire;
        }
        if (owing == 1 && !marked) return only.receive();
        if (!marked) selectNow();
        boolean any = false;
        for (Wire wire : wires) if (wire != null && wire.isUp() && wire.ready) any |= wire.receive();
        return any;
    }

    private void selectNow() {
        try {
            selector.selectNow(marks);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void flush(Wire wire) {
        if (!writing.tryLock()) return; // whoever has it flushes
        try {
            wire.flush();
        } finally {
            writing.unlock();
        }
    }

    private void buryBroken() {
        writing.lock();
        try {
            for (Wire wire : wires) if (wire != null && wire.isToBury()) wire.bury();
        } finally {
            writing.unlock();
        }
    }

    /** Gives up what has waited too long. It flies on: its answer will be thrown away. */
    private void expire() {
        long now = clock.nowNanos();
        nextExpiryNanos = now + EXPIRY_NANOS;
        for (Wire wire : wires) {
            if (wire == null) continue;
            int count = wire.flights.count();
            for (int i = 0; i < count; i++) {
                Flight flight = wire.flights.get(i);
                Pending pending = flight.pending;
                if (pending == null || pending.deadlineNanos > now) continue;
                tooLate(wire, flight);
                flight.drop();
                if (pending.countOff()) done(pending);
            }
        }
    }

    @Override
    public String land(int kind, Wire wire, Flight flight, MemorySegment memory, int at, int bytes) {
        landed++;
        if (flight.pending instanceof ControlCall call) {
            if (kind != Frame.REPLY) return "the node answered with a frame of kind " + kind;
            landReply(call, memory, at, bytes);
            return null;
        }
        if (kind != Frame.ANSWER) return "the node answered with a frame of kind " + kind;
        if (isTooLate((RoundPending) flight.pending, wire)) {
            tooLate(wire, flight);
            return null;
        }
        return RoundReader.land(flight, memory, at, bytes);
    }

    /** Who gave a deadline of its own gets nothing behind it; for others a late answer is better than none. */
    private static boolean isTooLate(RoundPending pending, Wire wire) {
        return pending.round.deadlineNanos() != 0 && wire.heardNanos() > pending.deadlineNanos;
    }

    private void tooLate(Wire wire, Flight flight) {
        lost(wire, flight, Effect.UNKNOWN, Reason.TIMED_OUT, "no answer in time from node " + wire.node);
    }

    private static void landReply(ControlCall call, MemorySegment memory, int at, int bytes) {
        int status = memory.get(ValueLayout.JAVA_BYTE, at + Frame.STATUS) & 0xff;
        if (status == 0) {
            long[] words = new long[(bytes - Frame.HEADER) / Words.BYTES];
            for (int i = 0; i < words.length; i++)
                words[i] = Words.plain(memory, at + Frame.HEADER + (long) i * Words.BYTES);
            call.results = words;
        } else {
            call.text = Wire.text(memory, at, bytes);
        }
        call.status = status;
    }

    @Override
    public void lost(Wire wire, Flight flight, Effect effect, Reason reason, String why) {
        if (flight.pending instanceof ControlCall call) {
            unsent(call, wire, why);
            return;
        }
        boolean revoked = effect == Effect.NOT_DONE && wire.wasRevoked();
        RoundReader.lost(flight, effect, revoked ? Refusal.EPOCH : null);
        ((RoundPending) flight.pending).fail(revoked ? Reason.REFUSED : reason, why);
    }

    /** A call of a session that was revoked is refused for that, whether it got as far as the node or not. */
    private static void unsent(ControlCall call, Wire wire, String why) {
        call.text = why;
        if (wire.wasRevoked()) call.status = ControlStatus.EPOCH;
    }

    /** The round that follows one that is done is sent by whoever took in its last answer. */
    @Override
    public void done(Pending pending) {
        if (pending instanceof RoundPending first && first.next != null) {
            Round next = first.next;
            first.next = null;
            RoundPending second = RoundPending.of(next);
            if (first.round.hasFailed()) {
                next.neverSent(first.round);
                if (second.countOff()) done(second);
            } else {
                post(second, false);
            }
        }
        pending.wake();
    }

    @Override
    public void suspects(Wire wire, MemorySegment memory, int at, int bytes) {
        boolean over = memory.get(ValueLayout.JAVA_BYTE, at + Frame.STATUS) != 0;
        for (int word = at + Frame.HEADER; word < at + bytes; word += Words.BYTES) {
            if (over) suspects.remove((int) Words.plain(memory, word));
            else suspects.add((int) Words.plain(memory, word));
        }
    }

    // ---- keeping

    /** Tells every node that the session lives. */
    void beat() {
        writing.lock();
        try {
            for (Wire wire : wires) if (wire != null && wire.isUp()) wire.beat();
            flushAll();
        } finally {
            writing.unlock();
        }
    }

    /** Breaks connections to nodes that have owed an answer for so long without a word. The keeper calls it at every beat. */
    void breakSilent(long silentNanos) {
        long now = clock.nowNanos();
        for (Wire wire : wires)
            if (wire != null && wire.isUp() && wire.silentNanos(now) > silentNanos)
                wire.breakDown("node " + wire.node + " has not been heard for " + silentNanos / 1_000_000 + " ms");
    }

    /** Says goodbye and closes; what is under way fails, and whoever waits for it is told. */
    void close() {
        if (carrier != null) carrier.leave(this);
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
        wake();
        reading.lock();
        try {
            buryBroken();
            selector.close();
        } catch (IOException e) {
            // It is closed as far as we are concerned.
        } finally {
            reading.unlock();
        }
    }
}
