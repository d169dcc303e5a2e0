package tidepool.fabric;

/**
 * A region of a memory node, opened through one link. It only names remote memory. Offsets are bytes into the region
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

    /** Returns the short name of this region on its link; never stored, never passed on. */
    public final int handle() {
        return handle;
    }

    /** Returns the number of the region in its node; -1 if the handle opens none. */
    public abstract int number();

    /** Returns the number of bytes that verbs may access; 0 if the handle opens none. */
    public abstract long bytes();

    /**
     * Gives a hint that verbs will access this place soon. It is no verb and promises nothing. On mapped memory it
     * starts to load the place into the cache. Several places load at once, while verbs would wait for one after the
     * other.
     *
     * @param length at least 1
     * @param written whether verbs will also change the place
     * @return a number, of which the caller keeps a sum, so that the compiler does not remove the hint as useless
     */
    public long expect(long offset, long length, boolean written) {
        return 0;
    }
}
