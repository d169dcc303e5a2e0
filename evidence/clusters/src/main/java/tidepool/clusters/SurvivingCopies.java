package tidepool.clusters;

import java.util.function.BiPredicate;
import tidepool.sim.SimFabric;
import tidepool.store.Membership;
import tidepool.store.Roster;

/**
 * The copies of a simulated pool that are left if one more node dies or all nodes lose their power. If they are not
 * enough, no promise holds, so the simulation does not let it happen. If no node is lost, they have to be enough.
 */
final class SurvivingCopies {
    private final SimFabric fabric;
    private final SimRosters rosters;
    private final Membership own;
    private boolean excused; // from surviving a loss of power

    SurvivingCopies(SimFabric fabric, SimRosters rosters) {
        this.fabric = fabric;
        this.rosters = rosters;
        this.own = rosters.client();
    }

    /** Whether every partition keeps a whole and trusted copy on a node that lives if this node dies. */
    boolean remainWithout(int dying, boolean losesPower) {
        if (!losesPower || isRepaired()) return remain(dying, (position, partition) -> true);
        return remain(dying, view()::isFlushed);
    }

    /** Called when a node has died. Returns whether {@link #outlastPowerLoss} is still true. */
    boolean outlastDeath() {
        excused = true;
        return outlastPowerLoss();
    }

    /**
     * Returns whether everything that was reported survives if the power fails now. It need not survive after a node
     * has died, which may have had the last flushed copy of something, until the roster is changed to one without that
     * node. Nothing else is an excuse.
     */
    boolean outlastPowerLoss() {
        boolean outlast = remain(-1, view()::isFlushedForGood);
        excused &= !rosters.now().steady() || isAnyMemberLost();
        if (!outlast && !excused)
            throw new ClusterFailure("no memory node is lost, and the pool would not outlast a loss of power: "
                    + rosters.now().text());
        return outlast;
    }

    private boolean remain(int dying, BiPredicate<Integer, Integer> isBelieved) {
        Roster now = rosters.now();
        for (int p = 0; p < now.partitions().size(); p++) {
            boolean kept = false;
            for (int position : now.partitions().get(p).whole()) {
                int node = SimRosters.node(now.members().get(position));
                kept |= node != dying
                        && !rosters.isLost(node)
                        && !fabric.isDown(node)
                        && !own.isGone(now.members().get(position)) // it may have come back as another
                        && isBelieved.test(position, p);
            }
            if (!kept) return false;
        }
        return true;
    }

    private boolean isAnyMemberLost() {
        return rosters.now().members().stream()
                .anyMatch(member -> rosters.isLost(SimRosters.node(member)) || own.isMissing(member));
    }

    /** Whether no loss of power is left to be repaired. */
    private boolean isRepaired() {
        Roster now = rosters.now();
        PoolView view = view();
        for (int i = 0; i < now.members().size(); i++)
            if (!fabric.isDown(SimRosters.node(now.members().get(i))) && !view.isRepaired(i)) return false;
        return true;
    }

    private PoolView view() {
        return new PoolView(rosters.showing(rosters.now()), rosters.now());
    }
}
