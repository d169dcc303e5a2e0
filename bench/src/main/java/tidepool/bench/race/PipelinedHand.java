package tidepool.bench.race;

/**
 * A hand that can have several transactions under way at once, as those can whose store is reached by messages. Results
 * come in the order of posting. In a race it always has as many under way as it may, and does not use {@link #run}.
 */
public interface PipelinedHand extends Hand {
    /** How many may be posted and not yet taken. */
    int outstanding();

    /** Sends what was drawn. Does not wait. */
    void post();

    /** The result of the transaction that was posted longest ago. What is asked about a transaction is asked of it. Waits. */
    End take();

    @Override
    default End run() {
        post();
        return take();
    }
}
