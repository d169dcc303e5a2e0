package tidepool.protocol.record;

import tidepool.fabric.Round;
import tidepool.store.Placement;

/**
 * The log phase: a log of the write set on every node that holds a copy of a written object, primaries too. Otherwise a
 * node that fails together with the coordinator could take the last copy of a log with it.
 */
public final class LogPhase {
    /** The images in a log. */
    public enum Images {
        /** From which an update in place is undone. */
        OLD,
        /** From which a recoverer carries out the transaction. */
        NEW
    }

    /** The commit timestamp of a protocol that has none. */
    public static final long NO_STAMP = 0;

    /** For {@link #claim}: nothing follows the logs in their slots. */
    private static final long[] NOTHING = null;

    private final RecordTxn txn;
    private final RecordCoordinator coordinator;
    private final Placement placement;
    private final Images images;

    /** Bytes of the log of each node; 0 if the node holds nothing of the write set. */
    private final long[] bytes;

    /** The log of a node that holds the whole write set: its bytes, and its local offset once it is made, or -1. */
    private long wholeBytes;

    private long whole;

    public LogPhase(RecordTxn txn, RecordCoordinator coordinator, Images images) {
        this.txn = txn;
        this.coordinator = coordinator;
        this.placement = coordinator.pool().placement();
        this.images = images;
        this.bytes = new long[coordinator.pool().nodes()];
    }

    /** Refuses a write set that the log cannot hold, and waits until the log in its slot is no longer needed. */
    public void claim(int slot) {
        claim(slot, NOTHING);
    }

    /**
     * As {@link #claim(int)}, for logs that are not alone in their slots.
     *
     * @param following for each node, the bytes that follow its log in the slot
     */
    public void claim(int slot, long[] following) {
        wholeBytes = ImageLog.bytes(txn.writes());
        whole = -1;
        for (int node = 0; node < bytes.length; node++) {
            bytes[node] = ImageLog.bytes(txn.writes(), placement, node);
            long all = following == NOTHING ? bytes[node] : bytes[node] + following[node];
            if (all > coordinator.logSlotBytes()) throw txn.tooLarge("bytes of log", coordinator.logSlotBytes());
        }
        coordinator.releaseOf(slot);
    }

    /** Returns the bytes of the log of a node; 0 if nothing of the write set lies there. */
    public long bytes(int node) {
        return bytes[node];
    }

    /** Adds WRITE log of a node that holds something of the write set. */
    public void add(Round round, int node, int slot, long stamp) {
        txn.verbs().log(round, node, coordinator.logSlot(slot), bytes[node], log(node, stamp));
    }

    /** Adds WRITE log of every node that holds something of the write set. */
    public void addAll(Round round, int slot, long stamp) {
        for (int node = 0; node < bytes.length; node++) if (bytes[node] > 0) add(round, node, slot, stamp);
    }

    /** Returns the log of a node. All nodes that hold the whole write set have the same log, so it is made once. */
    private long log(int node, long stamp) {
        boolean holdsAll = bytes[node] == wholeBytes;
        if (holdsAll && whole >= 0) return whole;
        long log = txn.take(bytes[node]);
        if (images == Images.OLD)
            ImageLog.undo(txn.memory(), log, bytes[node], txn.id(), stamp, txn.writes(), placement, node);
        else ImageLog.redo(txn.memory(), log, bytes[node], txn.id(), stamp, txn.writes(), placement, node);
        if (holdsAll) whole = log;
        return log;
    }
}
