package tidepool.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import tidepool.base.Carrier;
import tidepool.base.Clock;
import tidepool.base.Poller;
import tidepool.base.Strand;
import tidepool.tcp.wire.Patience;

/**
 * Who waits at a {@link Port}, and who of them reads. One at a time has the role: it takes in what arrives for all, and hands
 * the role on when it has what it waited for. A port of a {@link Carrier} is read by the carrier between its strands.
 */
final class PortReader implements Poller {
    private static final long EXPIRY_NANOS = 1_000_000;
    /** Whoever waits looks ten times a second: if nobody has for so long, this process stood still. */
    private static final long STOOD_STILL_NANOS = 1_000_000_000;

    private static final long UNATTENDED_NANOS = 500_000;
    private static final long FOLLOW_NANOS = 1_000_000;
    private static final long ELSEWHERE_NANOS = 50_000;
    private static final long MOST_SELECT_NANOS = 100_000_000;
    private static final long LINGER_NANOS = 60_000;
    private static final int WORTH_LINGERING = 8;

    private final Port port;
    private final Wire[] wires;
    private final Landing landing;
    private final Carrier carrier;
    private final Patience patience;
    private final Clock clock = Clock.system();
    private final Selector selector;
    private final Consumer<SelectionKey> marks = PortReader::mark;

    /** The role. Fair: a thread that reads for all takes it again at once, and others would wait for ever. */
    private final ReentrantLock reading = new ReentrantLock(true);

    /** Whether somebody called since the last wait. A selector forgets it as soon as it is asked what has arrived. */
    private volatile boolean called;

    private long nextExpiryNanos;
    private long turnNanos = clock.nowNanos();
    private long expiredNanos = turnNanos;

