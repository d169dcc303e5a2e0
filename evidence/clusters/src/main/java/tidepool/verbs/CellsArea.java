package tidepool.verbs;

import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;

/**
 * Words private to a slot, {@link #PER_SLOT} on each node, written alone and in blocks that tear. The slot's next READ
 * finds the value of an acknowledged WRITE or CAS. Orders of the table and fences are kept. A flushed value survives.
 */
final class CellsArea {
    static final int PER_SLOT = 32;
    private static final int MAX_IN_A_BLOCK = 12;
    private static final long SECOND = VerbStrand.LANDING / 2;

    private final RunContext context;
    private final long start;

    CellsArea(RunContext context, long start) {
        this.context = context;
        this.start = start;
    }

    long bytes() {
        return (long) context.options.strands() * PER_SLOT * Words.BYTES;
    }

    private long offset(StrandSlot slot, int cell) {
        return start + ((long) slot.index * PER_SLOT + cell) * Words.BYTES;
    }

    /** One block of cells of one node, and the verbs of one turn on it. */
    private final class Block {
        final VerbStrand strand;
        final int node;
        final int first;
        final int count;
        final WordSet[] before;
        final long value;

        Block(VerbStrand strand) {
            this.strand = strand;
            this.node = strand.random.nextInt(strand.links.length);
            this.count = strand.random.nextBoolean() ? 1 : 1 + strand.random.nextInt(MAX_IN_A_BLOCK);
            this.first = strand.random.nextInt(PER_SLOT - count + 1);
            this.value = ++strand.slot.sequence;
            this.before = new WordSet[count];
            for (int i = 0; i < count; i++) before[i] = modelWord(i).possible();
        }

        ModelWord modelWord(int i) {
            return strand.slot.words[node][first + i];
        }

        long length() {
            return (long) count * Words.BYTES;
        }

        void read(long landingOffset) {
            strand.round.read(
                    strand.regions[node], offset(strand.slot, first), length(), strand.landing, landingOffset);
        }

        void write() {
            write(strand.round, 0);
        }

        void write(tidepool.fabric.Round round, long sourceOffset) {
            for (int i = 0; i < count; i++) {
                modelWord(i).attempt(value);
                Words.plain(strand.source, sourceOffset + (long) i * Words.BYTES, value);
            }
            round.write(strand.regions[node], offset(strand.slot, first), length(), strand.source, sourceOffset);
        }

        void fence() {
            context.rules.fence(strand.round, strand.links[node]);
        }

        void judgeWrite(Effect effect) {
            for (int i = 0; i < count; i++) {
                switch (effect) {
                    case DONE -> modelWord(i).written(value, strand.connection[node]);
                    case UNKNOWN -> modelWord(i).unknown(value);
                    case NOT_DONE -> modelWord(i).notDone(value);
                }
            }
        }

        /** Compares a READ with what the model allows now. */
        void judgeRead(Effect effect, long landingOffset, boolean alone) {
            if (effect != Effect.DONE) return;
            for (int i = 0; i < count; i++) {
                long found = strand.landed(landingOffset + (long) i * Words.BYTES);
                Violation.unless(modelWord(i).allows(found), "cells", describe(i, found) + modelWord(i));
                if (alone) modelWord(i).seen(found);
            }
        }

        /** Compares a READ with what the model allowed before the block was written in the same round. */
        void judgeReadBefore(Effect effect, long landingOffset, boolean orWritten) {
            if (effect != Effect.DONE) return;
            for (int i = 0; i < count; i++) {
                long found = strand.landed(landingOffset + (long) i * Words.BYTES);
                boolean good = before[i].contains(found) || (orWritten && found == value);
                Violation.unless(good, "cells", describe(i, found) + "before=" + before[i] + " written=" + value);
            }
        }

        private String describe(int i, long found) {
            return "a strand reads what its own words cannot be: slot=" + strand.slot.index + " target=m" + node
                    + "/r0+0x" + Long.toHexString(offset(strand.slot, first + i)) + " found=" + found + " ";
        }
    }

    void turn(VerbStrand strand) {
        boolean done =
                switch (strand.random.nextInt(9)) {
                    case 0 -> read(strand);
                    case 1 -> write(strand);
                    case 2 -> writeThenRead(strand);
                    case 3 -> readThenFencedWrite(strand);
                    case 4 -> readThenWrite(strand);
                    case 5 -> swap(strand);
                    case 6 -> writeAndFlush(strand);
                    case 7 -> writeMany(strand);
                    default -> writeInBackground(strand);
                };
        strand.slot.heed();
        if (!done) strand.mend();
    }

    private boolean read(VerbStrand strand) {
        Block block = new Block(strand);
        block.read(0);
        boolean done = strand.done();
        block.judgeRead(strand.effect(0), 0, true);
        return done;
    }

