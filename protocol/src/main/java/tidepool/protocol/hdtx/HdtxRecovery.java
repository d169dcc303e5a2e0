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
 * Carries out or drops what a dead session left, from memory alone.
 *
 * <p><b>The rule.</b> A transaction T with read-only data has happened if some node has its status. One without has happened if
 * its log is whole on every node that holds anything it writes. If so, it is carried out on whatever T still locks. Otherwise it
 * was not reported and no body was touched: the marks are taken off, and then it is unlocked.
 *
 * <p><b>Run twice, or killed half-way,</b> it decides the same again: logs and statuses stay until all is done, and what T does
 * not lock any more was released, which is only done when every copy has been made.
 */
public class HdtxRecovery extends RecordRecovery {
    public HdtxRecovery(Session session, Catalog catalog) {
        super(session, catalog);
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
        // The answer is written down before anything that a second recoverer could no longer derive it from.
        catalog.recordOutcome(txn, commits);
        if (commits) carryOut(txn, logs, locked);
        else drop(txn, logs, locked);
        unlock(txn, log, locked);
        if (commits) finished++;
        else undone++;
    }

    /** Nothing is visible before all of it is there: see {@link Descriptors}. */
    private void carryOut(long txn, List<Log> logs, List<Integer> locked) {
        for (Log one : logs) {
            spread(txn, one);
            for (int i : locked) if (ImageLog.hasImage(one.memory(), i)) install(txn, one, i);
        }
        for (Log one : logs) for (int i : locked) if (ImageLog.hasImage(one.memory(), i)) show(txn, one, i);
    }

    private void drop(long txn, List<Log> logs, List<Integer> locked) {
        for (Log one : logs) for (int i : locked) if (ImageLog.hasImage(one.memory(), i)) takeMarkOff(txn, one, i);
    }

    /** Whether the transaction may have been reported. */
    protected boolean decide(MemorySegment log, List<Log> logs) {
        return ImageLog.isByStatus(log) ? isDecided(logs) : isLoggedEverywhere(log, logs);
    }

    /** One is enough: it was sent when all logs had been acknowledged and everything that was read was valid. */
    private static boolean isDecided(List<Log> logs) {
        for (Log one : logs) if (ImageLog.isDecided(one.memory())) return true;
        return false;
    }

    /** Whether every node that holds a replica of anything written has the whole log. */
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

    /** The status on every node: if the only one that had it dies now, with half of the copies made, it is still known. */
    private void spread(long txn, Log log) {
        if (!ImageLog.isByStatus(log.memory())) return;
        round.write(pool.log(log.node()), log.at() + LogLayout.STATUS, txn)
                .post()
                .await();
    }

    /** Writes the image of an object on the log's node, if it is not there yet. Marked first, as its writer does. */
    protected void install(long txn, Log log, int i) {
        long pointer = ImageLog.pointer(log.memory(), i);
        long bodyBytes = ImageLog.bodyBytes(log.memory(), i);
        Region region = pool.at(log.node(), pointer);
        long offset = Pointer.offset(pointer);
        if (isComplete(txn, region, pointer, bodyBytes)) return;
        round.write(region, offset + ObjectLayout.VERSION, TxnId.INV | txn)
                .write(
                        region,
                        offset + ObjectLayout.BODY,
                        bodyBytes,
                        log.memory(),
                        ImageLog.image(log.memory(), i) + Words.BYTES)
                .post()
                .await();
    }

    private void show(long txn, Log log, int i) {
        long pointer = ImageLog.pointer(log.memory(), i);
        round.write(pool.at(log.node(), pointer), Pointer.offset(pointer) + ObjectLayout.VERSION, txn)
                .post()
                .await();
    }

    /** No body was touched: the version is what it was. */
    protected void takeMarkOff(long txn, Log log, int i) {
        long pointer = ImageLog.pointer(log.memory(), i);
        round.compareAndSwap(
                        pool.at(log.node(), pointer),
                        Pointer.offset(pointer) + ObjectLayout.VERSION,
                        TxnId.INV | txn,
                        Words.plain(log.memory(), ImageLog.image(log.memory(), i)),
                        words,
                        0)
                .post()
                .await();
    }

    @Override
    protected void unlock(long txn, MemorySegment log, List<Integer> locked) {
        for (int i : locked) free(ImageLog.pointer(log, i), txn);
    }

    /** Only the bits of the holder: who waits stays written there, and may come at any moment. */
    @Override
    protected void free(long pointer, long lock) {
        round.maskedCompareAndSwap(
                        pool.primary(pointer),
                        Pointer.offset(pointer) + ObjectLayout.LOCK,
                        TxnId.of(lock),
                        HdtxVerbs.HOLDER,
                        0,
                        HdtxVerbs.HOLDER,
                        words,
                        0)
                .post()
                .await();
    }
}
