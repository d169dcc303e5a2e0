package tidepool.base;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides which strand runs next. {@link Carrier} does it in real time; the simulator extends this class with virtual
 * time and a seed. A subclass keeps the strands it was given by {@link #ready} in some order and runs them by
 * {@link #resume}; it moves time on and calls {@link #wakeSleepers}.
 *
 * <p>Everything here but {@link #start} and {@link Strand#unpark} happens on one thread at a time.
 */
public abstract class Scheduler {
    private final Coroutine.Kind kind;
    private final AtomicInteger started = new AtomicInteger();
    private final Timers timers = new Timers();

    /** Strands of the kind that {@link Coroutine.Kind#preferred} finds. */
    protected Scheduler() {
        this(Coroutine.Kind.preferred());
    }

    protected Scheduler(Coroutine.Kind kind) {
        this.kind = kind;
    }

    /** Creates a strand and makes it ready; the body runs when its turn comes. */
    public final Strand start(String name, Runnable body) {
        Strand strand = new Strand(this, started.getAndIncrement(), name, body, kind);
        starting(strand);
        if (isHere()) ready(strand);
        else startElsewhere(strand);
        return strand;
    }

    /** The time that {@link #sleep} and {@link #parkFor} mean. */
    public abstract Clock clock();

    /** The current strand waits so long. An {@link Strand#unpark} meanwhile is kept for its next park. */
    public void sleep(long nanos) {
        Strand self = ours();
        timers.set(self, deadline(nanos));
        try {
            self.sleepHere();
        } finally {
            timers.cancel(self); // matters only if it could not wait at all
        }
    }

    /** The current strand waits for {@link Strand#unpark}, but not longer than this; true if the unpark came. */
    public final boolean parkFor(long nanos) {
        Strand self = ours();
        timers.set(self, deadline(nanos));
        try {
            return !self.parkWithTimerHere();
        } finally {
            timers.cancel(self);
        }
    }

    public final Coroutine.Kind kind() {
        return kind;
    }

    /**
     * The strand can run. Called by start, unpark and giveWay, where the scheduler runs, and never twice before it is
     * resumed.
     */
    protected abstract void ready(Strand strand);

    /** Whether the caller may touch the strands: it is the scheduler's thread, or has its baton. */
    boolean isHere() {
        return true;
    }

    /** A strand was started by somebody who may not touch it. */
    void startElsewhere(Strand strand) {
        throw new IllegalStateException("strands are started where their scheduler runs");
    }

    /** A strand was unparked by somebody who may not touch it. */
    void unparkElsewhere(Strand strand) {
        throw new IllegalStateException("strands are unparked where their scheduler runs");
    }

    /** A strand is about to be made ready for the first time. */
    protected void starting(Strand strand) {}

    /** A strand returned, failed or was abandoned; it will not run again. */
    protected void ended(Strand strand) {}

    /** The body of a strand threw. Whoever overrides this decides who hears of it; nothing is swallowed by default. */
    protected void failed(Strand strand, Throwable thrown) {
        throw new StrandFailedException(strand, thrown);
    }

    /** Runs the strand until it waits or ends. A strand that was abandoned after it became ready is passed over. */
    protected final void resume(Strand strand) {
        resume(strand, Current.ofThread());
    }

    /** The same for a loop that knows its thread. */
    final void resume(Strand strand, Current current) {
        Strand outer = current.strand;
        current.strand = strand;
        boolean endedNow;
        try {
            endedNow = strand.resumeHere();
        } finally {
            current.strand = outer;
        }
        if (endedNow) report(strand);
    }

    /**
     * Runs the scheduler's loop where switching is cheapest: strands of kind THREAD are resumed from a virtual thread,
     * all others right here. Returns when the loop does, and throws what it threw.
     */
    protected final void loop(Runnable loop) {
        if (kind == Coroutine.Kind.THREAD && !Thread.currentThread().isVirtual()) {
            new ElsewhereLoop(loop).run();
        } else {
            loop.run();
        }
    }

    /** When the next sleeper wants to wake up; {@link Long#MAX_VALUE} if nobody sleeps. */
    protected final long nextWakeNanos() {
        return timers.nextNanos();
    }

    /** Makes all ready whose time has come, the earliest first, equal times in the order in which they fell asleep. */
    protected final void wakeSleepers(long nowNanos) {
        for (Strand due = timers.takeDue(nowNanos); due != null; due = timers.takeDue(nowNanos)) {
            if (due.wakeByTimer()) ready(due);
        }
    }

    final void forget(Strand abandoned) {
        timers.cancel(abandoned);
        ended(abandoned);
    }

    private void report(Strand strand) {
        ended(strand);
        Throwable thrown = strand.failure();
        if (thrown != null) failed(strand, thrown);
    }

    private Strand ours() {
        Strand self = Strand.inStrand();
        Checks.invariant(self.scheduler() == this, "a strand waits on its own scheduler");
        return self;
    }

    private long deadline(long nanos) {
        long nowNanos = clock().nowNanos();
        long atNanos = nowNanos + Math.max(0, nanos);
        return atNanos < nowNanos ? Long.MAX_VALUE - 1 : atNanos;
    }
}
