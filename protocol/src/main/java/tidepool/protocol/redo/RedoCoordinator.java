package tidepool.protocol.redo;

import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.WriteSet;
import tidepool.store.Catalog;
import tidepool.store.LogLayout;

/** One strand's transactions with redo logs. Images that nobody waits for are sent from the memory of two in turn. */
public abstract class RedoCoordinator extends RecordCoordinator {
    private final boolean awaitsImages;
    private final Round[] images = new Round[LogLayout.SLOTS];

    /**
     * Takes a place among the pool's coordinators. Waits.
     *
     * @param awaitsImages whether a transaction is reported only when its images are everywhere
     */
    protected RedoCoordinator(Session session, Catalog catalog, TxnCounter counters, boolean awaitsImages) {
        super(session, catalog, counters);
        this.awaitsImages = awaitsImages;
        for (int i = 0; i < images.length; i++) images[i] = lane.round(3 * WriteSet.MOST * placement.replicas());
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

    /** The images of the transaction that used this log slot before; settled, so what they were sent from is free. */
    protected final Round imagesOf(int slot) {
        images[slot].settle();
        return images[slot];
    }
}
