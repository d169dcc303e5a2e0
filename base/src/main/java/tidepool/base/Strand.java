package tidepool.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One thread of control of a protocol: blocking code that shares a real thread with many others, or that the
 * simulator runs when its seed says so. It waits by {@link #park}; whoever has what it waits for calls {@link #unpark}.
 *
 * <p>Between two waits a strand runs alone among the strands of its {@link Scheduler}. It may not wait while it holds
 * a monitor or a lock: the others run on the same thread, and would either get the lock too or stop for ever.
 */
public final class Strand {
    // Where a strand is. NEW and TIMER and WOKEN are all "ready"; they differ in what an unpark means to them.
    private static final int NEW = 0; // started, never ran
    private static final int RUNNING = 1;
    private static final int PARKED = 2; // until unpark, or a timer if there is one
    private static final int SLEEPING = 3; // until a timer; an unpark is only remembered
    private static final int WOKEN = 4; // ready because of an unpark: a second one adds nothing
    private static final int TIMER = 5; // ready because of a timer, or because it gave way
    private static final int ENDED = 6;
    private static final int PERMIT = 8; // added: an unpark came before the park, which will return at once

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

    /** Changed where the scheduler runs and nowhere else, so it takes no atomic instruction; anybody may ask whether it ended. */
    private int state = NEW;

    private volatile boolean abandoned;
    private boolean timedOut;
    private long turns;

    Strand nextInInbox; // of a Carrier: the inbox is a list through the strands themselves

    @SuppressWarnings("unused") // through WISHES
    private int wishes; // of a Carrier: what other threads want of it; in the inbox unless 0

    int timerSlot = Timers.NONE; // of Timers: where in the heap
    long timerNanos;
    long timerOrder;

    Strand(Scheduler scheduler, int id, String name, Runnable body, Coroutine.Kind kind) {
        this.scheduler = scheduler;
        this.id = id;
        this.name = name;
        this.coroutine = Coroutine.of(
                name,
                () -> {
                    Current.ofThread().strand = this; // a thread of its own has its own thread locals
                    body.run();
                },
                kind);
    }

    /** The strand that is running here, or null in a plain thread. */
    public static Strand current() {
        return Current.ofThread().strand;
    }

    /**
     * Waits until {@link #unpark}; returns at once, and uses it up, if one came since the last park. Allocates nothing.
     */
    public static void park() {
        inStrand().parkHere(PARKED);
    }

    /** Lets the others that are ready run first. */
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

    /** Counted from 0 in the order of starting, within one scheduler. */
    public int id() {
        return id;
    }

    public String name() {
        return name;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /** How often it was its turn: it grows by every wait that let others run. For the strand itself. */
    public long turns() {
        return turns;
    }

    /** True when the body has returned or thrown, or the strand was abandoned. */
    public boolean isDone() {
        return (int) STATE.getAcquire(this) == ENDED;
    }

    /** True for a strand that crashed. Its {@code finally} blocks may ask, and leave the world alone. */
    public boolean isAbandoned() {
        return abandoned;
    }

    /** What the body threw, or null. */
    public Throwable failure() {
        return coroutine.failure();
    }

    /**
     * Crashes the strand: it never runs on. Called on its scheduler's thread, by another strand or by itself; in the
     * latter case this call does not return.
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

    /** Waits for its timer alone. */
    void sleepHere() {
        parkHere(SLEEPING);
    }

    /** Waits for an unpark or its timer; true if it was the timer. */
    boolean parkWithTimerHere() {
        return parkHere(PARKED);
    }

    /** The same as {@link #park}, by this strand. */
    void parkSelf() {
        if (isDone()) throw Coroutine.Abandoned.CRASH;
        parkHere(PARKED);
    }

    private boolean parkHere(int how) {
        if (!mayWait(how)) return false;
        try {
            coroutine.suspend();
        } catch (InvariantException pinned) {
            move(RUNNING); // it never stopped; what it does now is the caller's business
            throw pinned;
        }
        return timedOut;
    }

    /** An unpark, where the scheduler runs. */
    void unparkHere() {
        int now = state;
        if (now == PARKED) {
            state(WOKEN);
            scheduler.ready(this);
        } else if (now != WOKEN && now != ENDED) {
            state(now | PERMIT);
        }
    }

    /** Its timer has come: ready, unless an unpark was faster. True if it became ready by this. */
    boolean wakeByTimer() {
        int where = state & ~PERMIT;
        if (where != SLEEPING && where != PARKED) return false;
        move(TIMER);
        return true;
    }

    /** Runs until the strand waits or ends; true if it ended now. Entries of ended strands may linger in queues. */
    boolean resumeHere() {
        if (isDone()) return false;
        timedOut = (state & ~PERMIT) == TIMER;
        turns++;
        move(RUNNING);
        if (!coroutine.resume() || isDone()) return false;
        state(ENDED);
        return true;
    }

    /** Leaves RUNNING for a wait; false if the permit is there already and there is nothing to wait for. */
    private boolean mayWait(int how) {
        if (how == PARKED && (state & PERMIT) != 0) {
            state(RUNNING);
            return false;
        }
        move(how);
        return true;
    }

    /** Changes where the strand is and keeps the permit. */
    private void move(int where) {
        int now = state;
        if (now != ENDED) state(where | now & PERMIT);
    }

    private void state(int next) {
        STATE.setRelease(this, next);
    }

    /** From any thread: wants something of it. True for the first since {@link #takeWishes}: it puts the strand into the inbox. */
    boolean wish(int what) {
        return (int) WISHES.getAndBitwiseOr(this, what) == 0;
    }

    /** All that was wanted. */
    int takeWishes() {
        return (int) WISHES.getAndSet(this, 0);
    }

    /** The current strand, if it may wait: a crashed one that is unwinding may not, or it would never end. */
    static Strand inStrand() {
        Strand self = current();
        if (self == null) throw new IllegalStateException("only a strand can park; plain threads use Waiting");
        if (self.isDone()) throw Coroutine.Abandoned.CRASH;
        return self;
    }
}
