package tidepool.fabric;

/**
 * A region of a memory node, opened through one link. Plain data: a place elsewhere. Offsets are bytes into the region
 * and multiples of eight.
 */
public abstract class Region {
    private final Link link;
    private final int handle;

    protected Region(Link link, int handle) {
        this.link = link;
        this.handle = handle;
    }

    public final Link link() {
        return link;
    }

    /** The short name of this region on its link; never stored, never passed on. */
    public final int handle() {
        return handle;
    }

    /** The number of the region in its node; -1 if the handle opens none. */
    public abstract int number();

    /** Bytes that verbs may touch; 0 if the handle opens none. */
    public abstract long bytes();

    /**
     * A hint that verbs will touch this place soon; no verb, and nothing is promised. Where memory is mapped it begins to
     * come near, and several places come at the same time, while the verbs would have to wait for one after the other.
     *
     * @param length at least 1
     * @param written whether verbs will also change what lies there
     * @return some number, of which the caller keeps a sum, so that the compiler does not take the hint for useless
     */
    public long expect(long offset, long length, boolean written) {
        return 0;
    }
}
