package tidepool.base;

/** A clock that stands still until it is advanced; for tests and for simulated time. */
public final class ManualClock implements Clock {
    private volatile long nowNanos;

    /** Creates a clock that starts at zero. */
    public ManualClock() {}

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    /** Advances the clock by a duration. One thread advances it; any thread may read it. */
    public void advance(long nanos) {
        advanceTo(nowNanos + nanos);
    }

    /** Advances the clock to a time, which may not lie in the past. */
    public void advanceTo(long atNanos) {
        Checks.argument(atNanos >= nowNanos, "a clock does not go back");
        nowNanos = atNanos;
    }
}
