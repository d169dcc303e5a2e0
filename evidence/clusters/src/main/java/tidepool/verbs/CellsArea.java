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

    private final RunContext world;
    private final long start;

    CellsArea(RunContext world, long start) {
        this.world = world;
        this.start = start;
    }

    long bytes() {
        return (long) world.options.strands() * PER_SLOT * Words.BYTES;
    }

    private long offset(StrandSlot slot, int cell) {
        return start + ((long) slot.index * PER_SLOT + cell) * Words.BYTES;
    }

    /** One block of cells of one node, and the verbs of one turn on it. */
    private final class Block {
        final VerbStrand worker;
        final int node;
        final int first;
        final int count;
        final WordSet[] before;
        final long value;

        Block(VerbStrand worker) {
            this.worker = worker;
            this.node = worker.random.nextInt(worker.links.length);
            this.count = worker.random.nextBoolean() ? 1 : 1 + worker.random.nextInt(MAX_IN_A_BLOCK);
            this.first = worker.random.nextInt(PER_SLOT - count + 1);
            this.value = ++worker.slot.sequence;
            this.before = new WordSet[count];
            for (int i = 0; i < count; i++) before[i] = cell(i).possible();
        }

        ModelWord cell(int i) {
            return worker.slot.cells[node][first + i];
        }

        long length() {
            return (long) count * Words.BYTES;
        }

        void read(long landingOffset) {
            worker.round.read(
                    worker.regions[node], offset(worker.slot, first), length(), worker.landing, landingOffset);
        }

        void write() {
            write(worker.round, 0);
        }

        void write(tidepool.fabric.Round round, long sourceOffset) {
            for (int i = 0; i < count; i++) {
                cell(i).attempt(value);
                Words.plain(worker.source, sourceOffset + (long) i * Words.BYTES, value);
            }
            round.write(worker.regions[node], offset(worker.slot, first), length(), worker.source, sourceOffset);
        }

        void fence() {
            world.rules.fence(worker.round, worker.links[node]);
        }

        void judgeWrite(Effect effect) {
            for (int i = 0; i < count; i++) {
                switch (effect) {
                    case DONE -> cell(i).written(value, worker.connection[node]);
                    case UNKNOWN -> cell(i).unknown(value);
                    case NOT_DONE -> cell(i).notDone(value);
                }
            }
        }

        /** Compares a READ with what the model allows now. */
        void judgeRead(Effect effect, long landingOffset, boolean alone) {
            if (effect != Effect.DONE) return;
            for (int i = 0; i < count; i++) {
                long found = worker.landed(landingOffset + (long) i * Words.BYTES);
                Violation.unless(cell(i).allows(found), "cells", describe(i, found) + cell(i));
                if (alone) cell(i).seen(found);
            }
        }

        /** Compares a READ with what the model allowed before the block was written in the same round. */
        void judgeReadBefore(Effect effect, long landingOffset, boolean orWritten) {
            if (effect != Effect.DONE) return;
            for (int i = 0; i < count; i++) {
                long found = worker.landed(landingOffset + (long) i * Words.BYTES);
                boolean good = before[i].contains(found) || (orWritten && found == value);
                Violation.unless(good, "cells", describe(i, found) + "before=" + before[i] + " written=" + value);
            }
        }

        private String describe(int i, long found) {
            return "a strand reads what its own words cannot be: slot=" + worker.slot.index + " target=m" + node
                    + "/r0+0x" + Long.toHexString(offset(worker.slot, first + i)) + " found=" + found + " ";
        }
    }

    void turn(VerbStrand worker) {
        boolean done =
                switch (worker.random.nextInt(9)) {
                    case 0 -> read(worker);
                    case 1 -> write(worker);
                    case 2 -> writeThenRead(worker);
                    case 3 -> readThenFencedWrite(worker);
                    case 4 -> readThenWrite(worker);
                    case 5 -> swap(worker);
                    case 6 -> writeAndFlush(worker);
                    case 7 -> writeMany(worker);
                    default -> writeInBackground(worker);
                };
        worker.slot.heed();
        if (!done) worker.mend();
    }

    private boolean read(VerbStrand worker) {
        Block block = new Block(worker);
        block.read(0);
        boolean done = worker.done();
        block.judgeRead(worker.effect(0), 0, true);
        return done;
    }

    private boolean write(VerbStrand worker) {
        Block block = new Block(worker);
        block.write();
        boolean done = worker.done();
        block.judgeWrite(worker.effect(0));
        return done;
    }

    /** WRITE before READ is an order that costs nothing. */
    private boolean writeThenRead(VerbStrand worker) {
        Block block = new Block(worker);
        block.write();
        block.read(0);
        boolean done = worker.done();
        block.judgeWrite(worker.effect(0));
        block.judgeRead(worker.effect(1), 0, false);
        return done;
    }

    /** With a fence the WRITE comes after the READ, which finds the values from before. */
    private boolean readThenFencedWrite(VerbStrand worker) {
        Block block = new Block(worker);
        block.read(0);
        block.fence();
        block.write();
        block.read(SECOND); // may overtake the fenced WRITE on the network, but not take effect before it
        boolean done = worker.done();
        block.judgeReadBefore(worker.effect(0), 0, false);
        block.judgeWrite(worker.effect(1));
        block.judgeRead(worker.effect(2), SECOND, false);
        return done;
    }

    /** Without a fence the WRITE may overtake the READ, word by word. */
    private boolean readThenWrite(VerbStrand worker) {
        Block block = new Block(worker);
        block.read(0);
        block.write();
        boolean done = worker.done();
        block.judgeReadBefore(worker.effect(0), 0, true);
        block.judgeWrite(worker.effect(1));
        return done;
    }

    /** CAS from a possible value, then a READ, which follows the CAS by the order table. */
    private boolean swap(VerbStrand worker) {
        Block block = new Block(worker);
        ModelWord cell = block.cell(0);
        long at = offset(worker.slot, block.first);
        long expected = cell.guess();
        cell.attempt(block.value);
        worker.round
                .compareAndSwap(worker.regions[block.node], at, expected, block.value, worker.landing, 0)
                .read(worker.regions[block.node], at, Words.BYTES, worker.landing, SECOND);
        boolean done = worker.done();
        switch (worker.effect(0)) {
            case DONE -> {
                long found = worker.landed(0);
                Violation.unless(block.before[0].contains(found), "cells", block.describe(0, found) + block.before[0]);
                if (found == expected) cell.written(block.value, worker.connection[block.node]);
                else cell.notDone(block.value);
            }
            case UNKNOWN -> cell.unknown(block.value);
            case NOT_DONE -> cell.notDone(block.value);
        }
        if (worker.effect(1) == Effect.DONE) {
            long found = worker.landed(SECOND);
            Violation.unless(cell.allows(found), "cells", block.describe(0, found) + "behind a CAS, " + cell);
        }
        return done;
    }

    private boolean writeAndFlush(VerbStrand worker) {
        Block block = new Block(worker);
        block.write();
        world.rules.flush(worker.round, worker.links[block.node]);
        boolean done = worker.done();
        block.judgeWrite(worker.effect(0));
        if (done) for (ModelWord cell : worker.slot.cells[block.node]) cell.flushed(worker.connection[block.node]);
        return done;
    }

    /** Writes to several nodes in one round trip. */
    private boolean writeMany(VerbStrand worker) {
        Block[] blocks = new Block[3];
        int posted = 0;
        for (int b = 0; b < blocks.length; b++) {
            Block block = new Block(worker);
            boolean meetsAnother = false;
            for (int other = 0; other < posted; other++)
                meetsAnother |= blocks[other].node == block.node
                        && block.first < blocks[other].first + blocks[other].count
                        && blocks[other].first < block.first + block.count;
            if (meetsAnother) continue;
            block.write(worker.round, posted * 512L);
            blocks[posted++] = block;
        }
        boolean done = worker.done();
        for (int b = 0; b < posted; b++) blocks[b].judgeWrite(worker.effect(b));
        return done;
    }

    /** A WRITE off the critical path, and a READ of its words in a later round on the same link. */
    private boolean writeInBackground(VerbStrand worker) {
        Block block = new Block(worker);
        block.write(worker.background, 0);
        worker.background.postInBackground();
        block.read(0);
        boolean done = worker.done();
        try {
            worker.background.settle();
        } catch (FabricException e) {
            done = false;
        }
        block.judgeWrite(worker.background.verb(0).effect());
        block.judgeRead(worker.effect(0), 0, false);
        return done;
    }

    void checkEnd() {
        for (StrandSlot slot : world.slots) {
            slot.heed();
            for (int node = 0; node < slot.cells.length; node++) {
                for (int i = 0; i < PER_SLOT; i++) {
                    ModelWord cell = slot.cells[node][i];
                    long found = world.word(node, offset(slot, i));
                    Violation.unless(
                            cell.allows(found),
                            "cells",
                            "at the end a word is what it cannot be: slot=" + slot.index + " target=m" + node + "/r0+0x"
                                    + Long.toHexString(offset(slot, i)) + " found=" + found + " " + cell);
                }
            }
        }
    }
}
