package tidepool.base;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The part of a program that decides which strand runs next. {@link Carrier} does it in real time; the simulator
 * extends this class with virtual time and a seed. A subclass keeps the strands given to {@link #ready} in some order
 * and runs them by {@link #resume}. It advances the time and calls {@link #wakeSleepers}.
 *
 * <p>All methods but {@link #start} and {@link Strand#unpark} are called on one thread at a time.
 */
public abstract class Scheduler {
    private final Coroutine.Kind kind;
    private final AtomicInteger started = new AtomicInteger();
    private final Timers timers = new Timers();

    /** Creates a scheduler for strands of the {@linkplain Coroutine.Kind#preferred preferred} kind. */
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

    /** Returns the clock of {@link #sleep} and {@link #parkFor}. */
    public abstract Clock clock();

    /** Lets the current strand wait for a duration. An {@link Strand#unpark} meanwhile is kept for its next park. */
    public void sleep(long nanos) {
        Strand self = ours();
        timers.set(self, deadline(nanos));
        try {
            self.sleepHere();
        } finally {
            timers.cancel(self); // matters only if the strand could not wait at all
        }
    }

    /**
     * Lets the current strand wait for {@link Strand#unpark}, at most for a duration. Returns true if the unpark came.
     */
    public final boolean parkFor(long nanos) {
        Strand self = ours();
        timers.set(self, deadline(nanos));
        try {
            return !self.parkWithTimerHere();
        } finally {
            timers.cancel(self);
        }
    }

    /**
     * Called when the strand can run: by start, unpark and giveWay, where the scheduler runs. Never called twice before
     * the strand is resumed.
     */
    protected abstract void ready(Strand strand);

    /** Returns whether the caller may touch the strands: it is the scheduler's thread, or holds its baton. */
    boolean isHere() {
        return true;
    }

    /** Called when a strand is started by a thread that may not touch it. */
    void startElsewhere(Strand strand) {
        throw new IllegalStateException("strands are started where their scheduler runs");
    }

    /** Called when a strand is unparked by a thread that may not touch it. */
    void unparkElsewhere(Strand strand) {
        throw new IllegalStateException("strands are unparked where their scheduler runs");
    }

    /** Called before a strand is made ready for the first time. */
    protected void starting(Strand strand) {}

    /** Called when a strand has returned, failed or been abandoned; it will not run again. */
    protected void ended(Strand strand) {}

    /**
     * Called when the body of a strand threw. By default the exception is thrown on; an override may report it
     * elsewhere.
     */
    protected void failed(Strand strand, Throwable thrown) {
        throw new StrandFailedException(strand, thrown);
    }

    /** Runs the strand until it waits or ends. Skips a strand that was abandoned after it became ready. */
    protected final void resume(Strand strand) {
        resume(strand, CurrentStrand.ofThread());
    }

    /** Runs the strand until it waits or ends; for a loop that knows the {@link CurrentStrand} of its thread. */
    final void resume(Strand strand, CurrentStrand current) {
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
     * all others on the calling thread. Returns when the loop does, and throws what it threw.
     */
    protected final void loop(Runnable loop) {
        if (kind == Coroutine.Kind.THREAD && !Thread.currentThread().isVirtual()) {
            new OffloadedLoop(loop).run();
        } else {
            loop.run();
        }
    }

    /** Returns the time of the earliest timer; {@link Long#MAX_VALUE} if there is none. */
    protected final long nextWakeNanos() {
        return timers.nextNanos();
    }

    /**
     * Makes the strands ready whose time has come, the earliest first, equal times in the order in which they were set.
     */
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
