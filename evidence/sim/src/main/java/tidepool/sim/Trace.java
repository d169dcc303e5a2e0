package tidepool.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The last events of a simulation, and a running hash over all of them. Two runs with equal hashes did the same things
 * at the same times with the same words; the ring shows the last events to people.
 */
public final class Trace {
    static final int STARTED = 0;
    static final int RUNS = 1;
    static final int ENDED = 2;
    static final int CRASHED = 3;
    static final int POSTED = 4;
    static final int HELD = 5;
    static final int ARRIVED = 6;
    static final int APPLIED = 7;
    static final int REFUSED = 8;
    static final int DROPPED = 9;
    static final int COMPLETED = 10;
    static final int TIMED_OUT = 11;
    static final int BROKEN = 12;
    static final int CONTROL = 13;
    static final int NODE = 14;
    private static final String[] NAMES = {
        "started",
        "runs",
        "ended",
        "crashed",
        "posted",
        "held",
        "arrived",
        "applied",
        "refused",
        "dropped",
        "completed",
        "timed-out",
        "broken",
        "control",
        "node"
    };

    private static final int NO_LABEL = -1;
    private static final int WORDS = 5;
    private static final int EVENTS = 1 << 12;

    private final long[] ring = new long[WORDS * EVENTS];
    private long events;
    private long hash = 0x7469646570306f6cL;

    Trace() {}

    /** Returns the hash of all events so far. */
    public long hash() {
        return hash;
    }

    /** Returns the number of events so far. */
    public long events() {
        return events;
    }

    /**
     * Records an event: {@code who} is a strand or link, {@code where} a place or number, {@code value} the words that
     * were read or written, or their hash.
     */
    void note(long nowNanos, int kind, long who, long where, long value) {
        note(nowNanos, kind, who, where, value, NO_LABEL);
    }

    /** Records an event of a verb. The label of its round is kept for people and is not part of the hash. */
    void note(long nowNanos, int kind, long who, long where, long value, int label) {
        int at = (int) (events++ & (EVENTS - 1)) * WORDS;
        long first = who << 8 | kind;
        ring[at] = nowNanos;
        ring[at + 1] = first;
        ring[at + 2] = where;
        ring[at + 3] = value;
        ring[at + 4] = label;
        hash = mix(mix(hash ^ nowNanos, first), mix(where, value));
    }

    /** Returns the last events, oldest first, one line each. Labels of rounds are printed as numbers, except 0. */
    public List<String> last(int max) {
        return last(max, label -> label == 0 ? "" : Integer.toString(label));
    }

    /**
     * Returns the last events, oldest first, one line each.
     *
     * @param words returns the word of a label of rounds, such as the name of a protocol's step; empty for none
     */
    public List<String> last(int max, IntFunction<String> words) {
        List<String> lines = new ArrayList<>();
        long from = Math.max(0, events - Math.min(max, EVENTS));
        for (long i = from; i < events; i++) {
            int at = (int) (i & (EVENTS - 1)) * WORDS;
            int kind = (int) ring[at + 1] & 0xff;
            String word = ring[at + 4] == NO_LABEL ? "" : words.apply((int) ring[at + 4]);
            lines.add(ring[at] + " " + NAMES[kind] + " who=" + (ring[at + 1] >> 8) + " where=0x"
                    + Long.toHexString(ring[at + 2]) + " value=0x" + Long.toHexString(ring[at + 3])
                    + (word.isEmpty() ? "" : " step=" + word));
        }
        return lines;
    }

    static long mix(long h, long word) {
        h = (h ^ word) * 0x9E3779B97F4A7C15L;
        return h ^ h >>> 29;
    }
}
