package tidepool.base;

/** A clock that stands still until it is told to go on; for tests and for simulated time. */
public final class ManualClock implements Clock {
    private volatile long nowNanos;

    /** Starts at zero. */
    public ManualClock() {}

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    /** Moves on by so much. One thread moves the clock; any thread may read it. */
    public void advance(long nanos) {
        advanceTo(nowNanos + nanos);
    }

    /** Moves on to that time; it may not lie in the past. */
    public void advanceTo(long atNanos) {
        Checks.argument(atNanos >= nowNanos, "a clock does not go back");
        nowNanos = atNanos;
    }
}
