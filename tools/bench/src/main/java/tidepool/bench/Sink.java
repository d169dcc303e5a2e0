package tidepool.bench;

/** The destination of results of measured loops, so that the compiler cannot remove the loops. */
final class Sink {
    private static volatile long kept;

    private Sink() {}

    static void keep(long value) {
        kept = kept ^ value;
    }
}
