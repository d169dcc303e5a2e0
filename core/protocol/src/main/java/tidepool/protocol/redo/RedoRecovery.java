package tidepool.protocol.redo;

import java.lang.foreign.MemorySegment;
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
 * The recovery of a dead session with redo logs: rolls its transactions forward or drops them, from memory alone.
 *
 * <p><b>The rule.</b> If the log of a transaction T is whole on every node that holds a part of its write set, T may
 * have been reported: install its images on all objects that T still locks. Otherwise an acknowledgement is missing, so
 * T was not reported and has overwritten nothing: unlock.
 *
 * <p><b>Run twice, or killed half-way,</b> it makes the decision again with equal result: logs do not change any more,
 * and images may be written repeatedly while the lock is held.
 */
public class RedoRecovery extends RecordRecovery {
    private ImageCompanions companions = ImageCompanions.NONE;

    public RedoRecovery(Session session, Catalog catalog) {
        super(session, catalog);
    }

    /** Chooses what is sent ahead of an image. Called in the constructor of a protocol's recovery. */
    protected final void companions(ImageCompanions chosen) {
        companions = chosen;
    }

    protected final ImageCompanions companions() {
        return companions;
    }

    @Override
    protected void resolve(long txn, List<Log> logs) {
        MemorySegment log = logs.getFirst().memory();
        List<Integer> locked = lockedBy(txn, log);
        boolean commits = isLoggedEverywhere(log, logs);
        if (commits) publishStragglers(txn, log, locked);
        if (locked.isEmpty()) {
            ended++;
            return;
        }
        // The outcome is recorded first. The next writes destroy the state from which a second recoverer would derive
        // it.
        catalog.recordOutcome(txn, commits);
        if (commits) {
            for (Log one : logs) for (int i : locked) install(txn, one, i);
            for (int i : locked) publish(txn, ImageLog.pointer(log, i));
        }
        unlock(txn, log, locked);
        if (commits) finished++;
        else undone++;
    }

    /** Whether every node that holds a replica of a written object has the whole log. */
    protected boolean isLoggedEverywhere(MemorySegment log, List<Log> logs) {
        for (int node = 0; node < pool.nodes(); node++) {
            boolean needed = false;
            for (int i = 0; i < ImageLog.objects(log); i++) needed |= holds(node, ImageLog.pointer(log, i));
            boolean there = false;
            for (Log one : logs) there |= one.node() == node;
            if (needed && !there) return false;
        }
        return true;
    }

    /** Objects released on the primary have their image on every replica; a backup may still carry the mark. */
    protected void publishStragglers(long txn, MemorySegment log, List<Integer> locked) {
        for (int i : released(log, locked)) stragglers += publishBackups(txn, ImageLog.pointer(log, i));
    }

    /**
     * Writes the image of an object on the log's node, if it is not there yet. Writes the mark first, as the writer
     * does.
     */
    protected void install(long txn, Log log, int i) {
        long pointer = ImageLog.pointer(log.memory(), i);
        if (!holds(log.node(), pointer)) return;
        Region region = pool.at(log.node(), pointer);
        long bodyBytes = ImageLog.bodyBytes(log.memory(), i);
        if (isComplete(txn, region, pointer, bodyBytes)) return;
        long image = log.image(i);
        long offset = Pointer.offset(pointer);
        companions.add(txn, region, log.memory(), i, image);
        round.write(region, offset + ObjectLayout.VERSION, TxnId.INV | txn)
                .write(region, offset + ObjectLayout.BODY, bodyBytes, log.memory(), image + Words.BYTES)
                .post()
                .await();
    }

    /** Makes an image visible that every replica has, on the primary last. */
    protected void publish(long txn, long pointer) {
        publishBackups(txn, pointer);
        round.write(pool.primary(pointer), Pointer.offset(pointer) + ObjectLayout.VERSION, txn)
                .post()
                .await();
    }

    private boolean holds(int node, long pointer) {
        return pool.placement().holds(node, Pointer.partition(pointer));
    }
}
