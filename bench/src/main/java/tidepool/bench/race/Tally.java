package tidepool.bench.race;

import java.util.ArrayList;
import java.util.List;

/** What one thread does in one round, by type. Its hands add to it one at a time; adding allocates nothing. */
final class Tally {
    private final TypeTally[] types;
    private final TypeTally unserved = new TypeTally();
    private final Gauge gauge = new Gauge();
    private long lastEnd;
    private long bytesAllocated;

    Tally(int types) {
        this.types = new TypeTally[types];
        for (int i = 0; i < types; i++) this.types[i] = new TypeTally();
    }

    /** A transaction has ended at that time. */
    void add(int type, End end, Hand hand, long nanos, long now) {
        types[type].add(end, hand, nanos);
        gauge.add(end == End.COMMITTED, nanos);
        lastEnd = now;
    }

    /** A transaction that should have begun so long ago had no turn before the time was up. */
    void addUnserved(long waitedNanos) {
        unserved.addWaiting(waitedNanos);
    }

    void allocated(long bytes) {
        bytesAllocated = bytes;
    }

    Gauge gauge() {
        return gauge;
    }

    /** When the last transaction ended; 0 if none has. */
    long lastEnd() {
        return lastEnd;
    }

    long bytesAllocated() {
        return bytesAllocated;
    }

    /** Those that had no turn, of all threads of a round: of them only the times are known. */
    static TypeTally sumUnserved(List<Tally> tallies) {
        TypeTally sum = new TypeTally();
        for (Tally tally : tallies) sum.add(tally.unserved);
        return sum;
    }

    /** What has ended, of all threads of a round, by type. */
    static List<TypeTally> sum(List<Tally> tallies) {
        List<TypeTally> sum = new ArrayList<>();
        for (int type = 0; type < tallies.getFirst().types.length; type++) {
            TypeTally one = new TypeTally();
            for (Tally tally : tallies) one.add(tally.types[type]);
            sum.add(one);
        }
        return sum;
    }
}
