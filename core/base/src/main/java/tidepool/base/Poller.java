package tidepool.base;

/**
 * A source of completions for the strands of a {@link Carrier}: the connections of a fabric. All methods but
 * {@link #wake} are called on the carrier's thread, outside of strands.
 */
public interface Poller {
    /**
     * Sends posted verbs, takes in answers and unparks the strands that wait for them. Returns true if any has arrived.
     */
    boolean poll();

    /** Waits until an answer arrives, {@link #wake} is called or the time is up. Called when no strand can run. */
    void waitFor(long nanos);

    /** Ends {@link #waitFor}, or the next one if none is running. May be called from any thread. */
    void wake();
}