    private boolean write(VerbStrand strand) {
        Block block = new Block(strand);
        block.write();
        boolean done = strand.done();
        block.judgeWrite(strand.effect(0));
        return done;
    }

    /** WRITE before READ is an order that costs nothing. */
    private boolean writeThenRead(VerbStrand strand) {
        Block block = new Block(strand);
        block.write();
        block.read(0);
        boolean done = strand.done();
        block.judgeWrite(strand.effect(0));
        block.judgeRead(strand.effect(1), 0, false);
        return done;
    }

    /** With a fence the WRITE comes after the READ, which finds the values from before. */
    private boolean readThenFencedWrite(VerbStrand strand) {
        Block block = new Block(strand);
        block.read(0);
        block.fence();
        block.write();
        block.read(SECOND); // may overtake the fenced WRITE on the network, but not take effect before it
        boolean done = strand.done();
        block.judgeReadBefore(strand.effect(0), 0, false);
        block.judgeWrite(strand.effect(1));
        block.judgeRead(strand.effect(2), SECOND, false);
        return done;
    }

    /** Without a fence the WRITE may overtake the READ, word by word. */
    private boolean readThenWrite(VerbStrand strand) {
        Block block = new Block(strand);
        block.read(0);
        block.write();
        boolean done = strand.done();
        block.judgeReadBefore(strand.effect(0), 0, true);
        block.judgeWrite(strand.effect(1));
        return done;
    }

    /** CAS from a possible value, then a READ, which follows the CAS by the order table. */
    private boolean swap(VerbStrand strand) {
        Block block = new Block(strand);
        ModelWord word = block.modelWord(0);
        long at = offset(strand.slot, block.first);
        long expected = word.guess();
        word.attempt(block.value);
        strand.round
                .compareAndSwap(strand.regions[block.node], at, expected, block.value, strand.landing, 0)
                .read(strand.regions[block.node], at, Words.BYTES, strand.landing, SECOND);
        boolean done = strand.done();
        switch (strand.effect(0)) {
            case DONE -> {
                long found = strand.landed(0);
                Violation.unless(block.before[0].contains(found), "cells", block.describe(0, found) + block.before[0]);
                if (found == expected) word.written(block.value, strand.connection[block.node]);
                else word.notDone(block.value);
            }
            case UNKNOWN -> word.unknown(block.value);
            case NOT_DONE -> word.notDone(block.value);
        }
        if (strand.effect(1) == Effect.DONE) {
            long found = strand.landed(SECOND);
            Violation.unless(word.allows(found), "cells", block.describe(0, found) + "behind a CAS, " + word);
        }
        return done;
    }

    private boolean writeAndFlush(VerbStrand strand) {
        Block block = new Block(strand);
        block.write();
        context.rules.flush(strand.round, strand.links[block.node]);
        boolean done = strand.done();
        block.judgeWrite(strand.effect(0));
        if (done) for (ModelWord word : strand.slot.words[block.node]) word.flushed(strand.connection[block.node]);
        return done;
    }

    /** Writes to several nodes in one round trip. */
    private boolean writeMany(VerbStrand strand) {
        Block[] blocks = new Block[3];
        int posted = 0;
        for (int b = 0; b < blocks.length; b++) {
            Block block = new Block(strand);
            boolean meetsAnother = false;
            for (int other = 0; other < posted; other++)
                meetsAnother |= blocks[other].node == block.node
                        && block.first < blocks[other].first + blocks[other].count
                        && blocks[other].first < block.first + block.count;
            if (meetsAnother) continue;
            block.write(strand.round, posted * 512L);
            blocks[posted++] = block;
        }
        boolean done = strand.done();
        for (int b = 0; b < posted; b++) blocks[b].judgeWrite(strand.effect(b));
        return done;
    }

    /** A WRITE off the critical path, and a READ of its words in a later round on the same link. */
    private boolean writeInBackground(VerbStrand strand) {
        Block block = new Block(strand);
        block.write(strand.background, 0);
        strand.background.postInBackground();
        block.read(0);
        boolean done = strand.done();
        try {
            strand.background.settle();
        } catch (FabricException e) {
            done = false;
        }
        block.judgeWrite(strand.background.verb(0).effect());
        block.judgeRead(strand.effect(0), 0, false);
        return done;
    }

    void checkEnd() {
        for (StrandSlot slot : context.slots) {
            slot.heed();
            for (int node = 0; node < slot.words.length; node++) {
                for (int i = 0; i < PER_SLOT; i++) {
                    ModelWord word = slot.words[node][i];
                    long found = context.word(node, offset(slot, i));
                    Violation.unless(
                            word.allows(found),
                            "cells",
                            "at the end a word is what it cannot be: slot=" + slot.index + " target=m" + node + "/r0+0x"
                                    + Long.toHexString(offset(slot, i)) + " found=" + found + " " + word);
                }
            }
        }
    }
}
