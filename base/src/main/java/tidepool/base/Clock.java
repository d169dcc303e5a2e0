package tidepool.base;

/** A time that only goes forward. Its zero means nothing; differences count. */
public interface Clock {
    long nowNanos();

    /** The machine's monotonic time, counted from the start of this process. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }

    /** The time of the strand that is running here; in a plain thread, that of the machine. */
    static Clock current() {
        Strand strand = Strand.current();
        return strand == null ? system() : strand.scheduler().clock();
    }

    /** Starts near zero, so that no deadline overflows. */
    enum SystemClock implements Clock {
        INSTANCE;

        private final long startNanos = System.nanoTime();

        @Override
        public long nowNanos() {
            return System.nanoTime() - startNanos;
        }
    }
}
