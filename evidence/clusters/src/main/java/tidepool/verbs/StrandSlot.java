package tidepool.verbs;

import tidepool.base.Strand;
import tidepool.fabric.Session;

/**
 * A slot that one strand after the other fills. The model of the private memory belongs to the slot and outlives
 * strands.
 */
final class StrandSlot {
    final RunContext context;
    final int index;
    final ModelWord[][] words;

    Strand strand;
    Session session;
    int lives;
    int turnsLeft;
    boolean finished;

    /** The last value that was written by a strand of this slot; no value is used twice. */
    long sequence;

    /** Number of power failures that the model of the private memory has taken into account. */
    private long era;

    StrandSlot(RunContext context, int index) {
        this.context = context;
        this.index = index;
        this.turnsLeft = context.options.rounds();
        this.words = new ModelWord[context.options.nodes()][CellsArea.PER_SLOT];
        for (ModelWord[] ofNode : words) for (int i = 0; i < ofNode.length; i++) ofNode[i] = new ModelWord();
    }

    boolean hasDied() {
        return !finished && strand != null && strand.isDone();
    }

    /** Called whenever an answer arrived or a connection was made: the power may have failed since the last call. */
    void heed() {
        if (era == context.era()) return;
        era = context.era();
        for (ModelWord[] ofNode : words) for (ModelWord word : ofNode) word.powerFailed();
    }

    void revoked() {
        for (ModelWord[] ofNode : words) for (ModelWord word : ofNode) word.revoked();
    }
}
