package tidepool;

import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.store.Membership;
import tidepool.store.Roster;

/**
 * The memory nodes of a pool as this process knows them: the current fabric, and its membership. If nodes can join and
 * leave, each epoch has a fabric of its own.
 */
final class PoolNodes {
    private static final long PAUSE_NANOS = 200_000;

    private final Membership membership; // null if the nodes never change
    private final boolean owned;
    private volatile Fabric fabric;
    private Fabric before; // of the previous epoch; a thread may still be using it
    private Roster roster;
    private Runnable alarm = () -> {};

    private PoolNodes(Membership membership, Fabric fabric, boolean owned) {
        this.membership = membership;
        this.fabric = fabric;
        this.owned = owned;
    }

    /** Returns nodes that never change. */
    static PoolNodes fixed(Fabric fabric, boolean owned) {
        return new PoolNodes(null, fabric, owned);
    }

    /** Returns the nodes that a roster names. Waits until the roster is steady. */
    static PoolNodes of(Membership membership, boolean owned, long deadline) {
        PoolNodes nodes = new PoolNodes(membership, null, owned);
        nodes.follow(deadline);
        return nodes;
    }

    /** Sets the action for failures of the fabric. */
    void whenFailed(Runnable told) {
        alarm = told;
    }

    /** Called when the fabric has failed: the steward may want to check the nodes. */
    void failed() {
        alarm.run();
    }

    Fabric fabric() {
        return fabric;
    }

    /** Returns the roster in use; null if the nodes never change. */
    Roster roster() {
        return roster;
    }

    /**
     * Switches to the newest roster, and waits until it is steady. Returns true if the roster is another one. The
     * steward that changed it has then revoked every session and resolved what the sessions left.
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
                // A member may have died just now. A steward will remove it.
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

    /** Returns the newest roster. If the place where it is kept is unavailable, returns the last known one. */
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
