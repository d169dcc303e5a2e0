package tidepool.protocol.redo;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Session;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.RosterChange;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.TxnId;

/**
 * How transactions with redo logs are resolved when memory nodes change.
 *
 * <p><b>The rule.</b> If the log of T is whole on every node that is left and holds a whole copy of something that T writes, T may
 * have been reported: it has happened, and is installed on each copy that still shows what T replaces, or T's mark; anything
 * else is T's already or later. Otherwise T was not reported, and has overwritten nothing; or it has ended, and another
 * transaction of its coordinator uses its log.
 */
public class RedoChange extends RosterChange {
    public RedoChange(Session session, Catalog catalog) {
        super(session, catalog);
    }

    /** Whether some copy is not what it will be in the end: one that shows what is replaced, or a mark. */
    @Override
    protected boolean isOpen(LoggedTxn txn) {
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++)
                if (logOf(txn, i, copy) != null && isToBeInstalled(txn, i, copy)) return true;
        return false;
    }

    @Override
    protected boolean decide(LoggedTxn txn) {
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++) if (logOf(txn, i, copy) == null) return false;
        return true;
    }

    private boolean isToBeInstalled(LoggedTxn txn, int i, int copy) {
        Shown shown = look(txn, i, copy);
        MemorySegment log = logOf(txn, i, copy);
        return shown.isMarkedBy(txn.id()) || shown.version() == TxnId.of(Words.plain(log, ImageLog.image(log, i)));
    }

    @Override
    protected void prepare(LoggedTxn txn, boolean commits) {}

    @Override
    protected void complete(LoggedTxn txn, boolean commits) {
        if (!commits) return;
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++)
                if (logOf(txn, i, copy) != null && isToBeInstalled(txn, i, copy)) install(txn, i, copy);
    }

    /** Marked first, as its writer does, so that whoever goes on behind us installs it again. */
    private void install(LoggedTxn txn, int i, int copy) {
        MemorySegment log = logOf(txn, i, copy);
        long image = ImageLog.image(log, i);
        var region = pool.replica(txn.pointer(i), copy);
        beside(txn, i, copy);
        round.write(region, at(txn, i, ObjectLayout.VERSION), TxnId.INV | txn.id())
                .write(region, at(txn, i, ObjectLayout.BODY), txn.bodyBytes(i), log, image + Words.BYTES)
                .write(region, at(txn, i, ObjectLayout.VERSION), txn.id())
                .post()
                .await();
    }

    /** Adds what a protocol writes ahead of the image of an object. Waits. */
    protected void beside(LoggedTxn txn, int i, int copy) {}
}
