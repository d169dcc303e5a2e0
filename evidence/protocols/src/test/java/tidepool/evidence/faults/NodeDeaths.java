package tidepool.evidence.faults;

import java.util.List;
import tidepool.clusters.SimRosters;
import tidepool.fabric.VerbKind;
import tidepool.sim.SimFabric;
import tidepool.sim.VerbInFlight;
import tidepool.sim.VerbListener;

/** Kills memory nodes at given verbs, one death after the other. */
final class NodeDeaths implements VerbListener {
    private static final long RETURN_NANOS = 100_000;
    private static final long AWAY_NANOS = 4_000_000;

    private final SimFabric fabric;
    private final SimRosters rosters;
    private final List<NodeDeath> deaths;
    private int died;
    private long posted;
    private long applied;
    private long begun;
    private long begunNanos;

    NodeDeaths(SimFabric fabric, SimRosters rosters, List<NodeDeath> deaths) {
        this.fabric = fabric;
        this.rosters = rosters;
        this.deaths = deaths;
    }

    /** Whether the first node has died. */
    boolean hasBegun() {
        return died > 0;
    }

    /** Returns the time of the first death. */
    long begunNanos() {
        return begunNanos;
    }

    /** Whether all deaths have happened. */
    boolean isOver() {
        return died == deaths.size();
    }

    @Override
    public void onPosted(VerbInFlight verb) {
        if (isMeant(verb) && posted++ == deaths.get(died).verb()) happens(NodeDeath.When.BEFORE);
    }

    @Override
    public void onBegun(VerbInFlight verb) {
        if (isMeant(verb)
                && verb.kind() == VerbKind.WRITE
                && begun++ == deaths.get(died).verb()) happens(NodeDeath.When.DURING);
    }

    @Override
    public void onApplied(VerbInFlight verb) {
        if (isMeant(verb) && applied++ == deaths.get(died).verb()) happens(NodeDeath.When.AFTER);
    }

    private boolean isMeant(VerbInFlight verb) {
        return !isOver()
                && verb.node() == deaths.get(died).node()
                && deaths.get(died).strand().equals(verb.strandName())
                && !fabric.isDown(verb.node());
    }

    private void happens(NodeDeath.When when) {
        NodeDeath death = deaths.get(died);
        if (death.when() != when) return;
        if (died++ == 0) begunNanos = fabric.simulation().nowNanos();
        posted = applied = begun = 0;
        rosters.crash(death.node());
        long now = fabric.simulation().nowNanos();
        if (death.returns()) fabric.simulation().at(now + RETURN_NANOS, () -> rosters.comeBack(death.node()));
        else fabric.simulation().at(now + AWAY_NANOS, () -> rosters.comeBackEmpty(death.node()));
    }
}
