package tidepool.verbs;

import tidepool.base.Words;
import tidepool.fabric.Effect;

/**
 * Two words for each slot, on lines of their own: its strand writes {@code a} and then {@code b} over one link, others
 * read {@code b} and then {@code a}. No reader ever sees {@code b} new and {@code a} old.
 *
 * <pre>
 *   writer    WRITE a = n, WRITE b = n                 kept by the order table
 *             CAS a = n-1 -> n, fence, WRITE b = n     kept by the fence
 *   reader    READ b, READ a                           kept by the order table
 * </pre>
 */
final class LitmusArea {
    private static final long STRIDE = 128;
    private static final long B = 64;

    private final RunContext context;
    private final long start;
    private final Pair[] pairs;

    private static final class Pair {
        long written;
        boolean certain = true;

        /** Number of power failures when both words were last known to be in order. */
        long inOrderSince;
    }

    LitmusArea(RunContext context, long start) {
        this.context = context;
        this.start = start;
        this.pairs = new Pair[context.options.strands()];
        for (int i = 0; i < pairs.length; i++) pairs[i] = new Pair();
    }

    long bytes() {
        return pairs.length * STRIDE;
    }

    private int node(int slot) {
        return slot % context.options.nodes();
    }

    private long offset(int slot) {
        return start + slot * STRIDE;
    }

    void write(VerbStrand strand) {
        int slot = strand.slot.index;
        Pair pair = pairs[slot];
        int node = node(slot);
        long next = pair.written + 1;
        boolean swaps = pair.certain && pair.inOrderSince == context.era() && strand.random.nextInt(3) == 0;
        pair.written = next;
        pair.certain = false;
        if (swaps) {
            strand.round.compareAndSwap(strand.regions[node], offset(slot), next - 1, next, strand.landing, 0);
            context.rules.fence(strand.round, strand.links[node]);
        } else {
            strand.round.write(strand.regions[node], offset(slot), next);
        }
        strand.round.write(strand.regions[node], offset(slot) + B, next);
        boolean done = strand.done();
        strand.slot.heed();
        if (swaps && strand.effect(0) == Effect.DONE && strand.inOneEra())
            Violation.unless(
                    strand.landed(0) == next - 1,
                    "litmus",
                    "a CAS of the only writer finds another word: slot=" + slot + " found=" + strand.landed(0)
                            + " expected=" + (next - 1));
        if (done) {
            pair.certain = true;
            pair.inOrderSince = strand.postedInEra;
        } else {
            // An old value that lands after a newer one would look like a broken order, so no verb may be left flying.
            strand.replaceSession();
        }
    }

    void look(VerbStrand strand) {
        int slot = strand.random.nextInt(pairs.length);
        int node = node(slot);
        boolean inOrder = pairs[slot].inOrderSince == context.era();
        strand.round
                .read(strand.regions[node], offset(slot) + B, Words.BYTES, strand.landing, 0)
                .read(strand.regions[node], offset(slot), Words.BYTES, strand.landing, Words.BYTES);
        boolean done = strand.done();
        strand.slot.heed();
        if (done && inOrder && strand.inOneEra()) judge(slot, strand.landed(Words.BYTES), strand.landed(0));
        if (!done) strand.mend();
    }

    private static void judge(int slot, long a, long b) {
        Violation.unless(
                a >= b,
                "litmus",
                "b is new and a is old, though a was written first: slot=" + slot + " a=" + a + " b=" + b);
    }

    void checkEnd() {
        for (int slot = 0; slot < pairs.length; slot++) {
            if (pairs[slot].inOrderSince != context.era()) continue;
            long a = context.word(node(slot), offset(slot));
            judge(slot, a, context.word(node(slot), offset(slot) + B));
            Violation.unless(
                    !pairs[slot].certain || a == pairs[slot].written,
                    "litmus",
                    "at the end a is not what was written last: slot=" + slot + " a=" + a + " written="
                            + pairs[slot].written);
        }
    }
}
