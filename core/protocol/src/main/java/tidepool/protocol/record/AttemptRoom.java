package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.protocol.TxnRoom;
import tidepool.protocol.TxnTooLargeException;
import tidepool.store.ScratchMemory;
import tidepool.txn.AbortReason;

/**
 * The room of an attempt: its local memory, and the limits of its sets. An attempt that needs more ends, and the next
 * one has more; a transaction that needs far too much is refused.
 */
final class AttemptRoom {
    private final DeclaredTxn txn;
    private final RecordCoordinator coordinator;
    private final TxnRoom size;

    /** Scratch memory reserved for {@link RecordTxn#isConsistent}, which is also called when the rest is used up. */
    private final long lookBytes;

    private final ScratchMemory scratch;

    AttemptRoom(DeclaredTxn txn, RecordCoordinator coordinator) {
        this.txn = txn;
        this.coordinator = coordinator;
        size = coordinator.room();
        lookBytes = 2L * Words.BYTES * size.accesses();
        scratch = new ScratchMemory(coordinator.lane.landing(lookBytes + size.bytes()));
    }

    /** Called when an attempt begins. */
    void clear() {
        scratch.reset(lookBytes);
    }

    TxnRoom size() {
        return size;
    }

    MemorySegment memory() {
        return scratch.memory();
    }

    /** Takes local memory until the attempt ends. */
    long take(long bytes) {
        long at = scratch.take(bytes);
        if (at < 0) throw needsBytes(bytes);
        return at;
    }

    // ---- growth

    private RuntimeException needsBytes(long bytes) {
        long needed = scratch.used() - lookBytes + bytes + Words.BYTES;
        if (needed > TxnRoom.LARGEST.bytes()) return tooLarge("bytes of local memory", TxnRoom.LARGEST.bytes());
        return grow(0, 0, Math.max(needed, size.bytes() + 1));
    }

    RuntimeException needsAccesses() {
        if (size.accesses() >= TxnRoom.LARGEST.accesses()) return tooLarge("accesses", size.accesses());
        return needsAccesses(txn.accesses() + 1L);
    }

    AttemptEnd needsAccesses(long all) {
        return grow(all, 0, 0);
    }

    RuntimeException needsObjects() {
        if (!coordinator.makeHeap().isThere()) return tooLarge("objects to write", size.objects());
        if (size.objects() >= TxnRoom.LARGEST.objects()) return tooLarge("objects to write", size.objects());
        return grow(0, txn.writes().count() + 1L, 0);
    }

    /** Lets the next attempt have more room: for what it was refused, and for what it has declared. */
    private AttemptEnd grow(long accessesNeeded, long objectsNeeded, long bytesNeeded) {
        long objects = 0;
        long bytes = 0;
        int declared = txn.accesses();
        for (int i = 0; i < declared; i++) {
            objects += txn.access(i).usualObjects();
            bytes += txn.access(i).usualBytes();
        }
        long all = Math.max(declared, accessesNeeded);
        long known = Math.max(1, declared);
        coordinator.room(size.largerFor(
                all,
                Math.max(Math.max(txn.writes().count(), objectsNeeded), objects * all / known),
                Math.max(Math.max(scratch.used() - lookBytes, bytesNeeded), bytes * all / known)));
        return AttemptEnd.NEEDS_ROOM;
    }

    // ---- refusals

    TxnTooLargeException tooLarge(String what, long max) {
        txn.giveUp(AbortReason.ROLLED_BACK);
        return new TxnTooLargeException("a transaction has at most " + max + " " + what);
    }

    /** Makes the refusal of a lock for whose intent no block of the log heap is left. */
    TxnTooLargeException tooManyLocks(long locks) {
        txn.giveUp(AbortReason.ROLLED_BACK);
        return new TxnTooLargeException("this transaction locks more than " + locks
                + " objects on one node, for which the log heap of the pool (logheap= of its URL) has no room");
    }

    /** Makes the refusal of a log that is longer than all blocks of the log heap that its locks leave. */
    TxnTooLargeException tooLargeForHeap(long bytes, long max) {
        txn.giveUp(AbortReason.ROLLED_BACK);
        return new TxnTooLargeException("this transaction logs " + bytes + " bytes on one node, and the log heap of the"
                + " pool (logheap= of its URL) has room for " + max / 1024 + "k beside its locks");
    }
}
