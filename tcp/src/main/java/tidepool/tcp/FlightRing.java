package tidepool.tcp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The frames of one connection from the oldest that was not answered yet on. Answers come in that order, but for those that
 * a node holds until something is kept. One thread adds at a time (who holds the port's write lock) and one takes (who reads).
 */
final class FlightRing {
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(FlightRing.class, "head", int.class);
            TAIL = lookup.findVarHandle(FlightRing.class, "tail", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Flight[] flights;
    private final int mask;

    private int ahead; // answered, and still here: for the one who reads
    private int added; // behind the tail, and not yet shown: for the one who adds

    @SuppressWarnings("unused") // through HEAD
    private int head;

    @SuppressWarnings("unused") // through TAIL
    private int tail;

    /** @param capacity a power of two */
    FlightRing(int capacity) {
        flights = new Flight[capacity];
        mask = capacity - 1;
        for (int i = 0; i < capacity; i++) flights[i] = new Flight();
    }

    /** The place for the next frame; it is kept when {@link #added} is called. */
    Flight next() {
        return flights[added & mask];
    }

    void added() {
        added++;
    }

    /** Shows all that were added to whoever reads. */
    void show() {
        if (added != (int) TAIL.get(this)) TAIL.setRelease(this, added);
    }

    /** Room for so many more. */
    int room() {
        return flights.length - (added - (int) HEAD.getAcquire(this));
    }

    int count() {
        return (int) TAIL.getAcquire(this) - (int) HEAD.getAcquire(this);
    }

    /** The i-th oldest, for the one who reads. */
    Flight get(int i) {
        return flights[((int) HEAD.get(this) + i) & mask];
    }

    /** The i-th oldest is answered; it leaves when all that are older are. */
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

    /** Those that are not answered yet, for the one who reads. */
    int owed() {
        return count() - ahead;
    }

    /** The oldest leaves. */
    void taken() {
        HEAD.setRelease(this, (int) HEAD.get(this) + 1);
    }
}
