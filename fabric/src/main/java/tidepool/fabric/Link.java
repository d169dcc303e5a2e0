package tidepool.fabric;

import tidepool.base.Id128;

/**
 * A connection from one lane to one memory node. Verbs of one link keep the orders of {@link Fabric#orders()}; between
 * links, also to the same node, nothing is ordered.
 *
 * <p>A refused verb, a broken wire or a revoked session breaks the link: what is posted on it fails with NOT_DONE until
 * {@link #reconnect()}, and the regions opened through it have to be opened again.
 */
public abstract class Link {
    private final Lane lane;
    private final int node;

    protected Link(Lane lane, int node) {
        this.lane = lane;
        this.node = node;
    }

    /** The memory node at the other end. */
    public final int node() {
        return node;
    }

    public final Lane lane() {
        return lane;
    }

    /** Opens a region by its capability. The handle is short, and valid on this link alone. May wait. */
    public abstract Region open(Id128 capability);

    /**
     * A region by a handle that came from somewhere else than {@link #open}. The memory side decides whether the handle
     * is good; a guess gets every verb refused.
     */
    public abstract Region byHandle(int handle);

    /** Whether verbs posted now would be carried. */
    public abstract boolean isBroken();

    /** Connects again, under the node's present epoch; fails if the session was revoked there. May wait. */
    public abstract void reconnect();
}
