package tidepool.fabric.sim;

/**
 * Something that serves one thing after the other: a wire, a message engine, a memory controller. It is one number, the
 * time when it is next free. Kept in picoseconds, because 64 bytes on a 100 Gb/s wire are 5.12 ns; times of events are
 * rounded up to nanoseconds, the pipe itself does not lose the fraction.
 */
final class Pipe {
    static final long PICOS = 1000;

    private long freePicos;

    /** Serves something that takes so long, from {@code atNanos} on or as soon as it is free; returns when it is done. */
    long serve(long atNanos, long picos) {
        freePicos = Math.max(freePicos, atNanos * PICOS) + picos;
        return (freePicos + PICOS - 1) / PICOS;
    }

    /** The same, but returns when the service begins. */
    long begin(long atNanos, long picos) {
        long start = Math.max(freePicos, atNanos * PICOS);
        freePicos = start + picos;
        return (start + PICOS - 1) / PICOS;
    }
}
