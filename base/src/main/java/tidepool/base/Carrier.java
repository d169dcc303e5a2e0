package tidepool.base;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Many strands on one thread, in real time: who is ready first runs first. Between rounds through the strands, and
 * when nobody is ready, it asks its {@linkplain Poller pollers} (a fabric's connections), which unpark those whose verbs
 * are done.
 *
 * <p>Other threads may start and unpark strands; they go through an inbox. Everything else belongs to the thread that
 * is in {@link #run}. Switching, waking and sleeping allocate nothing.
 */
public final class Carrier extends Scheduler {
    private static final int SPINS_BEFORE_YIELDING = 200;
    private static final int SPINS_BEFORE_PARKING = 400;
    private static final long NAP_NANOS = 20_000; // nobody wakes us for a completion, so a nap delays it by as much

    // What other threads want of a strand.
    private static final int START = 1;
    private static final int UNPARK = 2;

    private final Clock clock;
    private final StrandQueue ready = new StrandQueue();
    private final AtomicReference<Strand> inbox = new AtomicReference<>();
    private final AtomicInteger alive = new AtomicInteger();
    private volatile Poller[] pollers = {};
    private BiConsumer<Strand, Throwable> onFailure = super::failed;
    private volatile Thread thread; // the one in run
    private Current here; // of that thread
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

    /** Adds one that is asked for completions; from any thread. */
    public synchronized Carrier join(Poller poller) {
        Poller[] more = Arrays.copyOf(pollers, pollers.length + 1);
        more[pollers.length] = poller;
        pollers = more;
        return this;
    }

    /** Takes it away; from any thread. The one that is asked just now may be asked to the end. */
    public synchronized void leave(Poller poller) {
        pollers = Arrays.stream(pollers).filter(one -> one != poller).toArray(Poller[]::new);
    }

    /** Sets who hears of strands that failed. Without it {@link #run} throws; calling run again goes on. */
    public Carrier onFailure(BiConsumer<Strand, Throwable> onFailure) {
        this.onFailure = onFailure;
        return this;
    }

    /**
     * Runs strands until all have ended; on the calling thread, or on one that it waits for (see {@link #loop}). An
     * interrupt does not end it: strands end by themselves or are abandoned.
     */
    public void run() {
        loop(this::runAll);
    }

    @Override
    public Clock clock() {
        return clock;
    }

    /** The strand of this carrier that calls; null for everybody else. Cheaper than {@link Strand#current}. */
    public Strand current() {
        Strand strand = Thread.currentThread() == thread ? here.strand : Strand.current();
        return strand != null && strand.scheduler() == this ? strand : null;
    }

    /** {@link Strand#park} by the strand that {@link #current} has named. */
    public void park(Strand current) {
        current.parkSelf();
    }

    /** {@link Strand#unpark} where this carrier runs. */
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
        if (!strand.wish(what)) return; // it is in the inbox, and who takes it out will find this too
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
        Current current = Current.ofThread();
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

    /** One turn for everybody who is ready at its beginning. True if anything happened. */
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

    /** Strands put themselves in front of the inbox; they came in the opposite order. */
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
            oldest.nextInInbox = null; // before its wishes are taken: then it may be put in again
            grant(oldest, oldest.takeWishes());
            oldest = newer;
        }
    }

    private void grant(Strand strand, int wishes) {
        if ((wishes & START) != 0) ready.add(strand);
        if ((wishes & UNPARK) != 0) strand.unparkHere();
    }

    /**
     * Spins first: a completion is often only a microsecond away. A poller that is alone knows better how to wait. Returns
     * the number of idle turns so far.
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
            if (inbox.get() != null) return; // it came before it could see that we wait
            poller.waitFor(nextWakeNanos() - clock.nowNanos());
        } finally {
            waiting = null;
        }
    }

    private void nap() {
        napping = Thread.currentThread();
        try {
            if (inbox.get() != null) return; // it came before it could see that we nap
            long untilWakeNanos = nextWakeNanos() - clock.nowNanos();
            LockSupport.parkNanos(this, pollers.length == 0 ? untilWakeNanos : Math.min(NAP_NANOS, untilWakeNanos));
        } finally {
            napping = null;
        }
    }

    /** Whether the caller is on our thread, or on the thread of a strand of ours that has the baton. */
    @Override
    public boolean isHere() {
        if (Thread.currentThread() == thread) return true;
        Current current = Current.ofThread();
        return current.strand != null && current.strand.scheduler() == this;
    }
}
