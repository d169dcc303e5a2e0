package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.RecordRecovery;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/**
 * Finishes or undoes what a dead session left, from memory alone: revoke, then repair, then unlock.
 *
 * <p><b>The rule.</b> Look only at the objects that a transaction T of the dead session still locks. If every replica of
 * all of them holds T's image whole, T may have been reported: publish it. Otherwise the last acknowledgement never
 * came, T was never reported and nobody has read it: restore everything from the undo logs, and only then unlock.
 *
 * <p><b>Run twice, or killed half-way,</b> it decides the same again: publishing leaves complete what is still locked,
 * and undoing makes things only less complete while every lock is still there.
 */
public class FordRecovery extends RecordRecovery {
    public FordRecovery(Session session, Catalog catalog) {
        super(session, catalog);
    }

    /** Decides about one transaction and carries it out. */
    @Override
    protected void resolve(long txn, List<Log> logs) {
        MemorySegment log = logs.getFirst().memory();
        int objects = ImageLog.objects(log);
        List<Integer> locked = new ArrayList<>();
        for (int i = 0; i < objects; i++) if (TxnId.of(lockOf(ImageLog.pointer(log, i))) == txn) locked.add(i);
        publishStragglers(txn, log, objects, locked);
        if (locked.isEmpty()) {
            ended++;
            return;
        }
        boolean commits = decide(txn, log, locked);
        // The answer is written down before anything that a second recoverer could no longer derive it from.
        catalog.recordOutcome(txn, commits);
        if (commits) publish(txn, log, locked);
        else undo(logs, locked);
        unlock(txn, log, locked);
        if (commits) finished++;
        else undone++;
    }

    /** Whether every replica of every object that is still locked holds the transaction's whole image. */
    boolean decide(long txn, MemorySegment log, List<Integer> locked) {
        for (int i : locked)
            for (int r = 0; r < pool.placement().replicas(); r++)
                if (!isComplete(
                        txn,
                        pool.replica(ImageLog.pointer(log, i), r),
                        ImageLog.pointer(log, i),
                        ImageLog.bodyBytes(log, i))) return false;
        return true;
    }

    // ---- what is done

    /** Released on the primary, so committed; a backup may still carry the mark. */
    void publishStragglers(long txn, MemorySegment log, int objects, List<Integer> locked) {
        for (int i = 0; i < objects; i++)
            if (!locked.contains(i)) stragglers += publishBackups(txn, ImageLog.pointer(log, i));
    }

    void publish(long txn, MemorySegment log, List<Integer> locked) {
        for (int i : locked) publishBackups(txn, ImageLog.pointer(log, i));
        for (int i : locked)
            round.write(
                            pool.primary(ImageLog.pointer(log, i)),
                            Pointer.offset(ImageLog.pointer(log, i)) + ObjectLayout.VERSION,
                            txn)
                    .post()
                    .await();
    }

    /** Restores every replica that has a whole log; one that has none was not touched. */
    void undo(List<Log> logs, List<Integer> locked) {
        for (Log log : logs)
            for (int i : locked) {
                long pointer = ImageLog.pointer(log.memory(), i);
                if (!pool.placement().holds(log.node(), Pointer.partition(pointer))) continue;
                long image = ImageLog.image(log.memory(), i, pool.placement(), log.node());
                long bodyBytes = ImageLog.bodyBytes(log.memory(), i);
                restore(pool.at(log.node(), pointer), pointer, log.memory(), image, bodyBytes);
            }
    }

    /** The body first: as long as the mark is there, nobody takes what is half restored. */
    private void restore(Region region, long pointer, MemorySegment log, long image, long bodyBytes) {
        long offset = Pointer.offset(pointer);
        round.write(region, offset + ObjectLayout.BODY, bodyBytes, log, image + Words.BYTES)
                .write(region, offset + ObjectLayout.VERSION, Words.plain(log, image))
                .post()
                .await();
    }
}
