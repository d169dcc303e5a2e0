package tidepool.sim;

/**
 * A server of one request after the other: a wire, a message engine, a memory controller. Its state is one number, the
 * time when it is next free. It is kept in picoseconds, because 64 bytes on a 100 Gb/s wire are 5.12 ns. Times of
 * events are rounded up to nanoseconds; the server itself does not lose the fraction.
 */
final class SerialServer {
    static final long PICOS = 1000;

    private long freePicos;

    /**
     * Serves a request that takes {@code picos}, from {@code atNanos} on or as soon as it is free. Returns when it is
     * done.
     */
    long serve(long atNanos, long picos) {
        freePicos = Math.max(freePicos, atNanos * PICOS) + picos;
        return (freePicos + PICOS - 1) / PICOS;
    }

    /**
     * Serves a request that takes {@code picos}, from {@code atNanos} on or as soon as it is free. Returns when it
     * begins.
     */
    long begin(long atNanos, long picos) {
        long start = Math.max(freePicos, atNanos * PICOS);
        freePicos = start + picos;
        return (start + PICOS - 1) / PICOS;
    }
}
