package tidepool.base;

/** A time that only goes forward. Its zero has no meaning; only differences count. */
public interface Clock {
    long nowNanos();

    /** Returns the monotonic time of the machine, counted from the start of this process. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }

    /** Returns the clock of the running strand's scheduler; in a plain thread, that of the machine. */
    static Clock current() {
        Strand strand = Strand.current();
        return strand == null ? system() : strand.scheduler().clock();
    }

    /** The clock of the machine. It starts near zero, so that no deadline overflows. */
    enum SystemClock implements Clock {
        INSTANCE;

        private final long startNanos = System.nanoTime();

        @Override
        public long nowNanos() {
            return System.nanoTime() - startNanos;
        }
    }
}
