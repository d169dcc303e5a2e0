package tidepool.workload.measured;

import tidepool.txn.Txn;

/**
 * One client of a workload. It draws transactions and runs attempts of them, one after the other. Belongs to one thread
 * or strand, and allocates nothing.
 *
 * <pre>{@code
 * int type = client.draw();
 * if (run client.run until it commits or gives up) client.committed();
 * else client.gaveUp();
 * }</pre>
 */
public interface WorkloadClient {
    /** Draws the next transaction with all its parameters. Returns its type. */
    int draw();

    /**
     * Runs one attempt of the drawn transaction. Each attempt is equal; the client keeps nothing of an aborted one.
     *
     * @return true to commit. False after {@link Txn#execute} returned false: the attempt was aborted. False otherwise:
     * the transaction is given up, as its specification says.
     */
    boolean run(Txn txn);

    /** Called when the drawn transaction has committed. It goes into the books. */
    void committed();

    /** Called when the drawn transaction was given up. */
    void gaveUp();

    /**
     * Returns whether the last transaction ended in a failure that the specification expects, such as a missing row.
     */
    boolean missed();

    /** Returns the sums of the changes of committed transactions, see {@link MeasuredWorkload#books}. Not a copy. */
    long[] book();
}
