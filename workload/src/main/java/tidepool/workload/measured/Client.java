package tidepool.workload.measured;

import tidepool.protocol.Txn;

/**
 * One client of a workload, which draws transactions and runs attempts of them, one after the other. Belongs to one
 * thread or strand, and allocates nothing.
 *
 * <pre>{@code
 * int type = client.draw();
 * if (run client.run until it commits or gives up) client.committed();
 * else client.gaveUp();
 * }</pre>
 */
public interface Client {
    /** Draws the next transaction with all its parameters. Returns its type. */
    int draw();

    /**
     * Runs one attempt of what was drawn. Each attempt does the same; the client remembers nothing of an aborted one.
     *
     * @return true to commit. False after {@link Txn#execute} said false: the attempt was aborted. False otherwise: the
     *     transaction is given up, as its specification says.
     */
    boolean run(Txn txn);

    /** The transaction that was drawn has committed: it goes into the books. */
    void committed();

    /** The transaction that was drawn was given up. */
    void gaveUp();

    /** Whether the last transaction ended as a failure that the specification expects, a row that is not there, say. */
    boolean missed();

    /** Sums of what the committed transactions did, see {@link MeasuredWorkload#books}. Not a copy. */
    long[] book();
}
