package tidepool.protocol.redo;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Session;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.RosterChange;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.TxnId;

/**
 * The resolution of transactions with redo logs when memory nodes change.
 *
 * <p><b>The rule.</b> Consider the remaining nodes that hold a whole copy of an object that T writes. If the log of T
 * is whole on all of them, T may have been reported: it has happened. It is then installed on each copy that still
 * shows the version that T replaces, or T's mark. Any other copy already shows T's version or a later one. Otherwise
 * there are two cases. T was not reported, and has overwritten nothing. Or T has ended, and another transaction of its
 * coordinator uses its log.
 */
public class RedoReconfiguration extends RosterChange {
    private ImageCompanions companions = ImageCompanions.NONE;

    public RedoReconfiguration(Session session, Catalog catalog) {
        super(session, catalog);
    }

    /** Chooses what is sent ahead of an image. Called in the constructor of a protocol's reconfiguration. */
    protected final void companions(ImageCompanions chosen) {
        companions = chosen;
    }

    /** Whether some copy still has to change: it shows the replaced version, or a mark. */
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
        return shown.isMarkedBy(txn.id()) || shown.version() == TxnId.of(Words.plain(log, imageOf(txn, i, copy)));
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

    /**
     * Writes the mark first, as the writer does. Otherwise a successor of a killed recoverer would not install the
     * image again.
     */
    private void install(LoggedTxn txn, int i, int copy) {
        MemorySegment log = logOf(txn, i, copy);
        long image = imageOf(txn, i, copy);
        var region = pool.replica(txn.pointer(i), copy);
        companions.add(txn.id(), region, log, i, image);
        round.write(region, at(txn, i, ObjectLayout.VERSION), TxnId.INV | txn.id())
                .write(region, at(txn, i, ObjectLayout.BODY), txn.bodyBytes(i), log, image + Words.BYTES)
                .write(region, at(txn, i, ObjectLayout.VERSION), txn.id())
                .post()
                .await();
    }
}
