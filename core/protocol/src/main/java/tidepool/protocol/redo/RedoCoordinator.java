package tidepool.protocol.redo;

import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.WriteSet;
import tidepool.store.Catalog;
import tidepool.store.LogLayout;

/**
 * A coordinator of transactions with redo logs. If commits do not wait for the images, two transaction objects take
 * turns, because a background round still sends from the memory of the previous one.
 */
public abstract class RedoCoordinator extends RecordCoordinator {
    private final boolean awaitsImages;
    private final Round[] images = new Round[LogLayout.SLOTS];

    /**
     * Claims a place among the pool's coordinators. Waits for the memory nodes.
     *
     * @param awaitsImages whether a transaction is reported only after its images are acknowledged on all replicas
     */
    protected RedoCoordinator(Session session, Catalog catalog, TxnCounter counters, boolean awaitsImages) {
        super(session, catalog, counters);
        this.awaitsImages = awaitsImages;
        for (int i = 0; i < images.length; i++)
            images[i] = lane.growingRound(3 * WriteSet.MAX_OBJECTS * placement.replicas());
    }

    boolean awaitsImages() {
        return awaitsImages;
    }

    @Override
    protected int transactions() {
        return awaitsImages ? 1 : LogLayout.SLOTS;
    }

    @Override
    protected void reuse() {
        imagesOf(slot());
    }

    @Override
    protected void trim() {
        super.trim();
        for (int i = 0; i < images.length; i++) {
            imagesOf(i).discard(); // of a commit with awaited images, whose fabric has failed
            images[i].trim();
        }
    }

    /**
     * Returns the image round of this log slot. Waits until its previous images are answered, so that the memory they
     * were sent from is free.
     */
    protected final Round imagesOf(int slot) {
        images[slot].settle();
        return images[slot];
    }
}
