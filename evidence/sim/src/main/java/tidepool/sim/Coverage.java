package tidepool.sim;

import java.util.EnumMap;
import java.util.Map;

/** The counts of all {@link CoveragePoint}s. */
public final class Coverage {
    private static final CoveragePoint[] ALL = CoveragePoint.values();

    private final long[] counts = new long[ALL.length];

    /** Creates counts of zero: to sum up those of several simulations. */
    public Coverage() {}

    public long count(CoveragePoint what) {
        return counts[what.ordinal()];
    }

    /** Returns all points that were reached at least once, in the order of {@link CoveragePoint}. */
    public Map<CoveragePoint, Long> all() {
        Map<CoveragePoint, Long> map = new EnumMap<>(CoveragePoint.class);
        for (CoveragePoint what : ALL) if (count(what) != 0) map.put(what, count(what));
        return map;
    }

    /** Fails unless each of these points was reached at least once: a test that never reaches them proves nothing. */
    public Coverage require(CoveragePoint... wanted) {
        for (CoveragePoint what : wanted)
            if (count(what) == 0) throw new AssertionError("never reached: " + what + "; reached: " + this);
        return this;
    }

    void add(CoveragePoint what) {
        counts[what.ordinal()]++;
    }

    /** Adds the counts of another simulation: a campaign checks the sum over its seeds. */
    public void add(Coverage other) {
        for (int i = 0; i < counts.length; i++) counts[i] += other.counts[i];
    }

    @Override
    public String toString() {
        return all().toString();
    }
}
