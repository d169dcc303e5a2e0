package tidepool.protocol.fordlv;

/** Counts of a coordinator's use of its Vcache. Plain numbers of one strand. */
public final class VcacheCounts {
    /** Reads whose version was cached and unchanged: no trip was needed. */
    public long hits;

    /** Reads whose version had to be asked from memory. */
    public long misses;

    /** Versions cached after a miss. */
    public long fills;

    /** Fills that came too late: a writer, or another question, came in between. */
    public long lateFills;

    /** Reads that met an announcement. */
    public long busy;

    /** Reads whose version had changed. */
    public long changed;

    /** Versions that were evicted for others. */
    public long evictions;

    VcacheCounts() {}
}
