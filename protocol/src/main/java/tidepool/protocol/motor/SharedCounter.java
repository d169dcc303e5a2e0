package tidepool.protocol.motor;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import tidepool.fabric.Session;

/** What the coordinators of one session have in common about the counter of timestamps: how far it is, and who may be joined. */
final class SharedCounter {
    private final AtomicReference<SharedRequest> open = new AtomicReference<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicLong known = new AtomicLong();

    static SharedCounter of(Session session) {
        return session.shared(SharedCounter.class, SharedCounter::new);
    }

    /** A timestamp was given, or read. An older one may take the place of a newer one: it is a bound all the same. */
    void learn(long timestamp) {
        if (timestamp > known.getOpaque()) known.setOpaque(timestamp);
    }

    long known() {
        return known.getOpaque();
    }

    /** The request that can be joined, or null. */
    SharedRequest joinable() {
        return open.getAcquire();
    }

    /** Others may join this one; false if there is another. */
    boolean offer(SharedRequest request) {
        return open.compareAndSet(null, request);
    }

    void withdraw(SharedRequest request) {
        open.compareAndSet(request, null);
    }

    // ---- whether it is worth the trouble

    void sent() {
        underWay.incrementAndGet();
    }

    void answered() {
        underWay.decrementAndGet();
    }

    /** Whether requests of this session are under way, so that others are likely to ask soon. */
    boolean isBusy() {
        return underWay.get() > 0;
    }
}
