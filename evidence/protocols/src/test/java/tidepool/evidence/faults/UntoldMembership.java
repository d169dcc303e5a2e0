package tidepool.evidence.faults;

import tidepool.clusters.SimRosters;
import tidepool.fabric.Fabric;
import tidepool.sim.SimFabric;
import tidepool.store.Membership;
import tidepool.store.Roster;

/** A planted bug: a process does not know how long nodes are trusted before it has opened a first fabric. */
final class UntoldMembership extends FilterMembership {
    private final SimFabric whole;
    private boolean opened;

    UntoldMembership(SimFabric whole, Membership inner) {
        super(inner);
        this.whole = whole;
    }

    @Override
    public Fabric open(Roster roster) {
        Fabric fabric = inner.open(roster);
        if (opened) return fabric;
        opened = true;
        return whole.showing(
                roster.members().stream().mapToInt(SimRosters::node).toArray());
    }
}
