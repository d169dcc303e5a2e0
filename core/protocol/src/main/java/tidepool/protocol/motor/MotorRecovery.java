package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.fabric.Session;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.LockWords;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordRecovery;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;

/**
 * Recovery of a dead session.
 *
 * <p><b>The rule</b> is FORD's. Only the objects that a transaction T of the dead session still locks are examined. If
 * every copy of all of them holds T's whole object, T may have been reported: it is kept. A tuple is written after its
 * delta and its package on the same link, so a whole tuple implies a whole version. Otherwise the last acknowledgement
 * never arrived, T was never reported, and no transaction has read it, because its locks are still held: everything is
 * restored, and only then unlocked.
 *
 * <p><b>Run twice, or killed half-way,</b> it reaches the same decision again. Keeping T changes only marks and locks.
 * Undoing only makes objects less complete while every lock is still held.
 */
public class MotorRecovery extends RecordRecovery {
    private final MotorOptions options;
    private ReplicaUndo undo;

    public MotorRecovery(Session session, Catalog catalog, MotorOptions options) {
        super(session, catalog, LockWords.WHOLE, Motor.CLEARING);
        this.options = options;
    }

    @Override
    protected void resolve(long txn, List<Log> logs) {
        MemorySegment log = logs.getFirst().memory();
        List<Integer> locked = lockedBy(txn, log);
        for (int i : released(log, locked))
            if (!undo().isRow(ImageLog.pointer(log, i))) stragglers += publishBackups(txn, ImageLog.pointer(log, i));
        if (locked.isEmpty()) {
            ended++;
            return;
        }
        boolean commits = decide(txn, log, locked);
        if (!commits) undo(logs, locked);
        // Before any step after which a second recoverer could no longer derive the outcome.
        catalog.recordOutcome(txn, commits);
        if (commits) publish(txn, log, locked);
        unlock(txn, log, locked);
        if (commits) finished++;
        else undone++;
    }

    /** Returns whether every copy of every object that is still locked is the transaction's, and whole. */
    protected boolean decide(long txn, MemorySegment log, List<Integer> locked) {
        for (int i : locked)
            for (int r = 0; r < pool.copies(ImageLog.pointer(log, i)); r++)
                if (!isComplete(
                        txn,
                        pool.replica(ImageLog.pointer(log, i), r),
                        ImageLog.pointer(log, i),
                        ImageLog.bodyBytes(log, i))) return false;
        return true;
    }

    /** Removes the marks of heads. */
    private void publish(long txn, MemorySegment log, List<Integer> locked) {
        for (int i : locked) {
            long pointer = ImageLog.pointer(log, i);
            if (undo().isRow(pointer)) continue;
            publishBackups(txn, pointer);
            round.write(pool.primary(pointer), Pointer.offset(pointer) + ObjectLayout.VERSION, txn)
                    .post()
                    .await();
        }
    }

    /**
     * Restores every copy, also one that was not touched. The logged image lacks the versions that the new one had
     * overwritten, so an untouched copy would otherwise differ from the restored ones.
     */
    private void undo(List<Log> logs, List<Integer> locked) {
        for (int i : locked)
            for (Log log : logs) {
                if (!ImageLog.hasImage(log.memory(), i)) continue;
                undo(log, i);
                break;
            }
    }

    private void undo(Log log, int i) {
        MemorySegment memory = log.memory();
        long pointer = ImageLog.pointer(memory, i);
        for (int copy = 0; copy < pool.copies(pointer); copy++)
            undo().undo(pointer, ImageLog.bodyBytes(memory, i), memory, log.image(i), ImageLog.stamp(memory), copy);
    }

    private ReplicaUndo undo() {
        if (undo == null) undo = new ReplicaUndo(pool, lane, round, catalog, this::structure);
        return undo;
    }

    /** Returns the structure in which versions are kept. */
    protected VersionStructure structure(PoolRegions regions, TxnMemory memory) {
        return new TupleVersions(regions, memory, options);
    }
}
