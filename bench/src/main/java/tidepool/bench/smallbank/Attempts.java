package tidepool.bench.smallbank;

import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Outcome;
import tidepool.protocol.Txn;

/**
 * Runs transactions on fields until they commit, with the pauses of {@code Tidepool.transact}, and allocates nothing.
 *
 * <pre>{@code
 * do {
 *     Txn txn = attempts.begin();
 *     int access = txn.update(table, key);
 *     if (!txn.execute()) continue;
 *     …
 * } while (!attempts.committed());
 * }</pre>
 */
final class Attempts {
    private static final long LEAST_PAUSE_NANOS = 200;
    private static final int PAUSE_DOUBLINGS = 12;

    private final Coordinator coordinator;
    private final Randomness random;
    private Txn txn;
    private int attempt;
    private long aborts;

    Attempts(Coordinator coordinator, long seed) {
        this.coordinator = coordinator;
        this.random = new Randomness(seed);
    }

    Txn begin() {
        txn = coordinator.begin();
        return txn;
    }

    /** Commits what was begun; false after a pause if it was, or is now, in the way of others. */
    boolean committed() {
        Outcome outcome = txn.commit();
        if (outcome == Outcome.COMMITTED) {
            attempt = 0;
            return true;
        }
        if (outcome == Outcome.UNKNOWN) throw new IllegalStateException("the fabric failed");
        aborts++;
        attempt++;
        Waiting.pause(1 + random.nextLong(LEAST_PAUSE_NANOS << Math.min(attempt, PAUSE_DOUBLINGS)));
        return false;
    }

    /** Ends what was begun: nothing happens. */
    void rollback() {
        txn.rollback();
        attempt = 0;
    }

    long aborts() {
        return aborts;
    }

    long roundTrips() {
        return coordinator.traffic().roundTrips();
    }
}
