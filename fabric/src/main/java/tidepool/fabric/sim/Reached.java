package tidepool.fabric.sim;

import java.util.EnumMap;
import java.util.Map;

/** How often each {@link Reach} happened. */
public final class Reached {
    private static final Reach[] ALL = Reach.values();

    private final long[] counts = new long[ALL.length];

    /** All at zero: to sum up those of several simulations. */
    public Reached() {}

    public long count(Reach what) {
        return counts[what.ordinal()];
    }

    /** Everything that happened at least once, in the order of {@link Reach}. */
    public Map<Reach, Long> all() {
        Map<Reach, Long> map = new EnumMap<>(Reach.class);
        for (Reach what : ALL) if (count(what) != 0) map.put(what, count(what));
        return map;
    }

    /** Fails unless each of these happened at least once: a test that never got there proves nothing. */
    public Reached require(Reach... wanted) {
        for (Reach what : wanted)
            if (count(what) == 0) throw new AssertionError("never reached: " + what + "; reached: " + this);
        return this;
    }

    void add(Reach what) {
        counts[what.ordinal()]++;
    }

    void add(Reach what, long times) {
        counts[what.ordinal()] += times;
    }

    /** Adds the counts of another simulation: a campaign asks for the sum over its seeds. */
    public void add(Reached other) {
        for (int i = 0; i < counts.length; i++) counts[i] += other.counts[i];
    }

    @Override
    public String toString() {
        return all().toString();
    }
}
