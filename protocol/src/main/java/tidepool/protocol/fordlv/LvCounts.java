package tidepool.protocol.fordlv;

/** What a coordinator has met in its Vcache. Plain numbers of one strand. */
public final class LvCounts {
    /** Reads whose version was there and the same: no trip was needed. */
    public long hits;

    /** Reads that memory had to be asked for. */
    public long misses;

    /** Versions put after a miss. */
    public long fills;

    /** Fills that came too late: a writer, or another question, had come between. */
    public long lateFills;

    /** Reads that met an announcement. */
    public long busy;

    /** Reads whose version had changed. */
    public long changed;

    /** Versions that made room for others. */
    public long evictions;

    LvCounts() {}
}
