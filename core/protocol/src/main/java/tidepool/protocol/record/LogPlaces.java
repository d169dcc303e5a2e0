package tidepool.protocol.record;

import tidepool.fabric.Round;
import tidepool.store.LogLayout;
import tidepool.store.Pointer;

/**
 * The places of the intents and logs of a transaction on memory nodes: first in the area of its coordinator, then in
 * the log heap.
 */
final class LogPlaces {
    /** The maximum log bytes of an object of the index: its pointer, its image, and steps of a descriptor. */
    private static final long INDEX_OBJECT_LOG_BYTES = 256;

    private final RecordTxn txn;
    private final RecordCoordinator coordinator;
    private final WriteSet writes;
    private int intents;

    LogPlaces(RecordTxn txn, RecordCoordinator coordinator, WriteSet writes) {
        this.txn = txn;
        this.coordinator = coordinator;
        this.writes = writes;
    }

    /** Called when an attempt begins. */
    void clear() {
        intents = 0;
    }

    /** Whether {@code objects} more objects of the index can be written and logged. */
    boolean hasRoomFor(int objects) {
        if (txn.isLarge()) return writes.count() + objects <= txn.room().objects();
        long bytes = ImageLog.bytes(writes);
        // A log that lies in the heap in any case may be longer.
        if (bytes <= coordinator.logSlotBytes() || !heap().isThere()) bytes += objects * INDEX_OBJECT_LOG_BYTES;
        else bytes = 0;
        return writes.count() + objects <= WriteSet.MAX_OBJECTS
                && intents + objects <= LogLayout.INTENTS
                && bytes <= coordinator.logSlotBytes();
    }

    /** Returns where the intent of a lock goes: first into the area of the coordinator, then into the log heap. */
    long nextIntent(WriteTarget t) {
        if (intents < LogLayout.INTENTS) return coordinator.intent(intents++);
        if (!heap().isThere()) throw txn.tooLarge("locks", LogLayout.INTENTS);
        return heap().intent(txn, coordinator.placement.primary(Pointer.partition(t.pointer)));
    }

    /** Whether a log with all images fits its slot. */
    boolean fitsSlot() {
        return writes.logBytes() <= coordinator.logSlotBytes();
    }

    /** Takes blocks of the log heap for logs that do not fit their slots. If there are too few, the attempt ends. */
    void reserve() {
        if (fitsSlot()) return;
        if (heap().isThere()) heap().reserve(txn);
        else
            for (int node = 0; node < coordinator.pool().nodes(); node++)
                if (txn.logBytes(node) > coordinator.logSlotBytes())
                    throw txn.tooLarge("bytes of log", coordinator.logSlotBytes());
    }

    /** Returns where the log begins in the log region of a node. */
    long at(int node, int slot) {
        return isInHeap(node) ? heap().logAt(node) : coordinator.logSlot(slot);
    }

    boolean isInHeap(int node) {
        return coordinator.heap() != null && heap().hasLog(node);
    }

    /** Adds WRITE log of a node, from local memory. */
    void write(Round to, int node, int slot, long bytes, long log) {
        if (isInHeap(node)) heap().addLog(to, node, slot, bytes, log, txn.verbs());
        else txn.verbs().log(to, node, coordinator.logSlot(slot), bytes, log);
    }

    private LogHeap heap() {
        return coordinator.makeHeap();
    }
}
