package tidepool.evidence.faults;

import java.util.List;
import tidepool.clusters.SimRosters;
import tidepool.fabric.Fabric;
import tidepool.sim.SimFabric;
import tidepool.store.Membership;
import tidepool.store.Roster;

/** A planted bug: a process does not know how long nodes are trusted before it has opened a first fabric. */
final class UntoldMembership implements Membership {
    private final SimFabric whole;
    private final Membership membership;
    private boolean opened;

    UntoldMembership(SimFabric whole, Membership membership) {
        this.whole = whole;
        this.membership = membership;
    }

    @Override
    public Fabric open(Roster roster) {
        Fabric fabric = membership.open(roster);
        if (opened) return fabric;
        opened = true;
        return whole.showing(
                roster.members().stream().mapToInt(SimRosters::node).toArray());
    }

    @Override
    public Roster latest() {
        return membership.latest();
    }

    @Override
    public Roster read() {
        return membership.read();
    }

    @Override
    public boolean replace(Roster from, Roster to) {
        return membership.replace(from, to);
    }

    @Override
    public boolean isGone(Roster.Member member) {
        return membership.isGone(member);
    }

    @Override
    public boolean isMissing(Roster.Member member) {
        return membership.isMissing(member);
    }

    @Override
    public List<Roster.Member> strangers() {
        return membership.strangers();
    }

    @Override
    public void close() {
        membership.close();
    }
}
