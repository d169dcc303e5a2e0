package tidepool.bench;

/** Where results of measured loops go, so that the compiler cannot leave the loops out. */
final class Sink {
    private static volatile long kept;

    private Sink() {}

    static void keep(long value) {
        kept = kept ^ value;
    }
}
