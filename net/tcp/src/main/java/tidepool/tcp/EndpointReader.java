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
import tidepool.wire.AdaptiveSpin;

/**
 * The waiting and reading side of an {@link Endpoint}. One waiting thread at a time has the reader role: it takes in
 * the answers of all waiters, and passes the role on when its own answer has arrived. An endpoint of a {@link Carrier}
 * is read by the carrier between its strands.
 */
final class EndpointReader implements Poller {
    private static final long EXPIRY_NANOS = 1_000_000;
    /**
     * A waiting thread checks deadlines at least ten times a second. If none has for this long, this process was
     * suspended.
     */
    private static final long STOOD_STILL_NANOS = 1_000_000_000;

    private static final long UNATTENDED_NANOS = 500_000;
    private static final long FOLLOW_NANOS = 1_000_000;
    private static final long ELSEWHERE_NANOS = 50_000;
    static final long MAX_SELECT_NANOS = 100_000_000;
    private static final long LINGER_NANOS = 60_000;
    private static final int WORTH_LINGERING = 8;

    private final Endpoint endpoint;
    private final NodeConnection[] connections;
    private final AnswerDispatcher dispatcher;
    private final Carrier carrier;
    private final AdaptiveSpin adaptiveSpin;
    private final long maxSelectNanos;
    private final Clock clock = Clock.system();
    private final Selector selector;
    private final Consumer<SelectionKey> marks = EndpointReader::mark;

    /**
     * The reader role. The lock is fair. Otherwise a thread that reads for all could take it again at once, and others
     * would wait for ever.
     */
    private final ReentrantLock reading = new ReentrantLock(true);

    /** Whether {@link #wake} was called since the last wait. A selector forgets a wakeup as soon as it is polled. */
    private volatile boolean called;

    private long nextExpiryNanos;
    private long turnNanos = clock.nowNanos();
    private long expiredNanos = turnNanos;

