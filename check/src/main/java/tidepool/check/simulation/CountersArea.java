package tidepool.check.simulation;

import java.util.BitSet;
import tidepool.fabric.Effect;
import tidepool.fabric.Region;

/**
 * Words that all strands add to. In the end a word holds every addition that was acknowledged, and of those with unknown
 * effect any; no two acknowledged additions found the same number. A counter that was flushed does not fall below.
 */
final class CountersArea {
    private static final int PER_NODE = 4;
    private static final long STRIDE = 64;

    /** One word, plain or of two fields of 32 bits that carry into nobody. */
    private static final long FIELD_TOPS = 1L << 31 | 1L << 63;

    private static final long FIELDS = 1L << 32 | 1;

    private final World world;
    private final long start;
    private final Counter[] counters;

    private static final class Counter {
        long acknowledged;
        long unknown;

        /** A FLUSH has been acknowledged behind an addition that led to this number. */
        long flushed;

        final BitSet found = new BitSet();
    }

    CountersArea(World world, long start) {
        this.world = world;
        this.start = start;
        this.counters = new Counter[PER_NODE * world.options.nodes()];
        for (int i = 0; i < counters.length; i++) counters[i] = new Counter();
    }

    long bytes() {
        return PER_NODE * STRIDE;
    }

    /** The last counter of each node is of two fields. */
    private static boolean isMasked(int number) {
        return number % PER_NODE == PER_NODE - 1;
    }

    private int node(int number) {
        return number / PER_NODE;
    }

    private long offset(int number) {
        return start + number % PER_NODE * STRIDE;
    }

    void turn(Worker worker) {
        int number = worker.random.nextInt(counters.length);
        Counter counter = counters[number];
        Region region = worker.regions[node(number)];
        boolean flush = worker.random.nextInt(4) == 0;
        counter.unknown++;
        if (isMasked(number))
            worker.round.maskedFetchAndAdd(region, offset(number), FIELDS, FIELD_TOPS, worker.landing, 0);
        else worker.round.fetchAndAdd(region, offset(number), 1, worker.landing, 0);
        if (flush) world.rules.flush(worker.round, worker.links[node(number)]);
        boolean done = worker.done();
        worker.slot.heed();
        if (worker.effect(0) != Effect.UNKNOWN) counter.unknown--;
        if (worker.effect(0) == Effect.DONE) {
            counter.acknowledged++;
            judge(number, worker.landed(0), worker);
        }
        if (done && flush) counter.flushed = Math.max(counter.flushed, value(number, worker.landed(0)) + 1);
        if (!done) worker.mend();
    }

    private void judge(int number, long word, Worker worker) {
        Counter counter = counters[number];
        long found = value(number, word);
        if (world.era() > 0) return; // numbers that the power failure took back come again
        Violation.unless(
                found >= 0 && !counter.found.get((int) found),
                "counters",
                "two additions found the same number: slot=" + worker.slot.index + " counter=" + number + " found="
                        + found);
        counter.found.set((int) found);
    }

    /** Of a word of two fields: both, which are always equal. */
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
            long value = value(number, world.word(node(number), offset(number)));
            long least = world.era() > 0 ? counter.flushed : counter.acknowledged;
            long most = counter.acknowledged + counter.unknown;
            Violation.unless(
                    value >= least && value <= most,
                    "counters",
                    "at the end additions are lost or doubled: counter=" + number + " value=" + value + " least="
                            + least + " most=" + most);
        }
    }
}
