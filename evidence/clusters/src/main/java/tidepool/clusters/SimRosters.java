package tidepool.clusters;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Strand;
import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Refusal;
import tidepool.sim.SimFabric;
import tidepool.store.Membership;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;

/**
 * Store of the roster of a simulated pool: one place, half a trip away, that never fails by itself and can be made
 * unreachable. A member is named after its node and its life: a node that lost its memory comes back as another member.
 */
public final class SimRosters {
    private static final long HALF_TRIP_NANOS = 20_000;

    /** How long a session that was revoked elsewhere continues to trust a node. */
    static final long SETTLE_NANOS = 200_000;

    /** A leader that has not asked for this time is taken for dead. */
    private static final long LEAD_NANOS = 400_000;

    private final SimFabric fabric;
    private final long leaseNanos;
    private final long settleNanos;
    private final int[] lives;
    private final long[] downSince;

    /** For each node, the epoch of the newest change that was begun there. */
    private final long[] changed;

    private Roster roster;
    private boolean away;
    private Client leader; // of those that take turns; null if none has asked
    private long ledNanos;

    /**
     * A store in which all nodes but the spare ones are members.
     *
     * @param spares nodes, numbered after the others, that can replace lost nodes
     */
    public SimRosters(SimFabric fabric, int spares, int partitions, int replicas, long leaseNanos) {
        this(fabric, spares, partitions, replicas, leaseNanos, SETTLE_NANOS);
    }

    /** @param settleNanos how long a session that was revoked elsewhere continues to trust a node */
    public SimRosters(SimFabric fabric, int spares, int partitions, int replicas, long leaseNanos, long settleNanos) {
        this.fabric = fabric;
        this.settleNanos = settleNanos;
        this.leaseNanos = leaseNanos;
        this.lives = new int[fabric.nodes()];
        this.downSince = new long[fabric.nodes()];
        this.changed = new long[fabric.nodes()];
        List<Roster.Member> members = new ArrayList<>();
        for (int node = 0; node < fabric.nodes() - spares; node++) members.add(member(node));
        roster = RosterPlan.first(members, partitions, replicas);
    }

    private Roster.Member member(int node) {
        return new Roster.Member("sim:" + node, node + "#" + lives[node]);
    }

    /** Returns the number of the simulated node of a member. */
    public static int node(Roster.Member member) {
        return Integer.parseInt(member.address().substring("sim:".length()));
    }

    // ---- faults of nodes

    /** Stops the node; its memory is lost. */
    public void crash(int node) {
        fabric.crashNode(node);
        downSince[node] = fabric.simulation().nowNanos();
    }

    /** Cuts the node's contact with the store of the roster; clients still reach it. */
    public void deafen(int node) {
        downSince[node] = fabric.simulation().nowNanos();
    }

    /** Whether the node has died or lost contact, and will come back as another member. */
    public boolean isLost(int node) {
        return downSince[node] != 0;
    }

    /** The node comes back as it was. */
    public void comeBack(int node) {
        fabric.restartNode(node);
        downSince[node] = 0;
    }

    /** The node comes back empty, as another member. */
    public void comeBackEmpty(int node) {
        fabric.restartEmpty(node);
        lives[node]++;
        changed[node] = 0;
        downSince[node] = 0;
    }

    /** While true, no client can read or change the roster. */
    public void setAway(boolean value) {
        away = value;
    }

    // ---- the roster

    /** Returns the roster as it is, for an observer outside of the simulation. */
    public Roster now() {
        return roster;
    }

    /** Returns the identity of a node in its current life. */
    String identity(int node) {
        return member(node).identity();
    }

    /** Returns the position of a node among the members, in its current life; -1 if it is none of them. */
    public int positionOf(int node) {
        return roster.position(member(node).identity());
    }

    /** Returns the fabric of the members of a roster, seen from outside. */
    public SimFabric showing(Roster of) {
        return fabric.showing(
                settleNanos,
                of.epoch(),
                of.members().stream().mapToInt(SimRosters::node).toArray());
    }

    /**
     * Returns the access of one process to the roster, which knows only what it has read. The process does not take
     * turns with others that change the roster: changes must be right without turns.
     */
    public Membership client() {
        return new Client(false);
    }

    /** Returns the access of a process that changes the roster only while it is the leader, as with ZooKeeper. */
    public Membership clientInTurn() {
        return new Client(true);
    }

    private final class Client implements Membership {
        private final boolean takesTurns;
        private Roster known = roster;

        Client(boolean takesTurns) {
            this.takesTurns = takesTurns;
        }

        /** Leadership is a lease: a leader that was busy for longer may find that another leads, too. */
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
            if (!of.steady()) refuseIfOvertaken(of);
            return showing(of);
        }

        /** As with TCP, a node does not let a steward in whose change is older than one that it has seen. */
        private void refuseIfOvertaken(Roster changing) {
            int[] nodes = changing.members().stream().mapToInt(SimRosters::node).toArray();
            for (int node : nodes)
                if (changed[node] > changing.epoch())
                    throw FabricException.refused(
                            Refusal.EPOCH, "a newer change has begun: node=" + node + " epoch=" + changed[node]);
            for (int node : nodes) changed[node] = changing.epoch();
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

        /** As with TCP, the node refuses sessions of older rosters from here on. */
        @Override
        public boolean fence(Roster.Member member, long epoch) {
            int node = node(member);
            if (!member(node).equals(member) || fabric.isDown(node)) return false;
            try {
                NodeControl control = fabric.control(node);
                control.raiseEpoch(epoch);
                return control.epoch() >= epoch;
            } catch (FabricException e) {
                return false;
            }
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
