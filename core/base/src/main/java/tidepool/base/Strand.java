package tidepool.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One thread of control of a protocol: blocking code that shares a real thread with many others, or that the simulator
 * runs in the order of its seed. It waits by {@link #park}; the code that completes its work calls {@link #unpark}.
 *
 * <p>Between two waits a strand runs alone among the strands of its {@link Scheduler}. It may not wait while it holds a
 * monitor or a lock: the other strands run on the same thread, and would either get the lock too or stop for ever.
 */
public final class Strand {
    // States of a strand. NEW, TIMER and WOKEN are all "ready"; they differ in the effect of an unpark.
    private static final int NEW = 0; // started, has never run
    private static final int RUNNING = 1;
    private static final int PARKED = 2; // until unpark, or until the timer if there is one
    private static final int SLEEPING = 3; // until the timer; an unpark is only remembered
    private static final int WOKEN = 4; // ready because of an unpark: a second one adds nothing
    private static final int TIMER = 5; // ready because of a timer, or because it gave way
    private static final int ENDED = 6;
    private static final int PERMIT = 8; // flag: an unpark came before the park, which will return at once

    private static final VarHandle STATE;
    private static final VarHandle WISHES;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Strand.class, "state", int.class);
            WISHES = MethodHandles.lookup().findVarHandle(Strand.class, "wishes", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Scheduler scheduler;
    private final Coroutine coroutine;
    private final int id;
    private final String name;

    /**
     * Changed only where the scheduler runs, so it takes no atomic instruction. Any thread may ask whether the strand
     * ended.
     */
    private int state = NEW;

    private volatile boolean abandoned;
    private boolean timedOut;
    private long turns;

    Strand nextInInbox; // of a Carrier: the inbox is a list through the strands themselves

    @SuppressWarnings("unused") // through WISHES
    private int wishes; // of a Carrier: requests of other threads; the strand is in the inbox unless 0

    int timerSlot = Timers.NONE; // of Timers: the index in the heap
    long timerNanos;
    long timerOrder;

    Strand(Scheduler scheduler, int id, String name, Runnable body, Coroutine.Kind kind) {
        this.scheduler = scheduler;
        this.id = id;
        this.name = name;
        this.coroutine = Coroutine.of(
                name,
                () -> {
                    CurrentStrand.ofThread().strand = this; // a thread of its own has its own thread locals
                    body.run();
                },
                kind);
    }

    /** Returns the strand that calls, or null in a plain thread. */
    public static Strand current() {
        return CurrentStrand.ofThread().strand;
    }

    /**
     * Waits until {@link #unpark}. If an unpark came since the last park, uses it up and returns at once. Allocates
     * nothing.
     */
    public static void park() {
        inStrand().parkHere(PARKED);
    }

    /** Lets the other ready strands run first. */
    public static void giveWay() {
        Strand self = inStrand();
        self.move(TIMER);
        self.scheduler.ready(self);
        self.coroutine.suspend();
    }

    /** Makes the strand ready, or lets its next {@link #park} return at once. On a Carrier, from any thread. */
    public void unpark() {
        if (scheduler.isHere()) unparkHere();
        else scheduler.unparkElsewhere(this);
    }

    /** Returns the number of the strand in its scheduler, from 0 in the order of starting. */
    public int id() {
        return id;
    }

    public String name() {
        return name;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /**
     * Returns the number of times the strand was resumed. It grows by every wait that let others run. For the strand
     * itself.
     */
    public long turns() {
        return turns;
    }

    /** Returns true if the body has returned or thrown, or the strand was abandoned. */
    public boolean isDone() {
        return (int) STATE.getAcquire(this) == ENDED;
    }

    /**
     * Returns true for a strand that crashed. Its {@code finally} blocks may ask, and then leave shared state
     * unchanged.
     */
    public boolean isAbandoned() {
        return abandoned;
    }

    /** Returns the exception of the body, or null. */
    public Throwable failure() {
        return coroutine.failure();
    }

    /**
     * Crashes the strand: it never continues. Called on its scheduler's thread, by another strand or by the strand
     * itself; in the latter case this call does not return.
     */
    public void abandon() {
        if (isDone()) return;
        abandoned = true;
        state(ENDED);
        scheduler.forget(this);
        coroutine.abandon();
    }

    @Override
    public String toString() {
        return "strand " + id + " " + name;
    }

    /** Waits for the timer alone. */
    void sleepHere() {
        parkHere(SLEEPING);
    }

    /** Waits for an unpark or the timer. Returns true if it was the timer. */
    boolean parkWithTimerHere() {
        return parkHere(PARKED);
    }

    /** Does {@link #park} for this strand, which must be the current one. */
    void parkSelf() {
        if (isDone()) throw Coroutine.Abandoned.CRASH;
        parkHere(PARKED);
    }

    private boolean parkHere(int how) {
        if (!mayWait(how)) return false;
        try {
            coroutine.suspend();
        } catch (InvariantException pinned) {
            move(RUNNING); // it never stopped; the caller decides how to continue
            throw pinned;
        }
        return timedOut;
    }

    /** Unparks the strand. Called where the scheduler runs. */
    void unparkHere() {
        int now = state;
        if (now == PARKED) {
            state(WOKEN);
            scheduler.ready(this);
        } else if (now != WOKEN && now != ENDED) {
            state(now | PERMIT);
        }
    }

    /** Called when its timer is due. Returns true if this made it ready, false if an unpark came first. */
    boolean wakeByTimer() {
        int where = state & ~PERMIT;
        if (where != SLEEPING && where != PARKED) return false;
        move(TIMER);
        return true;
    }

    /** Runs until the strand waits or ends. Returns true if it ended now. Queues may still hold ended strands. */
    boolean resumeHere() {
        if (isDone()) return false;
        timedOut = (state & ~PERMIT) == TIMER;
        turns++;
        move(RUNNING);
        if (!coroutine.resume() || isDone()) return false;
        state(ENDED);
        return true;
    }

    /**
     * Leaves RUNNING for a wait. Returns false if the permit is there already, so that there is nothing to wait for.
     */
    private boolean mayWait(int how) {
        if (how == PARKED && (state & PERMIT) != 0) {
            state(RUNNING);
            return false;
        }
        move(how);
        return true;
    }

    /** Changes the state and keeps the permit. */
    private void move(int where) {
        int now = state;
        if (now != ENDED) state(where | now & PERMIT);
    }

    private void state(int next) {
        STATE.setRelease(this, next);
    }

    /**
     * Adds a request; from any thread. Returns true for the first one since {@link #takeWishes}: the caller then puts
     * the strand into the inbox.
     */
    boolean wish(int what) {
        return (int) WISHES.getAndBitwiseOr(this, what) == 0;
    }

    /** Returns all requests and clears them. */
    int takeWishes() {
        return (int) WISHES.getAndSet(this, 0);
    }

    /** Returns the current strand if it may wait. A crashed strand that is unwinding may not, or it would never end. */
    static Strand inStrand() {
        Strand self = current();
        if (self == null) throw new IllegalStateException("only a strand can park; plain threads use Waiting");
        if (self.isDone()) throw Coroutine.Abandoned.CRASH;
        return self;
    }
}