    /** @param maxSelectNanos how long a reader sleeps if no socket event and no call ends its sleep */
    EndpointReader(
            Endpoint endpoint,
            NodeConnection[] connections,
            AnswerDispatcher dispatcher,
            Carrier carrier,
            AdaptiveSpin adaptiveSpin,
            long maxSelectNanos) {
        this.endpoint = endpoint;
        this.connections = connections;
        this.dispatcher = dispatcher;
        this.carrier = carrier;
        this.adaptiveSpin = adaptiveSpin;
        this.maxSelectNanos = maxSelectNanos;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector: too many open files?", e);
        }
    }

    /**
     * Runs {@code work} while no thread reads. Waits for the reader role.
     *
     * @param added a connection that is read from now on, or null
     */
    void withReadingPaused(NodeConnection added, Runnable work) throws IOException {
        if (added != null) added.register(selector);
        // a select sees only connections registered before it began; waking it also ends the sleep of a reader that has
        // the role
        wake();
        reading.lock();
        try {
            work.run();
        } finally {
            reading.unlock();
        }
    }

    /** Returns when the endpoint was last read. For the strands of the carrier that reads. */
    long turnNanos() {
        return turnNanos;
    }

    /**
     * Closes the selector. There is nothing to read afterwards, though the heartbeat thread may still poll this
     * endpoint.
     */
    void close() throws IOException {
        wake();
        reading.lock();
        try {
            selector.close();
        } finally {
            reading.unlock();
        }
    }

    /** Waits until the request is done. Its deadline ends the wait too. */
    void await(PendingReply pending) {
        Strand ours = carrier == null ? null : carrier.current();
        if (ours != null) awaitHere(pending, ours);
        else awaitElsewhere(pending, Strand.current());
    }

    /** Waits on a strand of the carrier that reads this endpoint. */
    private void awaitHere(PendingReply pending, Strand strand) {
        while (!pending.isDone()) {
            pending.waiter(strand);
            if (!pending.isDone()) carrier.park(strand); // the heartbeat thread may have read the answer
            pending.awake();
        }
    }

    private void awaitElsewhere(PendingReply pending, Strand strand) {
        while (!pending.isDone()) {
            if (strand != null) lookAndPark(pending, strand);
            else if (reading.tryLock()) lead(pending);
            else follow(pending);
        }
    }

    /**
     * Polls once and parks. For a strand whose carrier does not read this endpoint: it polls every 50 µs, so that its
     * carrier can sleep between.
     */
    private void lookAndPark(PendingReply pending, Strand strand) {
        poll();
        pending.waiter(strand);
        if (!pending.isDone()) strand.scheduler().parkFor(ELSEWHERE_NANOS);
        pending.awake();
    }

    /** Waits until the request is done without reading. Another thread reads. */
    void awaitAsleep(PendingReply pending) {
        Strand strand = Strand.current();
        pending.waiter(strand == null ? Thread.currentThread() : strand);
        while (!pending.isDone()) {
            if (strand == null) LockSupport.parkNanos(this, MAX_SELECT_NANOS);
            else Strand.park();
        }
        pending.awake();
    }

    /** Reads for all waiters until this thread's own request is done. */
    private void lead(PendingReply pending) {
        PendingReply heir;
        try {
            long began = clock.nowNanos();
            long spin = adaptiveSpin.nanos(began);
            while (!pending.isDone()) {
                if (takeIn()) continue;
                long now = clock.nowNanos();
                if (now - began < spin) {
                    Thread.onSpinWait();
                    continue;
                }
                adaptiveSpin.vain(spin);
                spin = 0;
                select(pending.deadlineNanos - now);
            }
            adaptiveSpin.waited(clock.nowNanos() - began);
            heir = sleeper();
        } finally {
            reading.unlock();
        }
        if (heir != null) heir.wakeElsewhere();
    }

    private void follow(PendingReply pending) {
        pending.waiter(Thread.currentThread());
        if (!pending.isDone() && reading.isLocked()) LockSupport.parkNanos(this, FOLLOW_NANOS);
        pending.awake();
    }

    /** Returns a request whose waiter sleeps and could take the reader role; null if there is none. */
    private PendingReply sleeper() {
        for (NodeConnection connection : connections) {
            if (connection == null) continue;
            int count = connection.flights.count();
            for (int i = 0; i < count; i++) {
                PendingReply waiting = connection.flights.get(i).pending;
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
        long millis = Math.max(1, Math.min(nanos, maxSelectNanos) / 1_000_000);
        for (NodeConnection connection : connections)
            if (connection != null && connection.isUp()) connection.chooseEvents();
        try {
            selector.select(marks, millis);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void mark(SelectionKey key) {
        if (key.isReadable())
            // a key that is only writable needs no mark: takeIn() sends
            ((NodeConnection) key.attachment()).ready = true;
    }

    // ---- reading

    /** Sends and takes in what there is, unless another thread is reading. */
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

    /**
     * Polls if no thread has polled lately. Called by the heartbeat thread. It reads the time of the last poll without
     * a fence, so it may poll once too often.
     */
    void pollUnattended(long now) {
        if (now - turnNanos > UNATTENDED_NANOS) poll();
    }

    /**
     * Waits briefly for more answers. Where many strands wait, a few answers are not worth a turn of the carrier,
     * because each turn costs a write and a read per node. Lets the nodes go on for at most 60 µs, until half of the
     * frames under way are answered. With many nodes it waits for nearly all, because each node has only its share of
     * the frames.
     */
    private void linger(int before) {
        if (before < WORTH_LINGERING) return;
        int nearlyAll = before - before / 8;
        int enough = Math.max(before / 2, Math.min(nearlyAll, NodeConnection.WORTH_SENDING * connections.length));
        long until = clock.nowNanos() + LINGER_NANOS;
        while (before - underWay() < enough && clock.nowNanos() < until) {
            Thread.yield();
            read(); // follow-up rounds leave with what the strands post in the coming turn
        }
    }

    private int underWay() {
        int count = 0;
        for (NodeConnection connection : connections) if (connection != null) count += connection.flights.owed();
        return count;
    }

    /** Waits for an arrival. Called by a carrier when none of its strands can run before something arrives. */
    @Override
    public void waitFor(long nanos) {
        long began = clock.nowNanos();
        long spin = Math.max(0, Math.min(nanos, adaptiveSpin.nanos(began)));
        for (int looks = 0; !called && clock.nowNanos() - began < spin; looks++) {
            if (poll()) {
                adaptiveSpin.waited(clock.nowNanos() - began);
                return;
            }
            if (AdaptiveSpin.giveWayAfter(looks)) Thread.yield();
            else Thread.onSpinWait();
        }
        if (!called) adaptiveSpin.vain(spin);
        if (!reading.tryLock()) {
            LockSupport.parkNanos(this, Math.min(nanos, FOLLOW_NANOS));
            return;
        }
        try {
            select(nanos);
            if (takeIn()) adaptiveSpin.waited(clock.nowNanos() - began);
        } finally {
            reading.unlock();
        }
    }

    @Override
    public void wake() {
        called = true;
        selector.wakeup();
    }

    /** Reads for at most the given time. For an endpoint that one thread reads for all. */
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
        for (NodeConnection connection : connections)
            if (connection != null && connection.isUp() && connection.isBacklogged())
                any |= endpoint.sendWaiting(connection);
        boolean broken = false;
        for (NodeConnection connection : connections) broken |= connection != null && connection.isToBury();
        if (broken) {
            endpoint.buryBroken();
            any = true;
        }
        turnNanos = clock.nowNanos();
        if (turnNanos >= nextExpiryNanos) expire(turnNanos);
        return any;
    }

    private void send() {
        for (NodeConnection connection : connections)
            if (connection != null && connection.isUp() && connection.hasUnsent()) endpoint.flush(connection);
    }

    /** Reads the only connection that owes answers, or those for which the selector has reported an arrival. */
    private boolean read() {
        NodeConnection only = null;
        int owing = 0;
        boolean marked = false;
        for (NodeConnection connection : connections) {
            if (connection == null || !connection.isUp()) continue;
            marked |= connection.ready;
            if (connection.flights.owed() == 0) continue;
            owing++;
            only = connection;
        }
        if (owing == 1 && !marked) return only.receive();
        if (!marked) selectNow();
        boolean any = false;
        for (NodeConnection connection : connections)
            if (connection != null && connection.isUp() && connection.ready) any |= connection.receive();
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
     * Fails requests that are past their deadlines. If this process was suspended, the nodes may have been, too.
     * Requests under way then get a new deadline, except rounds with a deadline of their own.
     */
    void expire(long now) {
        boolean stoodStill = now - expiredNanos > STOOD_STILL_NANOS;
        expiredNanos = now;
        nextExpiryNanos = now + EXPIRY_NANOS;
        for (NodeConnection connection : connections) {
            if (connection == null) continue;
            if (connection.isBacklogged()) endpoint.expireWaiting(connection, now, stoodStill);
            int count = connection.flights.count();
            for (int i = 0; i < count; i++) {
                FrameInFlight flight = connection.flights.get(i);
                PendingReply pending = flight.pending;
                if (pending == null) continue;
                if (stoodStill && !AnswerDispatcher.hasOwnDeadline(pending))
                    pending.deadlineNanos = now + endpoint.timeoutNanos();
                if (pending.deadlineNanos > now) continue;
                dispatcher.tooLate(connection, flight);
                flight.drop();
                if (pending.countOff()) dispatcher.done(pending);
            }
        }
    }
}
