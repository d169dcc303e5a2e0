package tidepool.tcp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ring of the frames of one connection, from the oldest unanswered one on. Answers arrive in that order, except those
 * that a node defers until its journal is durable. One thread at a time adds (the holder of the endpoint's write lock),
 * and one thread at a time takes (the reader).
 */
final class InFlightRing {
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(InFlightRing.class, "head", int.class);
            TAIL = lookup.findVarHandle(InFlightRing.class, "tail", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final FrameInFlight[] flights;
    private final int mask;

    private int ahead; // frames answered and still in the ring; used by the reader only
    private int added; // the index after the last frame added, shown or not; used by the writer only

    @SuppressWarnings("unused") // through HEAD
    private int head;

    @SuppressWarnings("unused") // through TAIL
    private int tail;

    /** @param capacity a power of two */
    InFlightRing(int capacity) {
        flights = new FrameInFlight[capacity];
        mask = capacity - 1;
        for (int i = 0; i < capacity; i++) flights[i] = new FrameInFlight();
    }

    /** Returns the place for the next frame. {@link #added} then makes the frame a part of the ring. */
    FrameInFlight next() {
        return flights[added & mask];
    }

    void added() {
        added++;
    }

    /** Makes all added frames visible to the reader. */
    void show() {
        if (added != (int) TAIL.get(this)) TAIL.setRelease(this, added);
    }

    /** Returns how many more frames the ring can hold. */
    int room() {
        return flights.length - (added - (int) HEAD.getAcquire(this));
    }

    int count() {
        return (int) TAIL.getAcquire(this) - (int) HEAD.getAcquire(this);
    }

    /** Returns the i-th oldest frame. Called by the reader. */
    FrameInFlight get(int i) {
        return flights[((int) HEAD.get(this) + i) & mask];
    }

    /** Marks the i-th oldest frame as answered. It leaves the ring when all older frames are answered. */
    void answered(int i) {
        if (i > 0) {
            get(i).answered = true;
            ahead++;
            return;
        }
        taken();
        while (ahead > 0 && get(0).answered) {
            ahead--;
            taken();
        }
    }

    /** Returns the number of frames that are not answered yet. Called by the reader. */
    int owed() {
        return count() - ahead;
    }

    /** Removes the oldest frame. */
    void taken() {
        HEAD.setRelease(this, (int) HEAD.get(this) + 1);
    }
}
