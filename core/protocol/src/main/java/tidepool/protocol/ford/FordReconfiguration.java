package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Session;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.RosterChange;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.TxnId;

/**
 * Resolution of FORD's transactions when memory nodes change.
 *
 * <p><b>The rule.</b> A transaction T is open if some remaining whole copy carries its mark {INV,T}. Otherwise T has
 * ended, or nothing that it wrote is left. An open T has committed if each whole copy of each object that it wrote
 * shows T's whole image, marked or not, or a later version. T has not committed if one such copy is torn, or shows the
 * version that T was about to replace, or lies on a node where T has no whole log, because T has touched nothing there.
 * Then every copy that carries its mark is restored.
 *
 * <p><b>The rule agrees with every report.</b> A reported T was complete on every copy, and a complete copy stays
 * complete or becomes later. If T is not complete, an acknowledgement never arrived: T was never reported, and no
 * transaction has read a marked object.
 */
public class FordReconfiguration extends RosterChange {
    private final Session session;

    public FordReconfiguration(Session session, Catalog catalog) {
        super(session, catalog);
        this.session = session;
    }

    /**
     * Repairs as after a loss of power from which all nodes came back. Which copies were flushed is taken from the
     * nodes' own records.
     */
    @Override
    protected void repairPower() {
        new FordRestart(session, catalog, this::isFlushed).repair();
    }

    @Override
    protected boolean isOpen(LoggedTxn txn) {
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++)
                if (look(txn, i, copy).isMarkedBy(txn.id())) return true;
        return false;
    }

    @Override
    protected boolean decide(LoggedTxn txn) {
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++) if (!hasHappened(txn, i, copy)) return false;
        return true;
    }

    private boolean hasHappened(LoggedTxn txn, int i, int copy) {
        Shown shown = look(txn, i, copy);
        if (TxnId.of(shown.version()) == txn.id()) return shown.isImageOf(txn.id());
        MemorySegment log = logOf(txn, i, copy);
        return log != null && TxnId.of(shown.version()) != TxnId.of(Words.plain(log, imageOf(txn, i, copy)));
    }

    /** Undoes the transaction, or writes its images once more, because a FLUSH covers only its own link. */
    @Override
    protected void prepare(LoggedTxn txn, boolean commits) {
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++) {
                if (!look(txn, i, copy).isMarkedBy(txn.id())) continue;
                if (!commits) restore(txn, i, copy);
                else if (catalog.flush().isDurable()) writeAgain(txn, i, copy);
            }
    }

    /** Writes the body first. While the mark is there, the copy is known to be half restored. */
    private void restore(LoggedTxn txn, int i, int copy) {
        MemorySegment log = logOf(txn, i, copy); // the log precedes the mark on the same link
        long image = imageOf(txn, i, copy);
        adding(2)
                .write(
                        pool.replica(txn.pointer(i), copy),
                        at(txn, i, ObjectLayout.BODY),
                        txn.bodyBytes(i),
                        log,
                        image + Words.BYTES)
                .write(pool.replica(txn.pointer(i), copy), at(txn, i, ObjectLayout.VERSION), Words.plain(log, image));
    }

    @Override
    protected void complete(LoggedTxn txn, boolean commits) {
        if (!commits) return;
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++)
                if (look(txn, i, copy).isMarkedBy(txn.id()))
                    adding(1).write(pool.replica(txn.pointer(i), copy), at(txn, i, ObjectLayout.VERSION), txn.id());
    }
}
