package tidepool.check.cluster;

import java.util.function.BiPredicate;
import tidepool.fabric.sim.SimFabric;
import tidepool.store.Membership;
import tidepool.store.Roster;

/**
 * What is left of a simulated pool if one more node dies or all lose their power: nobody promises anything if that is not
 * enough, so it does not happen then. And it has to be enough when nothing has happened.
 */
final class LastCopies {
    private final SimFabric fabric;
    private final SimRosters rosters;
    private final Membership own;
    private boolean excused; // from outlasting a loss of power

    LastCopies(SimFabric fabric, SimRosters rosters) {
        this.fabric = fabric;
        this.rosters = rosters;
        this.own = rosters.client();
    }

    /** Whether every partition keeps a whole copy on a node that lives if this one dies, and one that is believed. */
    boolean remainWithout(int dying, boolean losesPower) {
        if (!losesPower || isRepaired()) return remain(dying, (position, partition) -> true);
        return remain(dying, view()::isFlushed);
    }

    /** A node has died. Whether {@link #outlastPowerLoss} is still true. */
    boolean outlastDeath() {
        excused = true;
        return outlastPowerLoss();
    }

    /**
     * Whether everything that was reported is there if the power fails now. It need not be when a node has died, which may have
     * had the last copy of something that was flushed, until a change without it is made; nothing else is an excuse.
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

    /** Whether nothing is left to be made good of a loss of power. */
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