    PortReader(Port port, Wire[] wires, Landing landing, Carrier carrier, Patience patience) {
        this.port = port;
        this.wires = wires;
        this.landing = landing;
        this.carrier = carrier;
        this.patience = patience;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector: too many open files?", e);
        }
    }

    /** Does something while nobody reads; with a connection that is read from now on, or null. Waits. */
    void whileNobodyReads(Wire added, Runnable work) throws IOException {
        if (added != null) added.register(selector);
        wake(); // it looks at those that are registered when it begins; and whoever reads lets us in
        reading.lock();
        try {
            work.run();
        } finally {
            reading.unlock();
        }
    }

    /** When it last looked; for the strands of the carrier that reads. */
    long turnNanos() {
        return turnNanos;
    }

    /** From here on there is nothing to read; whoever polls all ports of a process may still come by. */
    void close() throws IOException {
        wake();
        reading.lock();
        try {
            selector.close();
        } finally {
            reading.unlock();
        }
    }

    /** Waits until it is done; the deadline ends it too. */
    void await(Pending pending) {
        Strand ours = carrier == null ? null : carrier.current();
        if (ours != null) awaitHere(pending, ours);
        else awaitElsewhere(pending, Strand.current());
    }

    /** A strand of the carrier that reads. */
    private void awaitHere(Pending pending, Strand strand) {
        while (!pending.isDone()) {
            pending.waiter(strand);
            if (!pending.isDone()) carrier.park(strand); // the keeper may have read it
            pending.awake();
        }
    }

    private void awaitElsewhere(Pending pending, Strand strand) {
        while (!pending.isDone()) {
            if (strand != null) lookAndPark(pending, strand);
            else if (reading.tryLock()) lead(pending);
            else follow(pending);
        }
    }

    /** A strand whose carrier does not read this port: it looks now and then, so that its carrier can rest. */
    private void lookAndPark(Pending pending, Strand strand) {
        poll();
        pending.waiter(strand);
        if (!pending.isDone()) strand.scheduler().parkFor(ELSEWHERE_NANOS);
        pending.awake();
    }

    /** Waits without ever reading: somebody else does. */
    void awaitAsleep(Pending pending) {
        Strand strand = Strand.current();
        pending.waiter(strand == null ? Thread.currentThread() : strand);
        while (!pending.isDone()) {
            if (strand == null) LockSupport.parkNanos(this, MOST_SELECT_NANOS);
            else Strand.park();
        }
        pending.awake();
    }

    /** This thread reads for everybody until it has what it waits for. */
    private void lead(Pending pending) {
        Pending heir;
        try {
            long began = clock.nowNanos();
            long spin = patience.nanos(began);
            while (!pending.isDone()) {
                if (takeIn()) continue;
                long now = clock.nowNanos();
                if (now - began < spin) {
                    Thread.onSpinWait();
                    continue;
                }
                patience.vain(spin);
                spin = 0;
                select(pending.deadlineNanos - now);
            }
            patience.waited(clock.nowNanos() - began);
            heir = sleeper();
        } finally {
            reading.unlock();
        }
        if (heir != null) heir.wakeElsewhere();
    }

    private void follow(Pending pending) {
        pending.waiter(Thread.currentThread());
        if (!pending.isDone() && reading.isLocked()) LockSupport.parkNanos(this, FOLLOW_NANOS);
        pending.awake();
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
        if (!selector.isOpen()) return;
        if (called) {
            called = false;
            return;
        }
        long millis = Math.max(1, Math.min(nanos, MOST_SELECT_NANOS) / 1_000_000);
        for (Wire wire : wires) if (wire != null && wire.isUp()) wire.chooseEvents();
        try {
            selector.select(marks, millis);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void mark(SelectionKey key) {
        if (key.isReadable()) ((Wire) key.attachment()).ready = true; // writable alone: it is sent at the next look
    }

    // ---- reading

    /** Sends and takes in what there is, unless somebody else is just reading. */
    @Override
    public boolean poll() {
        if (!reading.tryLock()) return false;
        try {
            int before = underWay();
            boolean any = takeIn();
            if (any && carrier != null && carrier.isHere()) linger(before);
            return any;
        } finally {
            reading.unlock();
        }
    }

    /** For the keeper. Whoever looks tells it the time without a fence: it may look once too often. */
    void pollUnattended(long now) {
        if (now - turnNanos > UNATTENDED_NANOS) poll();
    }

    /**
     * Where many strands wait, a few answers are not worth a turn: every turn costs a write and a read per node. Lets the
     * nodes work on for a moment, until half of what was under way is here; or, of many nodes, nearly all, because each
     * has only its share of it.
     */
    private void linger(int before) {
        if (before < WORTH_LINGERING) return;
        int nearlyAll = before - before / 8;
        int enough = Math.max(before / 2, Math.min(nearlyAll, Wire.WORTH_SENDING * wires.length));
        long until = clock.nowNanos() + LINGER_NANOS;
        while (before - underWay() < enough && clock.nowNanos() < until) {
            Thread.yield();
            read(); // what follows it leaves with what the strands post in the turn to come
        }
    }

    private int underWay() {
        int count = 0;
        for (Wire wire : wires) if (wire != null) count += wire.flights.owed();
        return count;
    }

    /** For carriers: none of their strands can run before something arrives. */
    @Override
    public void waitFor(long nanos) {
        long began = clock.nowNanos();
        long spin = Math.max(0, Math.min(nanos, patience.nanos(began)));
        for (int looks = 0; !called && clock.nowNanos() - began < spin; looks++) {
            if (poll()) {
                patience.waited(clock.nowNanos() - began);
                return;
            }
            if (Patience.giveWayAfter(looks)) Thread.yield();
            else Thread.onSpinWait();
        }
        if (!called) patience.vain(spin);
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
        called = true;
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
        if (!selector.isOpen()) return false;
        send();
        boolean any = read();
        for (Wire wire : wires) if (wire != null && wire.isUp() && wire.isBacklogged()) any |= port.sendWaiting(wire);
        boolean broken = false;
        for (Wire wire : wires) broken |= wire != null && wire.isToBury();
        if (broken) {
            port.buryBroken();
            any = true;
        }
        turnNanos = clock.nowNanos();
        if (turnNanos >= nextExpiryNanos) expire(turnNanos);
        return any;
    }

    private void send() {
        for (Wire wire : wires) if (wire != null && wire.isUp() && wire.hasUnsent()) port.flush(wire);
    }

    /** Reads the one connection that owes answers, or those where something has arrived. */
    private boolean read() {
        Wire only = null;
        int owing = 0;
        boolean marked = false;
        for (Wire wire : wires) {
            if (wire == null || !wire.isUp()) continue;
            marked |= wire.ready;
            if (wire.flights.owed() == 0) continue;
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

    /**
     * Gives up what has waited too long. If this process stood still meanwhile (stopped, or its machine was), the nodes may
     * have, too, and the time of what is under way begins anew; not of rounds with a deadline of their own.
     */
    void expire(long now) {
        boolean stoodStill = now - expiredNanos > STOOD_STILL_NANOS;
        expiredNanos = now;
        nextExpiryNanos = now + EXPIRY_NANOS;
        for (Wire wire : wires) {
            if (wire == null) continue;
            if (wire.isBacklogged()) port.expireWaiting(wire, now, stoodStill);
            int count = wire.flights.count();
            for (int i = 0; i < count; i++) {
                Flight flight = wire.flights.get(i);
                Pending pending = flight.pending;
                if (pending == null) continue;
                if (stoodStill && !Landing.hasOwnDeadline(pending)) pending.deadlineNanos = now + port.timeoutNanos();
                if (pending.deadlineNanos > now) continue;
                landing.tooLate(wire, flight);
                flight.drop();
                if (pending.countOff()) landing.done(pending);
            }
        }
    }
}
