package tidepool.bench.race;

import java.util.ArrayList;
import java.util.List;

/** The work of one thread in one round, by type. Its drivers add to it one at a time; adding allocates nothing. */
final class ThreadTally {
    private final TypeTally[] types;
    private final TypeTally unserved = new TypeTally();
    private final Gauge gauge = new Gauge();
    private long lastEnd;
    private long bytesAllocated;

    ThreadTally(int types) {
        this.types = new TypeTally[types];
        for (int i = 0; i < types; i++) this.types[i] = new TypeTally();
    }

    /** Called when a transaction has ended at that time. */
    void add(int type, TxnEnd end, ClientDriver driver, long nanos, long now) {
        types[type].add(end, driver, nanos);
        gauge.add(end == TxnEnd.COMMITTED, nanos);
        lastEnd = now;
    }

    /** Called for a transaction that was due this long ago and not begun before the end. */
    void addUnserved(long waitedNanos) {
        unserved.addWaiting(waitedNanos);
    }

    void allocated(long bytes) {
        bytesAllocated = bytes;
    }

    Gauge gauge() {
        return gauge;
    }

    /** Returns when the last transaction ended; 0 if none has. */
    long lastEnd() {
        return lastEnd;
    }

    long bytesAllocated() {
        return bytesAllocated;
    }

    /** Returns the unserved transactions of all threads of a round; only their times are known. */
    static TypeTally sumUnserved(List<ThreadTally> tallies) {
        TypeTally sum = new TypeTally();
        for (ThreadTally tally : tallies) sum.add(tally.unserved);
        return sum;
    }

    /** Returns the transactions of all threads of a round that have ended, by type. */
    static List<TypeTally> sum(List<ThreadTally> tallies) {
        List<TypeTally> sum = new ArrayList<>();
        for (int type = 0; type < tallies.getFirst().types.length; type++) {
            TypeTally one = new TypeTally();
            for (ThreadTally tally : tallies) one.add(tally.types[type]);
            sum.add(one);
        }
        return sum;
    }
}
