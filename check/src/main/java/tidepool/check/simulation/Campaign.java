package tidepool.check.simulation;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import tidepool.fabric.sim.Reach;

/** Many seeds, added up: what was done, what was reached, and what should have been and was not. */
public final class Campaign {
    /** From so many turns on, over all strands and seeds, everything that the faults can reach has to be reached. */
    public static final long LEAST_TURNS = 200_000;

    private final Faults faults;
    private final Map<Reach, Long> reached = new EnumMap<>(Reach.class);
    private long seeds;
    private long turns;
    private long rounds;
    private long verbs;
    private long sessions;
    private long virtualNanos;
    private long faultsInjected;
    private long violations;

    public Campaign(Faults faults) {
        this.faults = faults;
    }

    public void add(RunResult result) {
        seeds++;
        turns += result.turns();
        rounds += result.rounds();
        verbs += result.verbs();
        sessions += result.sessions();
        virtualNanos += result.virtualNanos();
        faultsInjected += result.faultsInjected();
        violations += result.violations().size();
        result.reached().all().forEach((what, count) -> reached.merge(what, count, Long::sum));
    }

    /** Whether it was long enough to demand that everything was reached. */
    public boolean isLongEnough() {
        return turns >= LEAST_TURNS;
    }

    /** What the faults can reach and no seed has. */
    public List<Reach> neverReached() {
        return faults.mustReach().stream()
                .filter(what -> !reached.containsKey(what))
                .toList();
    }

    /** How often each situation was met, over all seeds. */
    public Map<Reach, Long> reached() {
        return new EnumMap<>(reached);
    }

    public long seeds() {
        return seeds;
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

    public long violations() {
        return violations;
    }
}
