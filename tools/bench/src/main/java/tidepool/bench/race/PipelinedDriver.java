package tidepool.bench.race;

/**
 * A driver that can have several transactions under way at once, for stores that are reached by messages. Results come
 * in the order of posting. In a race it always has the highest number under way, and does not use {@link #run}.
 */
public interface PipelinedDriver extends ClientDriver {
    /** Returns the highest number of posted transactions whose results are not yet taken. */
    int outstanding();

    /** Sends the drawn transaction. Does not wait. */
    void post();

    /** Waits for the result of the oldest posted transaction. Later queries refer to this transaction. */
    TxnEnd take();

    @Override
    default TxnEnd run() {
        post();
        return take();
    }
}
