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

    private static final long NOT_TAKEN = -1;

    private final RecordTxn txn;
    private final RecordCoordinator coordinator;
    private final Placement placement;
    private final Images images;

    /** Bytes of the log of each node; 0 if the node holds nothing of the write set. */
    private final long[] bytes;

    /** Where the log of each node is made. All nodes that hold the whole write set have the same log. */
    private final long[] made;

    /** The bytes of the log of a node that holds the whole write set, and whether it is made. */
    private long wholeBytes;

    private boolean isWholeMade;

    public LogPhase(RecordTxn txn, RecordCoordinator coordinator, Images images) {
        this.txn = txn;
        this.coordinator = coordinator;
        this.placement = coordinator.pool().placement();
        this.images = images;
        this.bytes = new long[coordinator.pool().nodes()];
        this.made = new long[bytes.length];
    }

    /**
     * Refuses a write set that the log cannot hold, takes memory for the logs, and waits until the log in its slot is
     * no longer needed.
     */
    public void claim(int slot) {
        size();
        long whole = NOT_TAKEN;
        for (int node = 0; node < bytes.length; node++) {
            if (bytes[node] == 0) continue;
            boolean holdsAll = bytes[node] == wholeBytes;
            made[node] = holdsAll && whole != NOT_TAKEN ? whole : txn.take(bytes[node]);
            if (holdsAll) whole = made[node];
        }
        isWholeMade = false;
        coordinator.releaseOf(slot);
    }

    /** As {@link #claim}, for a caller that makes the logs in memory of its own. */
    public void claimUnmade(int slot) {
        size();
        coordinator.releaseOf(slot);
    }

    private void size() {
        wholeBytes = ImageLog.bytes(txn.writes());
        for (int node = 0; node < bytes.length; node++) {
            bytes[node] = ImageLog.bytes(txn.writes(), placement, node);
            if (bytes[node] > coordinator.logSlotBytes() && !txn.isLogInHeap(node))
                throw txn.tooLarge("bytes of log", coordinator.logSlotBytes());
        }
    }

    /** Returns the bytes of the log of a node; 0 if nothing of the write set lies there. */
    public long bytes(int node) {
        return bytes[node];
    }

    /** Adds WRITE log of a node that holds something of the write set. */
    public void add(Round round, int node, int slot, long stamp) {
        make(node, stamp);
        txn.writeLog(round, node, slot, bytes[node], made[node]);
    }

    /** Adds WRITE log of every node that holds something of the write set. */
    public void addAll(Round round, int slot, long stamp) {
        for (int node = 0; node < bytes.length; node++) if (bytes[node] > 0) add(round, node, slot, stamp);
    }

    private void make(int node, long stamp) {
        boolean holdsAll = bytes[node] == wholeBytes;
        if (holdsAll && isWholeMade) return;
        if (images == Images.OLD)
            ImageLog.undo(txn.memory(), made[node], bytes[node], txn.id(), stamp, txn.writes(), placement, node);
        else ImageLog.redo(txn.memory(), made[node], bytes[node], txn.id(), stamp, txn.writes(), placement, node);
        isWholeMade |= holdsAll;
    }
}
