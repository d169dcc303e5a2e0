package tidepool.protocol.time;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import tidepool.fabric.Session;

/**
 * The state that the coordinators of one session share about the counter of timestamps: a known timestamp, and the
 * request that may be joined.
 */
final class SharedCounter {
    private final AtomicReference<TimestampBatch> open = new AtomicReference<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicLong known = new AtomicLong();

    static SharedCounter of(Session session) {
        return session.shared(SharedCounter.class, SharedCounter::new);
    }

    /** Called when a timestamp was given or read. An older one may replace a newer one: it is still a valid bound. */
    void learn(long timestamp) {
        if (timestamp > known.getOpaque()) known.setOpaque(timestamp);
    }

    long known() {
        return known.getOpaque();
    }

    /** Returns the request that can be joined, or null. */
    TimestampBatch joinable() {
        return open.getAcquire();
    }

    /** Offers a request to other coordinators. Returns false if there is another one. */
    boolean offer(TimestampBatch batch) {
        return open.compareAndSet(null, batch);
    }

    void withdraw(TimestampBatch batch) {
        open.compareAndSet(batch, null);
    }

    // ---- requests in flight

    void sent() {
        underWay.incrementAndGet();
    }

    void answered() {
        underWay.decrementAndGet();
    }

    /** Returns whether requests of this session are in flight, so that other coordinators are likely to ask soon. */
    boolean isBusy() {
        return underWay.get() > 0;
    }
}
