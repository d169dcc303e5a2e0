package tidepool.base;

/**
 * The last events of a run, as numbers, and a hash of all its events. Recording allocates nothing, so it can stay on.
 * Two runs of one seed are equal if their hashes are. If not, the dumps show where they part.
 *
 * <p>Only the recording module knows what the numbers mean; it passes a {@link Formatter} to print them. One thread (or
 * one scheduler) records.
 */
public final class TraceRing {
    private static final int TIME = 0;
    private static final int KIND = 1;
    private static final int A = 2;
    private static final int B = 3;
    private static final int C = 4;
    private static final int STRIDE = 8; // longs per event: a power of two, and one cache line

    private final long[] ring;
    private final int mask;
    private long count;
    private long hash = Checksum64.start(0);

    /** Creates a ring that keeps the last {@code events} events; a power of two. */
    public TraceRing(int events) {
        Checks.argument(Integer.bitCount(events) == 1, "a trace ring holds a power of two of events");
        ring = new long[Math.multiplyExact(events, STRIDE)];
        mask = events - 1;
    }

    public void record(long timeNanos, long kind, long a, long b, long c) {
        int at = (int) (count++ & mask) * STRIDE;
        ring[at + TIME] = timeNanos;
        ring[at + KIND] = kind;
        ring[at + A] = a;
        ring[at + B] = b;
        ring[at + C] = c;
        long h = Checksum64.mix(hash, timeNanos);
        h = Checksum64.mix(h, kind);
        h = Checksum64.mix(h, a);
        h = Checksum64.mix(h, b);
        hash = Checksum64.mix(h, c);
    }

    /** Returns the number of events ever recorded, including those that the ring has lost. */
    public long count() {
        return count;
    }

    /** Returns the hash of all events ever recorded, in their order. */
    public long hash() {
        return Checksum64.finish(hash);
    }

    /** Returns the last {@code max} events that the ring still holds, the oldest first, a line each. */
    public String dump(int max, Formatter formatter) {
        long held = Math.min(count, mask + 1L);
        StringBuilder text = new StringBuilder();
        for (long event = count - Math.min(held, max); event < count; event++) {
            int at = (int) (event & mask) * STRIDE;
            formatter.format(text, ring[at + TIME], ring[at + KIND], ring[at + A], ring[at + B], ring[at + C]);
            text.append('\n');
        }
        return text.toString();
    }

    /** Prints the numbers of an event. */
    @FunctionalInterface
    public interface Formatter {
        /** Appends one line for the event, without the line end. */
        void format(StringBuilder text, long timeNanos, long kind, long a, long b, long c);
    }
}
