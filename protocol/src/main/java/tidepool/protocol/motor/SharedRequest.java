package tidepool.protocol.motor;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import tidepool.base.Clock;
import tidepool.base.Strand;
import tidepool.base.Waiting;

/**
 * A request for timestamps that several coordinators of a session share: one of them leads it and sends one FAA for all. Others
 * join until it is closed, which happens before it is sent; so nobody gets a timestamp that was asked for before it wanted one.
 *
 * <p>A coordinator leads one request after the other with the same object. Nobody blocks anybody: who has joined waits for the
 * answer, but not longer than a while, and then asks for itself; and as long as somebody has not fetched its own, the leader
 * asks alone.
 */
final class SharedRequest {
    private static final int MOST = 64;
    private static final int CLOSED = Integer.MIN_VALUE;
    private static final long PATIENCE_NANOS = 10_000_000;
    private static final long SPIN_NANOS = 500;

    /** None of the timestamps: it did not come in time. */
    static final long NEVER = 0;

    /** How many there are, the leader first; negative when nobody can join any more. */
    private final AtomicInteger members = new AtomicInteger(CLOSED);

    /** Who has not fetched its timestamp yet; the leader is not counted. */
    private final AtomicInteger left = new AtomicInteger();

    private final AtomicReferenceArray<Strand> waiting = new AtomicReferenceArray<>(MOST);

    /** The leader's timestamp; {@link #NEVER} until the answer is here. */
    private volatile long first;

    // ---- of the leader

    /** Opens it for others; false if those of the last time have not all gone. */
    boolean open() {
        if (left.get() != 0) return false;
        first = NEVER;
        members.set(1);
        return true;
    }

    /** From here on nobody joins. Returns how many timestamps are wanted. */
    int close() {
        int count = members.getAndSet(CLOSED);
        left.set(count - 1);
        return count;
    }

    /** The answer is here: members get timestamps from this one on, in the order in which they came. */
    void answered(long firstOfAll, int count) {
        first = firstOfAll;
        for (int i = 1; i < count; i++) {
            Strand strand = waiting.get(i);
            if (strand != null) strand.unpark();
        }
    }

    // ---- of the others

    /** Joins; the place among the members, or -1 if it is closed. */
    int join() {
        while (true) {
            int count = members.get();
            if (count < 1 || count == MOST) return -1;
            if (members.compareAndSet(count, count + 1)) return count;
        }
    }

    /** The timestamp of a member. Waits, but not for ever: {@link #NEVER} if no answer came. */
    long await(int place) {
        long deadline = Clock.current().nowNanos() + PATIENCE_NANOS;
        Strand strand = Strand.current();
        waiting.set(place, strand);
        while (first == NEVER) {
            long patience = deadline - Clock.current().nowNanos();
            if (patience <= 0) return NEVER; // and the leader never uses this object again
            if (strand == null) Waiting.pause(SPIN_NANOS);
            else strand.scheduler().parkFor(patience);
        }
        long mine = first + place;
        waiting.set(place, null);
        left.decrementAndGet();
        return mine;
    }
}
