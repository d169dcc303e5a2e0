package tidepool.check.simulation;

import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;

/**
 * Words private to a slot, {@link #PER_SLOT} on each node, written alone and in blocks that tear. An acknowledged WRITE
 * or CAS is what the slot's next READ finds; orders of the table and fences are kept; what was flushed survives.
 */
final class CellsArea {
    static final int PER_SLOT = 32;
    private static final int MOST_IN_A_BLOCK = 12;
    private static final long SECOND = Worker.LANDING / 2;

    private final World world;
    private final long start;

    CellsArea(World world, long start) {
        this.world = world;
        this.start = start;
    }

    long bytes() {
        return (long) world.options.strands() * PER_SLOT * Words.BYTES;
    }

    private long offset(Slot slot, int cell) {
        return start + ((long) slot.index * PER_SLOT + cell) * Words.BYTES;
    }

    /** One block of cells of one node, and what a turn does with it. */
    private final class Block {
        final Worker worker;
        final int node;
        final int first;
        final int count;
        final Values[] before;
        final long value;

        Block(Worker worker) {
            this.worker = worker;
            this.node = worker.random.nextInt(worker.links.length);
            this.count = worker.random.nextBoolean() ? 1 : 1 + worker.random.nextInt(MOST_IN_A_BLOCK);
            this.first = worker.random.nextInt(PER_SLOT - count + 1);
            this.value = ++worker.slot.sequence;
            this.before = new Values[count];
            for (int i = 0; i < count; i++) before[i] = cell(i).possible();
        }

        Cell cell(int i) {
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

        /** Against what the model says now. */
        void judgeRead(Effect effect, long landingOffset, boolean alone) {
            if (effect != Effect.DONE) return;
            for (int i = 0; i < count; i++) {
                long found = worker.landed(landingOffset + (long) i * Words.BYTES);
                Violation.unless(cell(i).allows(found), "cells", describe(i, found) + cell(i));
                if (alone) cell(i).seen(found);
            }
        }

        /** Against what the model said before the block was written in the same round. */
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

    void turn(Worker worker) {
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

    private boolean read(Worker worker) {
        Block block = new Block(worker);
        block.read(0);
        boolean done = worker.done();
        block.judgeRead(worker.effect(0), 0, true);
        return done;
    }

    private boolean write(Worker worker) {
        Block block = new Block(worker);
        block.write();
        boolean done = worker.done();
        block.judgeWrite(worker.effect(0));
        return done;
    }

    /** WRITE before READ is an order that costs nothing. */
    private boolean writeThenRead(Worker worker) {
        Block block = new Block(worker);
        block.write();
        block.read(0);
        boolean done = worker.done();
        block.judgeWrite(worker.effect(0));
        block.judgeRead(worker.effect(1), 0, false);
        return done;
    }

    /** Behind a fence the WRITE comes after the READ, which finds what was there before. */
    private boolean readThenFencedWrite(Worker worker) {
        Block block = new Block(worker);
        block.read(0);
        block.fence();
        block.write();
        block.read(SECOND); // may pass what the fence holds back on its way, but not take effect before it
        boolean done = worker.done();
        block.judgeReadBefore(worker.effect(0), 0, false);
        block.judgeWrite(worker.effect(1));
        block.judgeRead(worker.effect(2), SECOND, false);
        return done;
    }

    /** Without one it may pass the READ, word by word. */
    private boolean readThenWrite(Worker worker) {
        Block block = new Block(worker);
        block.read(0);
        block.write();
        boolean done = worker.done();
        block.judgeReadBefore(worker.effect(0), 0, true);
        block.judgeWrite(worker.effect(1));
        return done;
    }

    /** CAS from a value that is possible, and a READ behind it, which it orders. */
    private boolean swap(Worker worker) {
        Block block = new Block(worker);
        Cell cell = block.cell(0);
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

    private boolean writeAndFlush(Worker worker) {
        Block block = new Block(worker);
        block.write();
        world.rules.flush(worker.round, worker.links[block.node]);
        boolean done = worker.done();
        block.judgeWrite(worker.effect(0));
        if (done) for (Cell cell : worker.slot.cells[block.node]) cell.flushed(worker.connection[block.node]);
        return done;
    }

    /** Several nodes in one round trip. */
    private boolean writeMany(Worker worker) {
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

    /** A WRITE off the critical path, and a READ of the same words in a round behind it on the same link. */
    private boolean writeInBackground(Worker worker) {
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
        for (Slot slot : world.slots) {
            slot.heed();
            for (int node = 0; node < slot.cells.length; node++) {
                for (int i = 0; i < PER_SLOT; i++) {
                    Cell cell = slot.cells[node][i];
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
