package tidepool.fabric;

import tidepool.base.Id128;

/**
 * A connection from one lane to one memory node. Verbs of one link keep the orders of {@link Fabric#orders()}. Verbs of
 * different links have no order, even if the links go to one node.
 *
 * <p>A refused verb, a broken connection or a revoked session breaks the link. Verbs posted on it fail with NOT_DONE
 * until {@link #reconnect()}, and the regions opened through it have to be opened again.
 */
public abstract class Link {
    private final Lane lane;
    private final int node;

    protected Link(Lane lane, int node) {
        this.lane = lane;
        this.node = node;
    }

    /** Returns the memory node at the other end. */
    public final int node() {
        return node;
    }

    public final Lane lane() {
        return lane;
    }

    /** Opens a region by its capability. The handle is short, and valid on this link alone. May wait. */
    public abstract Region open(Id128 capability);

    /**
     * Returns a region by a handle that does not come from {@link #open}. The memory side decides whether the handle is
     * valid; a guessed handle gets every verb refused.
     */
    public abstract Region byHandle(int handle);

    /** Returns whether the link is broken, so that verbs posted now would fail. */
    public abstract boolean isBroken();

    /** Connects again, under the node's present epoch; fails if the session was revoked there. May wait. */
    public abstract void reconnect();
}
