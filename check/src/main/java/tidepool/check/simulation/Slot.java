package tidepool.check.simulation;

import tidepool.base.Strand;
import tidepool.fabric.Session;
import tidepool.fabric.sim.Machine;

/** A place that one strand after the other fills. The model of its private memory belongs to it and outlives strands. */
final class Slot {
    final World world;
    final int index;
    final Cell[][] cells;

    Machine machine;
    Strand strand;
    Session session;
    int lives;
    int turnsLeft;
    boolean finished;

    /** The last value that was written by a strand of this slot; never used twice. */
    long sequence;

    /** The power failures that the model of the private memory has heard of. */
    private long era;

    Slot(World world, int index) {
        this.world = world;
        this.index = index;
        this.turnsLeft = world.options.rounds();
        this.cells = new Cell[world.options.nodes()][CellsArea.PER_SLOT];
        for (Cell[] ofNode : cells) for (int i = 0; i < ofNode.length; i++) ofNode[i] = new Cell();
    }

    boolean hasDied() {
        return !finished && strand != null && strand.isDone();
    }

    /** Called whenever an answer came or a connection was made: the power may have failed since the last time. */
    void heed() {
        if (era == world.era()) return;
        era = world.era();
        for (Cell[] ofNode : cells) for (Cell cell : ofNode) cell.powerFailed();
    }

    void revoked() {
        for (Cell[] ofNode : cells) for (Cell cell : ofNode) cell.revoked();
    }
}
