package tidepool.verbs;

import java.util.BitSet;
import tidepool.fabric.Effect;
import tidepool.fabric.Region;

/**
 * Words that all strands add to. In the end a word holds every acknowledged addition, and any of those with unknown
 * effect. No two acknowledged additions found the same number. A counter does not fall below its flushed value.
 */
final class CountersArea {
    private static final int PER_NODE = 4;
    private static final long STRIDE = 64;

    /** The highest bits of the two fields of a word, 32 bits each. A masked FAA carries nothing past them. */
    private static final long FIELD_TOPS = 1L << 31 | 1L << 63;

    private static final long FIELDS = 1L << 32 | 1;

    private final RunContext context;
    private final long start;
    private final Counter[] counters;

    private static final class Counter {
        long acknowledged;
        long unknown;

        /** The highest value after an addition whose FLUSH, later in the round, was acknowledged. */
        long flushed;

        final BitSet found = new BitSet();
    }

    CountersArea(RunContext context, long start) {
        this.context = context;
        this.start = start;
        this.counters = new Counter[PER_NODE * context.options.nodes()];
        for (int i = 0; i < counters.length; i++) counters[i] = new Counter();
    }

    long bytes() {
        return PER_NODE * STRIDE;
    }

    /** Returns whether the counter has two fields, as the last counter of each node. */
    private static boolean isMasked(int number) {
        return number % PER_NODE == PER_NODE - 1;
    }

    private int node(int number) {
        return number / PER_NODE;
    }

    private long offset(int number) {
        return start + number % PER_NODE * STRIDE;
    }

    void turn(VerbStrand strand) {
        int number = strand.random.nextInt(counters.length);
        Counter counter = counters[number];
        Region region = strand.regions[node(number)];
        boolean flush = strand.random.nextInt(4) == 0;
        counter.unknown++;
        if (isMasked(number))
            strand.round.maskedFetchAndAdd(region, offset(number), FIELDS, FIELD_TOPS, strand.landing, 0);
        else strand.round.fetchAndAdd(region, offset(number), 1, strand.landing, 0);
        if (flush) context.rules.flush(strand.round, strand.links[node(number)]);
        boolean done = strand.done();
        strand.slot.heed();
        if (strand.effect(0) != Effect.UNKNOWN) counter.unknown--;
        if (strand.effect(0) == Effect.DONE) {
            counter.acknowledged++;
            judge(number, strand.landed(0), strand);
        }
        if (done && flush) counter.flushed = Math.max(counter.flushed, value(number, strand.landed(0)) + 1);
        if (!done) strand.mend();
    }

    private void judge(int number, long word, VerbStrand strand) {
        Counter counter = counters[number];
        long found = value(number, word);
        if (context.era() > 0) return; // numbers that the power failure undid are found again
        Violation.unless(
                found >= 0 && !counter.found.get((int) found),
                "counters",
                "two additions found the same number: slot=" + strand.slot.index + " counter=" + number + " found="
                        + found);
        counter.found.set((int) found);
    }

    /** Returns the value of a counter; of a word of two fields both, which are always equal. */
    private static long value(int number, long word) {
        if (!isMasked(number)) return word;
        Violation.unless(
                word >>> 32 == (word & 0xffffffffL),
                "counters",
                "the fields of a word were not added to as one: word=0x" + Long.toHexString(word));
        return word >>> 32;
    }

    void checkEnd() {
        for (int number = 0; number < counters.length; number++) {
            Counter counter = counters[number];
            long value = value(number, context.word(node(number), offset(number)));
            long min = context.era() > 0 ? counter.flushed : counter.acknowledged;
            long max = counter.acknowledged + counter.unknown;
            Violation.unless(
                    value >= min && value <= max,
                    "counters",
                    "at the end additions are lost or doubled: counter=" + number + " value=" + value + " least=" + min
                            + " most=" + max);
        }
    }
}
