package tidepool.protocol.time;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import tidepool.base.Clock;
import tidepool.base.Strand;
import tidepool.base.Waiting;

/**
 * A request for timestamps that several coordinators of a session share. One of them leads it and sends one FAA for
 * all. Others join until it is closed, which happens before it is sent. So no coordinator gets a timestamp that was
 * asked for before it wanted one.
 *
 * <p>A coordinator leads one request after the other with the same object. No coordinator blocks another. A member
 * waits for the answer for at most {@code PATIENCE_NANOS}, and then asks for itself. While a member has not fetched its
 * timestamp, the leader asks alone.
 */
final class TimestampBatch {
    private static final int MAX_STRANDS = 64;
    private static final int CLOSED = Integer.MIN_VALUE;
    private static final long PATIENCE_NANOS = 10_000_000;
    private static final long SPIN_NANOS = 500;

    /** Not a timestamp: the answer did not arrive in time. */
    static final long NEVER = 0;

    /** Number of members, the leader included; negative when no coordinator can join any more. */
    private final AtomicInteger members = new AtomicInteger(CLOSED);

    /** Number of members that have not fetched their timestamp yet; the leader is not counted. */
    private final AtomicInteger left = new AtomicInteger();

    private final AtomicReferenceArray<Strand> waiting = new AtomicReferenceArray<>(MAX_STRANDS);

    /** The leader's timestamp; {@link #NEVER} until the answer is here. */
    private volatile long first;

    // ---- methods of the leader

    /** Opens the request for others. Returns false if members of the last request have not fetched their timestamps. */
    boolean open() {
        if (left.get() != 0) return false;
        first = NEVER;
        members.set(1);
        return true;
    }

    /** Closes the request: no coordinator can join any more. Returns how many timestamps are wanted. */
    int close() {
        int count = members.getAndSet(CLOSED);
        left.set(count - 1);
        return count;
    }

    /**
     * Called when the answer has arrived. Members get timestamps from this one on, in the order in which they joined.
     */
    void answered(long firstOfAll, int count) {
        first = firstOfAll;
        for (int i = 1; i < count; i++) {
            Strand strand = waiting.get(i);
            if (strand != null) strand.unpark();
        }
    }

    // ---- methods of the members

    /** Joins the request. Returns the place among the members, or -1 if the request is closed or full. */
    int join() {
        while (true) {
            int count = members.get();
            if (count < 1 || count == MAX_STRANDS) return -1;
            if (members.compareAndSet(count, count + 1)) return count;
        }
    }

    /**
     * Waits for the answer, for at most {@code PATIENCE_NANOS}. Returns the timestamp of a member, or {@link #NEVER} if
     * no answer came.
     */
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
