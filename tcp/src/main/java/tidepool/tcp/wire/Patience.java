package tidepool.tcp.wire;

/**
 * How long it pays to look again and again before one sleeps. To sleep and be woken takes some ten microseconds, so
 * whoever has lately waited less than that spins, and about as long as it lately took; whoever has waited longer gives the
 * processor away at once. Now and then it tries spinning again, because a sleeper never learns how short the wait was.
 */
public final class Patience {
    private static final long WORTH_NANOS = 40_000;
    private static final long MOST_NANOS = 60_000;
    private static final int LOOKS_AGAIN = 64;

    private final long fixedNanos;
    private long averageNanos;
    private int waits;

    private Patience(long fixedNanos) {
        this.fixedNanos = fixedNanos;
    }

    /** Learns by itself; never spins on a machine with one processor. */
    public static Patience learning() {
        return new Patience(Runtime.getRuntime().availableProcessors() == 1 ? 0 : -1);
    }

    /** Always spins so long; 0 is never. */
    public static Patience of(long nanos) {
        return new Patience(nanos);
    }

    /** How long to spin this time. */
    public long nanos() {
        if (fixedNanos >= 0) return fixedNanos;
        if (averageNanos > WORTH_NANOS) return waits % LOOKS_AGAIN == 0 ? WORTH_NANOS : 0;
        return Math.min(MOST_NANOS, 2 * averageNanos + 2_000);
    }

    /** What came took so long to come. */
    public void waited(long nanos) {
        waits++;
        averageNanos += (Math.min(nanos, 1_000_000) - averageNanos) / 8;
    }
}
