package tidepool.protocol.hdtx;

import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.RecordRecovery;
import tidepool.store.Catalog;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/**
 * Recovery of a dead session from memory alone: it carries out or drops each of its transactions.
 *
 * <p><b>The rule.</b> A transaction T with reads that it did not lock has committed if some node has its status. One
 * without such reads has committed if its log is whole on every node that holds an object it writes. If T has
 * committed, it is carried out on the objects that it still locks. Otherwise T was not reported and no body was
 * touched: its marks are removed, and then its objects are unlocked.
 *
 * <p><b>Run twice, or killed half-way,</b> it reaches the same decision again. Logs and statuses stay until all is
 * done. An object that T no longer locks was released, which happens only after every copy has been made.
 */
public class HdtxRecovery extends RecordRecovery {
    public HdtxRecovery(Session session, Catalog catalog) {
        super(session, catalog, QueuedLockWords.ONLY);
    }

    @Override
    protected void resolve(long txn, List<Log> logs) {
        MemorySegment log = logs.getFirst().memory();
        List<Integer> locked = lockedBy(txn, log);
        if (locked.isEmpty()) {
            ended++;
            return;
        }
        boolean commits = decide(log, logs);
        // The outcome is recorded before any step after which a second recoverer could no longer derive it.
        catalog.recordOutcome(txn, commits);
        if (commits) finish(txn, logs, locked);
        else drop(txn, logs, locked);
        unlock(txn, log, locked);
        if (commits) finished++;
        else undone++;
    }

    /** Installs all images, and only then makes them visible: see {@link CopyDescriptors}. */
    private void finish(long txn, List<Log> logs, List<Integer> locked) {
        for (Log one : logs) {
            spread(txn, one);
            for (int i : locked) if (ImageLog.hasImage(one.memory(), i)) install(txn, one, i);
        }
        for (Log one : logs) for (int i : locked) if (ImageLog.hasImage(one.memory(), i)) show(txn, one, i);
    }

    private void drop(long txn, List<Log> logs, List<Integer> locked) {
        for (Log one : logs) for (int i : locked) if (ImageLog.hasImage(one.memory(), i)) takeMarkOff(txn, one, i);
    }

    /** Returns whether the transaction may have been reported. */
    protected boolean decide(MemorySegment log, List<Log> logs) {
        return ImageLog.isByStatus(log) ? isDecided(logs) : isLoggedEverywhere(log, logs);
    }

    /**
     * Returns whether a node has the status. One is enough: it was sent when all logs had been acknowledged and all
     * reads were valid.
     */
    private static boolean isDecided(List<Log> logs) {
        for (Log one : logs) if (ImageLog.isDecided(one.memory())) return true;
        return false;
    }

    /** Returns whether every node that holds a replica of a written object has the whole log. */
    protected final boolean isLoggedEverywhere(MemorySegment log, List<Log> logs) {
        for (int node = 0; node < pool.nodes(); node++) {
            boolean needed = false;
            for (int i = 0; i < ImageLog.objects(log); i++)
                needed |= ImageLog.bodyBytes(log, i) > 0
                        && pool.placement().holds(node, Pointer.partition(ImageLog.pointer(log, i)));
            boolean there = false;
            for (Log one : logs) there |= one.node() == node;
            if (needed && !there) return false;
        }
        return true;
    }

    /**
     * Writes the status on every node. Otherwise the decision would be lost if the only node that had it died now, with
     * half of the copies made.
     */
    private void spread(long txn, Log log) {
        if (!ImageLog.isByStatus(log.memory())) return;
        round.write(pool.log(log.node()), log.at() + LogLayout.STATUS, txn)
                .post()
                .await();
    }

    /**
     * Writes the image of an object on the log's node, if it is not there yet. Marks the object first, as its writer
     * does.
     */
    protected void install(long txn, Log log, int i) {
        long pointer = ImageLog.pointer(log.memory(), i);
        long bodyBytes = ImageLog.bodyBytes(log.memory(), i);
        Region region = pool.at(log.node(), pointer);
        long offset = Pointer.offset(pointer);
        if (isComplete(txn, region, pointer, bodyBytes)) return;
        round.write(region, offset + ObjectLayout.VERSION, TxnId.INV | txn)
                .write(region, offset + ObjectLayout.BODY, bodyBytes, log.memory(), log.image(i) + Words.BYTES)
                .post()
                .await();
    }

    private void show(long txn, Log log, int i) {
        long pointer = ImageLog.pointer(log.memory(), i);
        round.write(pool.at(log.node(), pointer), Pointer.offset(pointer) + ObjectLayout.VERSION, txn)
                .post()
                .await();
    }

    /** Restores the version. No body was touched. */
    protected void takeMarkOff(long txn, Log log, int i) {
        long pointer = ImageLog.pointer(log.memory(), i);
        round.compareAndSwap(
                        pool.at(log.node(), pointer),
                        Pointer.offset(pointer) + ObjectLayout.VERSION,
                        TxnId.INV | txn,
                        Words.plain(log.memory(), log.image(i)),
                        words,
                        0)
                .post()
                .await();
    }
}
