package tidepool.base;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * A scheduler that runs many strands on one thread, in real time and in the order in which they become ready. Before
 * each pass over the ready strands, and while no strand is ready, it asks its {@linkplain Poller pollers} (the
 * connections of a fabric). They unpark the strands whose verbs are done.
 *
 * <p>Other threads may start and unpark strands; these requests go through an inbox. All other methods belong to the
 * thread that is in {@link #run}. Switching, waking and sleeping allocate nothing.
 */
public final class Carrier extends Scheduler {
    private static final int SPINS_BEFORE_YIELDING = 200;
    private static final int SPINS_BEFORE_PARKING = 400;
    // A completion does not wake the thread, so a nap may delay it by this long.
    private static final long NAP_NANOS = 20_000;

    // Requests of other threads to a strand.
    private static final int START = 1;
    private static final int UNPARK = 2;

    private final Clock clock;
    private final StrandQueue ready = new StrandQueue();
    private final AtomicReference<Strand> inbox = new AtomicReference<>();
    private final AtomicInteger alive = new AtomicInteger();
    private volatile Poller[] pollers = {};
    private BiConsumer<Strand, Throwable> onFailure = super::failed;
    private volatile Thread thread; // the thread in run
    private CurrentStrand here; // belongs to that thread
    private volatile Thread napping;
    private volatile Poller waiting;

    public Carrier() {
        this(Coroutine.Kind.preferred());
    }

    public Carrier(Coroutine.Kind kind) {
        this(kind, Clock.system());
    }

    Carrier(Coroutine.Kind kind, Clock clock) {
        super(kind);
        this.clock = clock;
    }

    /** Adds a poller that is asked for completions. May be called from any thread. */
    public synchronized Carrier join(Poller poller) {
        Poller[] more = Arrays.copyOf(pollers, pollers.length + 1);
        more[pollers.length] = poller;
        pollers = more;
        return this;
    }

    /** Removes a poller. May be called from any thread. A pass that is under way may still ask the poller. */
    public synchronized void leave(Poller poller) {
        pollers = Arrays.stream(pollers).filter(one -> one != poller).toArray(Poller[]::new);
    }

    /** Sets the handler of failed strands. Without one, {@link #run} throws; a further call of run continues. */
    public Carrier onFailure(BiConsumer<Strand, Throwable> onFailure) {
        this.onFailure = onFailure;
        return this;
    }

    /**
     * Runs strands until all have ended. They run on the calling thread or on one that it waits for, see {@link #loop}.
     * An interrupt does not end the run: strands end by themselves or are abandoned.
     */
    public void run() {
        loop(this::runAll);
    }

    @Override
    public Clock clock() {
        return clock;
    }

    /** Returns the calling strand if it belongs to this carrier, else null. Cheaper than {@link Strand#current}. */
    public Strand current() {
        Strand strand = Thread.currentThread() == thread ? here.strand : Strand.current();
        return strand != null && strand.scheduler() == this ? strand : null;
    }

    /** Does {@link Strand#park} for the strand that {@link #current} returned. */
    public void park(Strand current) {
        current.parkSelf();
    }

    /** Does {@link Strand#unpark} on the thread of this carrier. */
    public void unpark(Strand strand) {
        if (strand.scheduler() == this) strand.unparkHere();
        else strand.unpark();
    }

    @Override
    protected void ready(Strand strand) {
        ready.add(strand);
    }

    @Override
    void startElsewhere(Strand strand) {
        wish(strand, START);
    }

    @Override
    void unparkElsewhere(Strand strand) {
        wish(strand, UNPARK);
    }

    private void wish(Strand strand, int what) {
        if (!strand.wish(what)) return; // the strand is in the inbox already; takeInbox will find this wish too
        Strand first;
        do {
            first = inbox.get();
            strand.nextInInbox = first;
        } while (!inbox.compareAndSet(first, strand));
        Thread sleeper = napping;
        if (sleeper != null) LockSupport.unpark(sleeper);
        Poller waiter = waiting;
        if (waiter != null) waiter.wake();
    }

    @Override
    protected void starting(Strand strand) {
        alive.incrementAndGet();
    }

    @Override
    protected void ended(Strand strand) {
        alive.decrementAndGet();
    }

    @Override
    protected void failed(Strand strand, Throwable thrown) {
        onFailure.accept(strand, thrown);
    }

    private void runAll() {
        CurrentStrand current = CurrentStrand.ofThread();
        Checks.invariant(current.carrier == null, "one carrier runs on a thread at a time");
        current.carrier = this;
        here = current;
        thread = Thread.currentThread();
        try {
            int idle = 0;
            while (alive.get() > 0) idle = runOnce() ? 0 : idle(idle + 1);
        } finally {
            thread = null;
            current.carrier = null;
        }
    }

    /** Gives one turn to each strand that is ready at the start. Returns true if a poller or strand made progress. */
    private boolean runOnce() {
        boolean progress = poll();
        takeInbox();
        if (nextWakeNanos() != Long.MAX_VALUE) wakeSleepers(clock.nowNanos());
        int turns = ready.count();
        for (int turn = 0; turn < turns; turn++) resume(ready.take(), here);
        return progress || turns > 0;
    }

    private boolean poll() {
        boolean progress = false;
        for (Poller poller : pollers) progress |= poller.poll();
        return progress;
    }

    /** Grants the wishes in order of arrival. The inbox is a stack, so the list is reversed first. */
    private void takeInbox() {
        if (inbox.getAcquire() == null) return;
        Strand newest = inbox.getAndSet(null);
        Strand oldest = null;
        while (newest != null) {
            Strand older = newest.nextInInbox;
            newest.nextInInbox = oldest;
            oldest = newest;
            newest = older;
        }
        while (oldest != null) {
            Strand newer = oldest.nextInInbox;
            oldest.nextInInbox = null; // before takeWishes: afterwards the strand may enter the inbox again
            grant(oldest, oldest.takeWishes());
            oldest = newer;
        }
    }

    private void grant(Strand strand, int wishes) {
        if ((wishes & START) != 0) ready.add(strand);
        if ((wishes & UNPARK) != 0) strand.unparkHere();
    }

    /**
     * Waits for work. A single poller waits in its own way. Otherwise the thread spins first, because a completion is
     * often only a microsecond away. Returns the number of idle turns so far.
     */
    private int idle(int turns) {
        Poller[] asked = pollers;
        if (asked.length == 1) waitOn(asked[0]);
        else if (turns <= SPINS_BEFORE_YIELDING) Thread.onSpinWait();
        else if (turns <= SPINS_BEFORE_PARKING) Thread.yield();
        else nap();
        return Math.min(turns, SPINS_BEFORE_PARKING + 1);
    }

    private void waitOn(Poller poller) {
        waiting = poller;
        try {
            if (inbox.get() != null) return; // this wish arrived before its thread could see waiting
            poller.waitFor(nextWakeNanos() - clock.nowNanos());
        } finally {
            waiting = null;
        }
    }

    private void nap() {
        napping = Thread.currentThread();
        try {
            if (inbox.get() != null) return; // this wish arrived before its thread could see napping
            long untilWakeNanos = nextWakeNanos() - clock.nowNanos();
            LockSupport.parkNanos(this, pollers.length == 0 ? untilWakeNanos : Math.min(NAP_NANOS, untilWakeNanos));
        } finally {
            napping = null;
        }
    }

    /**
     * Returns whether the caller is the thread of this carrier, or the thread of one of its strands that holds the
     * baton.
     */
    @Override
    public boolean isHere() {
        if (Thread.currentThread() == thread) return true;
        CurrentStrand current = CurrentStrand.ofThread();
        return current.strand != null && current.strand.scheduler() == this;
    }
}
