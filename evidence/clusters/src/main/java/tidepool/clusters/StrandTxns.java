package tidepool.clusters;

/** The transactions of one strand of a cluster, on the pool of its machine. */
interface StrandTxns {
    /** Inserts the rows with which the run begins. */
    void load();

    /** Runs one transaction that is drawn from the strand's randomness. */
    void runOne();

    /** Writes and reads every row: a surviving client must be able to. */
    void sweep();
}
