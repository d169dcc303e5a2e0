package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.RecordRecovery;
import tidepool.store.Catalog;
import tidepool.store.FlushPolicy;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/**
 * Recovery of a dead session from memory alone: revoke, then repair, then unlock.
 *
 * <p><b>The rule.</b> Only the objects that a transaction T of the dead session still locks are examined. If every
 * replica of all of them holds T's whole image, T may have been reported: recovery publishes it. Otherwise the last
 * acknowledgement never arrived, T was never reported, and no transaction has read it: recovery restores everything
 * from the undo logs, and unlocks only after that.
 *
 * <p><b>Run twice, or killed half-way,</b> it reaches the same decision again. Publishing leaves objects that are still
 * locked complete. Undoing only makes objects less complete while every lock is still held.
 */
public class FordRecovery extends RecordRecovery {
    private final Session session;
    private final FlushPolicy flush;

    public FordRecovery(Session session, Catalog catalog) {
        super(session, catalog);
        this.session = session;
        this.flush = catalog.flush();
    }

    @Override
    public Restart afterPowerLoss() {
        return new FordRestart(session, catalog).run();
    }

    /** Decides the outcome of one transaction and carries it out. */
    @Override
    protected void resolve(long txn, List<Log> logs) {
        MemorySegment log = logs.getFirst().memory();
        int objects = ImageLog.objects(log);
        List<Integer> locked = lockedBy(txn, log);
        publishStragglers(txn, log, objects, locked);
        if (locked.isEmpty()) {
            ended++;
            return;
        }
        boolean commits = decide(txn, log, locked);
        if (commits) persist(txn, log, locked);
        else undo(logs, locked);
        // The outcome is recorded before any step after which a second recoverer could no longer derive it. It is
        // recorded only when a loss of power can no longer reverse it.
        catalog.recordOutcome(txn, commits);
        if (commits) publish(txn, log, locked);
        unlock(txn, log, locked);
        if (commits) finished++;
        else undone++;
    }

    /** Returns whether every replica of every object that is still locked holds the transaction's whole image. */
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

    // ---- repair steps

    /**
     * Publishes objects that are released on the primary, and therefore committed. A backup may still carry the mark.
     */
    protected void publishStragglers(long txn, MemorySegment log, int objects, List<Integer> locked) {
        for (int i : released(log, locked)) stragglers += publishBackups(txn, ImageLog.pointer(log, i));
    }

    /**
     * Makes the images of the dead session persistent. Images that it has written and not flushed would be lost with
     * the power, and other transactions are about to read them. A FLUSH covers only its own link, so every image is
     * read and written once more, unchanged.
     */
    protected void persist(long txn, MemorySegment log, List<Integer> locked) {
        if (!flush.isDurable()) return;
        for (int i : locked) {
            long pointer = ImageLog.pointer(log, i);
            long bytes = Words.BYTES + ImageLog.bodyBytes(log, i);
            MemorySegment image = image(bytes);
            for (int r = 0; r < pool.copies(pointer); r++) {
                if (!flush.covers(pool.placement(), Pointer.partition(pointer), r)) continue;
                long at = Pointer.offset(pointer) + ObjectLayout.VERSION;
                round.read(pool.replica(pointer, r), at, bytes, image, 0).post().await();
                round.write(pool.replica(pointer, r), at, bytes, image, 0)
                        .post()
                        .await();
            }
        }
        pool.persist(round);
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

    /**
     * Restores every replica that has a whole log and a mark. A replica without a log was not touched, and neither was
     * one without a mark: a log may be written ahead of the locks, and then its images may be out of date.
     */
    protected void undo(List<Log> logs, List<Integer> locked) {
        for (Log log : logs)
            for (int i : locked) {
                long pointer = ImageLog.pointer(log.memory(), i);
                if (!ImageLog.hasImage(log.memory(), i)) continue;
                Region region = pool.at(log.node(), pointer);
                if (!isMarked(Words.plain(log.memory(), LogLayout.TXN), region, pointer)) continue;
                long image = log.image(i);
                long bodyBytes = ImageLog.bodyBytes(log.memory(), i);
                restore(region, pointer, log.memory(), image, bodyBytes);
            }
        flushRestored();
    }

    /**
     * Flushes the restored images. Other transactions may overwrite them as soon as they are unlocked, and the log is
     * gone soon after.
     */
    protected void flushRestored() {
        pool.persist(round);
    }

    /** Returns whether a replica shows a mark of the transaction, or its version. */
    protected boolean isMarked(long txn, Region region, long pointer) {
        round.read(region, Pointer.offset(pointer) + ObjectLayout.VERSION, Words.BYTES, words, 0)
                .post()
                .await();
        return TxnId.of(Words.plain(words, 0)) == txn;
    }

    /** Writes the body first. While the mark is there, no reader accepts the half-restored object. */
    private void restore(Region region, long pointer, MemorySegment log, long image, long bodyBytes) {
        long offset = Pointer.offset(pointer);
        round.write(region, offset + ObjectLayout.BODY, bodyBytes, log, image + Words.BYTES)
                .write(region, offset + ObjectLayout.VERSION, Words.plain(log, image))
                .post()
                .await();
    }
}
