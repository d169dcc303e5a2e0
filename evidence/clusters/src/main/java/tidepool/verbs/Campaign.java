package tidepool.verbs;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import tidepool.sim.CoveragePoint;

/**
 * Results of many seeds, added up: turns taken, situations reached, and situations that should have been reached and
 * were not.
 */
public final class Campaign {
    /**
     * Minimum number of turns, over all strands and seeds, from which everything that the faults can reach has to be
     * reached.
     */
    public static final long MIN_TURNS = 200_000;

    private final Faults faults;
    private final Map<CoveragePoint, Long> reached = new EnumMap<>(CoveragePoint.class);
    private long turns;
    private long rounds;
    private long verbs;
    private long sessions;
    private long virtualNanos;
    private long faultsInjected;

    public Campaign(Faults faults) {
        this.faults = faults;
    }

    public void add(RunResult result) {
        turns += result.turns();
        rounds += result.rounds();
        verbs += result.verbs();
        sessions += result.sessions();
        virtualNanos += result.virtualNanos();
        faultsInjected += result.faultsInjected();
        result.coverage().all().forEach((what, count) -> reached.merge(what, count, Long::sum));
    }

    /** Whether the campaign was long enough to demand that everything was reached. */
    public boolean isLongEnough() {
        return turns >= MIN_TURNS;
    }

    /** Returns the situations that the faults can reach and no seed has reached. */
    public List<CoveragePoint> neverReached() {
        return faults.mustReach().stream()
                .filter(what -> !reached.containsKey(what))
                .toList();
    }

    /** Returns how often each situation was reached, over all seeds. */
    public Map<CoveragePoint, Long> reached() {
        return new EnumMap<>(reached);
    }

    public long turns() {
        return turns;
    }

    public long rounds() {
        return rounds;
    }

    public long verbs() {
        return verbs;
    }

    public long sessions() {
        return sessions;
    }

    public long virtualNanos() {
        return virtualNanos;
    }

    public long faultsInjected() {
        return faultsInjected;
    }
}
