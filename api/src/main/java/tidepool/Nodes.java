package tidepool;

import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.store.Membership;
import tidepool.store.Roster;

/**
 * The memory nodes of a pool as this process knows them: the fabric of today, and where it comes from. Where nodes come and
 * go, each epoch has a fabric of its own.
 */
final class Nodes {
    private static final long PAUSE_NANOS = 200_000;

    private final Membership membership; // null if the nodes never change
    private final boolean owned;
    private volatile Fabric fabric;
    private Fabric before; // of the epoch before, in which some thread may still be about to find out
    private Roster roster;
    private Runnable alarm = () -> {};

    private Nodes(Membership membership, Fabric fabric, boolean owned) {
        this.membership = membership;
        this.fabric = fabric;
        this.owned = owned;
    }

    /** Nodes that never change. */
    static Nodes fixed(Fabric fabric, boolean owned) {
        return new Nodes(null, fabric, owned);
    }

    /** Nodes that a roster names. Waits until it is steady. */
    static Nodes of(Membership membership, boolean owned, long deadline) {
        Nodes nodes = new Nodes(membership, null, owned);
        nodes.follow(deadline);
        return nodes;
    }

    /** Who is told when the fabric has failed. */
    void whenFailed(Runnable told) {
        alarm = told;
    }

    /** The fabric has failed: whoever cares for the nodes may want to look at them. */
    void failed() {
        alarm.run();
    }

    Fabric fabric() {
        return fabric;
    }

    /** Null if the nodes never change. */
    Roster roster() {
        return roster;
    }

    /** Whether the roster that is known is another than the one that is used. Costs nothing. */
    boolean haveMoved() {
        return membership != null && (roster == null || membership.latest().epoch() != roster.epoch());
    }

    /**
     * Goes over to the newest roster, once it is steady; true if the nodes are others than before. Then whoever changed them has
     * shut out every session and resolved what it left. Waits.
     */
    boolean follow(long deadline) {
        if (membership == null) return false;
        Fabric opened = null;
        Roster newest = null;
        while (opened == null) {
            newest = steady(deadline);
            if (roster != null && newest.epoch() == roster.epoch()) return false;
            try {
                opened = membership.open(newest);
            } catch (FabricException e) {
                // A member may have died just now: somebody takes it out.
                if (Clock.current().nowNanos() > deadline) throw e;
                Waiting.pause(PAUSE_NANOS);
            }
        }
        if (before != null) before.close();
        before = fabric;
        fabric = opened;
        roster = newest;
        return true;
    }

    private Roster steady(long deadline) {
        Roster newest = newest();
        while (!newest.steady()) {
            if (Clock.current().nowNanos() > deadline)
                throw FabricException.unavailable("the memory nodes of this pool are changing to epoch "
                        + newest.epoch() + ", and nobody is done");
            Waiting.pause(PAUSE_NANOS);
            newest = newest();
        }
        return newest;
    }

    /** Whoever keeps the roster may be away: then the last one that was heard of is tried. */
    private Roster newest() {
        try {
            return membership.read();
        } catch (FabricException e) {
            Roster known = membership.latest();
            if (known == null) throw e;
            return known;
        }
    }

    void close() {
        if (membership != null) {
            if (before != null) before.close();
            if (fabric != null) fabric.close();
            if (owned) membership.close();
        } else if (owned) fabric.close();
    }
}
