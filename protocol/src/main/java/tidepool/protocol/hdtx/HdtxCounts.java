package tidepool.protocol.hdtx;

/** What a coordinator has met and done. Plain numbers of one strand. */
public final class HdtxCounts {
    /** Images that the memory side copied from the log to the data: a NIC, or the loop of a memory node. */
    public long copiedByMemory;

    /** Images that the client copied itself, because it was asked to, or there is no memory side. */
    public long copiedByClient;

    /** Commits whose outcome was written down in a third trip, because they had read-only data. */
    public long statusRounds;

    /** Tickets that were drawn. */
    public long tickets;

    /** Locks that were granted to somebody who stood in line. */
    public long granted;

    /** Times that a line was looked at. */
    public long polls;

    /** Tickets that were passed over while their owner lived, and drawn again. */
    public long passedOver;

    /** Heads of lines that were taken for dead and skipped. */
    public long skipped;

    /** Times that somebody left a line, because its lock did not move; its ticket is kept for the next attempt. */
    public long left;

    /** Kept tickets that were good once more. */
    public long resumed;

    /** Kept tickets that were given up, because the next attempt stood in another line. */
    public long dropped;

    /** Locks that were granted and given back, to wait for one in front of them. */
    public long givenBack;

    /** Trips in which the rest was asked for, behind a lock that was waited for. */
    public long askedAgain;

    /** Attempts that ended, because a lock in front of one that was used already was held. */
    public long impatient;

    /** Reads that were locked, because an earlier attempt could not read them. */
    public long lockedReads;

    /** Time spent in lines, trips included. */
    public long waitedNanos;

    HdtxCounts() {}
}
