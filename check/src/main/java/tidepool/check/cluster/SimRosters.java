package tidepool.check.cluster;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Strand;
import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.sim.SimFabric;
import tidepool.store.Membership;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;

/**
 * Where the roster of a simulated pool is kept: in one place that never fails by itself, half a trip away, which can be made
 * unreachable. A member is named after its node and its life: a node that lost its memory comes back as another.
 */
public final class SimRosters {
    private static final long HALF_TRIP_NANOS = 20_000;

    /** How long somebody who was shut out elsewhere goes on to believe a node. */
    static final long SETTLE_NANOS = 200_000;

    /** A leader that has not asked for so long is taken for dead. */
    private static final long LEAD_NANOS = 400_000;

    private final SimFabric fabric;
    private final long leaseNanos;
    private final long settleNanos;
    private final int[] lives;
    private final long[] downSince;
    private Roster roster;
    private boolean away;
    private Client leader; // of those that take turns; null if none has asked
    private long ledNanos;

    /**
     * All nodes but the spare ones are members.
     *
     * @param spares nodes behind the others that are there to take the place of those that are lost
     */
    public SimRosters(SimFabric fabric, int spares, int partitions, int replicas, long leaseNanos) {
        this(fabric, spares, partitions, replicas, leaseNanos, SETTLE_NANOS);
    }

    /** @param settleNanos how long somebody who was shut out elsewhere goes on to believe a node */
    public SimRosters(SimFabric fabric, int spares, int partitions, int replicas, long leaseNanos, long settleNanos) {
        this.fabric = fabric;
        this.settleNanos = settleNanos;
        this.leaseNanos = leaseNanos;
        this.lives = new int[fabric.nodes()];
        this.downSince = new long[fabric.nodes()];
        List<Roster.Member> members = new ArrayList<>();
        for (int node = 0; node < fabric.nodes() - spares; node++) members.add(member(node));
        roster = RosterPlan.first(members, partitions, replicas);
    }

    private Roster.Member member(int node) {
        return new Roster.Member("sim:" + node, node + "#" + lives[node]);
    }

    /** The number of the simulated node behind a member. */
    public static int node(Roster.Member member) {
        return Integer.parseInt(member.address().substring("sim:".length()));
    }

    // ---- what happens to nodes

    /** The node stops, with its memory. */
    public void crash(int node) {
        fabric.crashNode(node);
        downSince[node] = fabric.simulation().nowNanos();
    }

    /** The place where the roster is kept does not hear the node any more; everybody else does. */
    public void deafen(int node) {
        downSince[node] = fabric.simulation().nowNanos();
    }

    /** Whether it has died or is not heard of, and will come back as somebody else. */
    boolean isLost(int node) {
        return downSince[node] != 0;
    }

    /** It comes back as it was. */
    public void comeBack(int node) {
        fabric.restartNode(node);
        downSince[node] = 0;
    }

    /** It comes back with nothing, as somebody else. */
    public void comeBackEmpty(int node) {
        fabric.restartEmpty(node);
        lives[node]++;
        downSince[node] = 0;
    }

    /** Nobody can ask for the roster, or change it, until this is taken back. */
    public void setAway(boolean value) {
        away = value;
    }

    // ---- the roster

    /** As it is, for whoever looks from outside. */
    public Roster now() {
        return roster;
    }

    /** Who a node is, in the life it has now. */
    String identity(int node) {
        return member(node).identity();
    }

    /** The position of a node among the members, in the life it has now; -1 if it is none of them. */
    int positionOf(int node) {
        return roster.position(member(node).identity());
    }

    /** What the members of a roster hold, seen from outside. */
    public SimFabric showing(Roster of) {
        return fabric.showing(
                settleNanos, of.members().stream().mapToInt(SimRosters::node).toArray());
    }

    /**
     * The way there for one process, which knows what it has heard and no more. It takes no turns with others who change the
     * roster: changes must be right without.
     */
    public Membership client() {
        return new Client(false);
    }

    /** The way there for a process that changes the roster only while it is the one to do so, as with ZooKeeper. */
    public Membership clientInTurn() {
        return new Client(true);
    }

    private final class Client implements Membership {
        private final boolean takesTurns;
        private Roster known = roster;

        Client(boolean takesTurns) {
            this.takesTurns = takesTurns;
        }

        /** By a lease: one that was busy for longer may find that another leads, too. */
        @Override
        public boolean lead() {
            if (!takesTurns) return true;
            long now = fabric.simulation().nowNanos();
            if (leader != null && leader != this && now - ledNanos <= LEAD_NANOS) return false;
            leader = this;
            ledNanos = now;
            return true;
        }

        @Override
        public Roster latest() {
            return known;
        }

        @Override
        public Roster read() {
            travel();
            Roster read = roster;
            travel();
            if (read.epoch() >= known.epoch()) known = read;
            return read;
        }

        @Override
        public boolean replace(Roster from, Roster to) {
            travel();
            boolean same = roster.equals(from);
            if (same) roster = to;
            travel();
            return same;
        }

        @Override
        public Fabric open(Roster of) {
            for (Roster.Member member : of.members())
                if (!member(node(member)).equals(member))
                    throw FabricException.unavailable("node " + member.identity() + " is not there any more");
            return showing(of);
        }

        @Override
        public boolean isGone(Roster.Member member) {
            int node = node(member);
            if (!member(node).equals(member)) return true;
            return fabric.isDown(node) && fabric.simulation().nowNanos() - downSince[node] > leaseNanos;
        }

        @Override
        public boolean isMissing(Roster.Member member) {
            int node = node(member);
            if (!member(node).equals(member)) return true;
            return isLost(node) && fabric.simulation().nowNanos() - downSince[node] > leaseNanos;
        }

        @Override
        public List<Roster.Member> strangers() {
            List<Roster.Member> strangers = new ArrayList<>();
            for (int node = 0; node < lives.length; node++)
                if (!fabric.isDown(node)
                        && !isLost(node)
                        && roster.position(member(node).identity()) < 0) strangers.add(member(node));
            return strangers;
        }

        @Override
        public void close() {
            if (leader == this) leader = null;
        }
    }

    private void travel() {
        if (Strand.current() != null) Waiting.pause(HALF_TRIP_NANOS);
        if (away) throw FabricException.unavailable("the place where the roster is kept cannot be reached");
    }
}
