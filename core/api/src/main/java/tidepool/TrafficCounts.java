package tidepool;

import tidepool.fabric.Traffic;

/**
 * The traffic of all transactions of this process: round trips, rounds, verbs and bytes. The counts are exact. They do
 * not depend on the machine.
 *
 * <pre>{@code
 * TrafficCounts before = pool.traffic();
 * pool.transact(tx -> accounts.put(tx, new Account(17, 100)));
 * long trips = pool.traffic().roundTrips() - before.roundTrips();
 * }</pre>
 *
 * @param roundTrips the longest chain of awaited rounds: rounds that overlap count once
 * @param rounds rounds that a transaction waited for
 * @param backgroundRounds rounds that no transaction waited for, such as the release of locks
 * @param verbs verbs of all rounds
 * @param bytesRead bytes that awaited rounds have read
 * @param bytesWritten bytes that awaited rounds have written
 */
public record TrafficCounts(
        long roundTrips, long rounds, long backgroundRounds, long verbs, long bytesRead, long bytesWritten) {
    static TrafficCounts of(Traffic traffic) {
        return new TrafficCounts(
                traffic.roundTrips(),
                traffic.rounds(),
                traffic.backgroundRounds(),
                traffic.allVerbs(),
                traffic.bytesRead(),
                traffic.bytesWritten());
    }

    /** Returns the counts in one line, such as {@code roundTrips=2 rounds=2 backgroundRounds=1 verbs=9 …}. */
    @Override
    public String toString() {
        return "roundTrips=" + roundTrips + " rounds=" + rounds + " backgroundRounds=" + backgroundRounds + " verbs="
                + verbs + " bytesRead=" + bytesRead + " bytesWritten=" + bytesWritten;
    }
}
