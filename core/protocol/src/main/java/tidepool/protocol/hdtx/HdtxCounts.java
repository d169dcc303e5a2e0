package tidepool.protocol.hdtx;

/** Counts of what a coordinator of HDTX has met and done. Plain numbers of one strand. */
public final class HdtxCounts {
    /** Images that the memory side copied from the log to the data: a NIC, or the loop of a memory node. */
    public long copiedByMemory;

    /** Images that the client copied itself, because of its switches or because there is no memory side. */
    public long copiedByClient;

    /** Commits whose outcome was recorded in a third trip, because they had read-only data. */
    public long statusRounds;

    /** Tickets that were drawn. */
    public long tickets;

    /** Locks that were granted to a ticket. */
    public long granted;

    /** Locks that were granted to a request that waited for the holder and drew no ticket. */
    public long grantedWithoutTicket;

    /** Polls of a queue. */
    public long polls;

    /** Tickets that were skipped while their owner lived, and drawn again. */
    public long passedOver;

    /** Heads of queues that were taken for dead and skipped. */
    public long skipped;

    /**
     * Times that an attempt left a queue because the holder did not release the lock. Its ticket is kept for the next
     * attempt.
     */
    public long left;

    /** Kept tickets that were used again. */
    public long resumed;

    /** Kept tickets that were given up, because the next attempt waited in another queue. */
    public long dropped;

    /** Locks that were granted and given back, in order to wait for one that precedes them in the lock order. */
    public long givenBack;

    /** Trips that asked for the remaining locks after one that was waited for. */
    public long askedAgain;

    /**
     * Attempts that ended because another transaction held a lock that precedes, in the lock order, one already in use.
     */
    public long impatient;

    /** Reads that were locked because an earlier attempt could not read them. */
    public long lockedReads;

    /** Time spent in queues, trips included. */
    public long waitedNanos;

    HdtxCounts() {}
}
