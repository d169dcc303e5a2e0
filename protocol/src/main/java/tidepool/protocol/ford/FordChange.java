package tidepool.protocol.ford;

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
 * How FORD's transactions are resolved when memory nodes change.
 *
 * <p><b>The rule.</b> T is open if some whole copy that is left carries its mark {INV,T}; otherwise it has ended, or has
 * written nothing that is left. An open T has happened if each whole copy of each object that it wrote shows T's whole image,
 * marked or not, or something later. It has not if one is torn, or shows what T was about to replace, or lies on a node where
 * T has no whole log: there T has touched nothing. Then what carries its mark is restored.
 *
 * <p><b>It agrees with every report.</b> Reported means that every copy was complete, and a copy that was complete becomes
 * later or stays so. And not complete means that an acknowledgement never came: nobody was told, and nobody has read a marked
 * object.
 */
public class FordChange extends RosterChange {
    private final Session session;

    public FordChange(Session session, Catalog catalog) {
        super(session, catalog);
        this.session = session;
    }

    /** As after a loss of power from which all nodes came back, but by what the nodes themselves say that was flushed. */
    @Override
    protected void repairPower() {
        new FordRestart(session, catalog) {
            @Override
            boolean isFlushed(int partition, int replica) {
                return FordChange.this.isFlushed(partition, replica);
            }
        }.repair();
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
        return log != null && TxnId.of(shown.version()) != replaced(log, i);
    }

    private static long replaced(MemorySegment log, int i) {
        return TxnId.of(Words.plain(log, ImageLog.image(log, i)));
    }

    /** Undoes it; or writes it once more, because a FLUSH speaks for its own link alone. */
    @Override
    protected void prepare(LoggedTxn txn, boolean commits) {
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++) {
                if (!look(txn, i, copy).isMarkedBy(txn.id())) continue;
                if (!commits) restore(txn, i, copy);
                else if (catalog.flush().isDurable()) writeAgain(txn, i, copy);
            }
    }

    /** The body first: as long as the mark is there, it is known that it is half restored. */
    private void restore(LoggedTxn txn, int i, int copy) {
        MemorySegment log = logOf(txn, i, copy); // a mark is behind its log on the same link
        long image = ImageLog.image(log, i);
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
