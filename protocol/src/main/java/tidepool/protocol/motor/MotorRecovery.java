package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.fabric.Session;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordRecovery;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;

/**
 * Finishes or undoes what a dead session left.
 *
 * <p><b>The rule</b> is FORD's. Look only at the objects that a transaction T of the dead session still locks. If every copy of
 * all of them holds T's object whole, T may have been reported: it is kept. A tuple is written behind its delta and its package
 * on the same link, so a whole tuple means a whole version. Otherwise the last acknowledgement never came, T was never reported,
 * and nobody has read it, because its locks are still held: everything is restored, and only then unlocked.
 *
 * <p><b>Run twice, or killed half-way,</b> it decides the same again: keeping changes nothing but marks and locks, and undoing makes
 * things only less complete while every lock is still there.
 */
public class MotorRecovery extends RecordRecovery {
    private final MotorOptions options;
    private Undoing undoing;

    public MotorRecovery(Session session, Catalog catalog, MotorOptions options) {
        super(session, catalog);
        this.options = options;
    }

    @Override
    protected boolean needsWholeLogs() {
        return true;
    }

    @Override
    protected void resolve(long txn, List<Log> logs) {
        MemorySegment log = logs.getFirst().memory();
        int objects = ImageLog.objects(log);
        List<Integer> locked = lockedBy(txn, log);
        for (int i = 0; i < objects; i++)
            if (!locked.contains(i) && !undoing().isRow(ImageLog.pointer(log, i)))
                stragglers += publishBackups(txn, ImageLog.pointer(log, i));
        if (locked.isEmpty()) {
            ended++;
            return;
        }
        boolean commits = decide(txn, log, locked);
        if (!commits) undo(logs, locked);
        // Before anything that a second recoverer could no longer derive it from.
        catalog.recordOutcome(txn, commits);
        if (commits) publish(txn, log, locked);
        unlock(txn, log, locked);
        if (commits) finished++;
        else undone++;
    }

    /** Whether every copy of every object that is still locked is the transaction's, and whole. */
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

    /** The marks of heads. */
    private void publish(long txn, MemorySegment log, List<Integer> locked) {
        for (int i : locked) {
            long pointer = ImageLog.pointer(log, i);
            if (undoing().isRow(pointer)) continue;
            publishBackups(txn, pointer);
            round.write(pool.primary(pointer), Pointer.offset(pointer) + ObjectLayout.VERSION, txn)
                    .post()
                    .await();
        }
    }

    /** On every copy, also on one that was not touched: an image has lost the versions that the new one had overwritten. */
    private void undo(List<Log> logs, List<Integer> locked) {
        for (int i : locked)
            for (Log log : logs) {
                if (!ImageLog.hasImage(log.memory(), i)) continue;
                undo(log.memory(), i);
                break;
            }
    }

    private void undo(MemorySegment log, int i) {
        long pointer = ImageLog.pointer(log, i);
        for (int copy = 0; copy < pool.copies(pointer); copy++)
            undoing().undo(pointer, ImageLog.bodyBytes(log, i), log, ImageLog.image(log, i), ImageLog.stamp(log), copy);
    }

    private Undoing undoing() {
        if (undoing == null) undoing = new Undoing(pool, lane, round, catalog, this::structure);
        return undoing;
    }

    /** How versions are kept. */
    protected VersionStructure structure(PoolRegions regions, Memory memory) {
        return new Tuples(regions, memory, options);
    }
}
