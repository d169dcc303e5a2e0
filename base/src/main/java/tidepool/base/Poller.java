package tidepool.base;

/**
 * Where a {@link Carrier} learns what its strands wait for: a fabric's connections. All but {@link #wake} is called on the
 * carrier's thread, outside of strands.
 */
public interface Poller {
    /** Sends what strands have posted and takes in what has arrived, unparking those who wait for it. True if any has. */
    boolean poll();

    /** No strand can run: waits until something arrives, {@link #wake} is called or the time is up. */
    void waitFor(long nanos);

    /** Ends {@link #waitFor}, or the next one if there is none now. From any thread. */
    void wake();
}
