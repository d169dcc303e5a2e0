package tidepool.examples.onelog;

import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.Step;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.RecordRecovery;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.ReleasePhase;
import tidepool.protocol.record.WriteSet;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/**
 * A protocol to learn from. A transaction writes all its changes into <b>one</b> redo log on <b>one</b> memory node,
 * and is committed when that single WRITE is acknowledged. The protocol survives the death of any coordinator at any
 * verb. It does not survive the loss of the memory node that holds the log. {@code
 * docs/internals/protocols/adding-one.md} explains it step by step.
 *
 * <pre>
 *   step      verbs                                                       trips   a crash right after it leaves
 *   lookup    {@link RecordTxn}                                           0 or 1  nothing
 *   lock      {@link RecordTxn}, in one trip with the reads                 1     locks                      -> freed
 *   read      {@link RecordTxn}                                         with lock nothing
 *   validate  READ LOCK -> READ VER, only with a read set                 0 or 1  locks                      -> freed
 *   log       one node: WRITE redo log                                      1     locks, a log               -> redone
 *   ---- commit point: the log is acknowledged ----
 *   commit    every replica: WRITE VER={INV,T} -> WRITE body                1     locks, log, some images    -> redone
 *   release   primary: WRITE VER -> WRITE LOCK=0; backup: CAS VER         after   log, some locks            -> redone
 * </pre>
 */
public final class OneLog implements Protocol {
    public OneLog() {}

    @Override
    public String name() {
        return "onelog";
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new OneLogCoordinator(session, catalog, counters);
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return new OneLogRecovery(session, catalog);
    }

    private static final class OneLogCoordinator extends RecordCoordinator {
        OneLogCoordinator(Session session, Catalog catalog, TxnCounter counters) {
            super(session, catalog, counters);
        }

        @Override
        protected RecordTxn newTxn() {
            return new OneLogTxn(this);
        }
    }

    /**
     * The placement for {@link ImageLog}, which keeps the images of the objects on one node: here all objects are
     * logged on node 0.
     */
    private static Placement everything(Placement placement) {
        return new Placement(1, placement.partitions(), 1);
    }

    private static final class OneLogTxn extends RecordTxn {
        private final RecordCoordinator coordinator;
        private final Placement placement;
        private final ReleasePhase releasePhase;

        OneLogTxn(RecordCoordinator coordinator) {
            super(coordinator, true);
            this.coordinator = coordinator;
            this.placement = coordinator.pool().placement();
            this.releasePhase = new ReleasePhase(this, coordinator);
        }

        @Override
        protected boolean execute(int from) {
            return lookup(from) && lockAndRead(from);
        }

        @Override
        protected boolean pipeline(int slot) {
            if (!lock()) return false;
            if (!validate()) return false;
            if (writes().isEmpty()) return true;
            outcomeOpen(); // a failure of the fabric from here on: outcome unknown
            log(slot);
            commitPoint(); // ---- the log is acknowledged: only forward from here
            commit(writes());
            release(slot);
            return true;
        }

        /** The node of the log. */
        private int home() {
            return placement.primary(Pointer.partition(writes().get(0).pointer));
        }

        @Override
        protected long logBytes(int node) {
            return node == home() ? ImageLog.bytes(writes(), everything(placement), 0) : 0;
        }

        /** One node: WRITE redo log. */
        private void log(int slot) {
            at(Step.LOG);
            sealBodies();
            long bytes = logBytes(home());
            coordinator.releaseOf(slot); // the previous transaction of this slot no longer needs its log
            long log = take(bytes);
            ImageLog.redo(memory(), log, bytes, id(), writes(), everything(placement), 0);
            writeLog(round(), home(), slot, bytes, log); // into its slot, or the log heap
            round().post().await();
        }

        /** Every replica: WRITE VER={INV,T} -> WRITE body. Then another transaction may lock. */
        private void commit(WriteSet writes) {
            at(Step.COMMIT);
            for (int node = 0; node < coordinator.pool().nodes(); node++)
                for (int i = 0; i < writes.count(); i++) {
                    WriteTarget t = writes.get(i);
                    if (placement.holds(node, Pointer.partition(t.pointer))) verbs().image(round(), node, t, id());
                }
            round().post().await();
        }

        /** In the background. Primary: WRITE VER -> WRITE LOCK=0. Backup: CAS VER. */
        private void release(int slot) {
            at(Step.RELEASE);
            Step.RELEASE.on(releasePhase.addAll(coordinator.releaseOf(slot))).postInBackground();
        }
    }

    /**
     * Recovery by one rule: a whole log means that the transaction is committed, no log means that it has changed
     * nothing. So every object that it still locks is written again on every replica; writing twice changes nothing. An
     * object that is no longer locked was released after all images had arrived.
     */
    private static final class OneLogRecovery extends RecordRecovery {
        OneLogRecovery(Session session, Catalog catalog) {
            super(session, catalog);
        }

        @Override
        protected void resolve(long txn, List<Log> logs) {
            MemorySegment log = logs.getFirst().memory();
            catalog.recordOutcome(txn, true);
            List<Integer> locked = lockedBy(txn, log);
            for (int i = 0; i < ImageLog.objects(log); i++)
                if (!locked.contains(i)) stragglers += publishBackups(txn, ImageLog.pointer(log, i));
            for (int i : locked) redo(txn, log, i);
            unlock(txn, log, locked);
            if (!locked.isEmpty()) finished++;
            else ended++;
        }

        private void redo(long txn, MemorySegment log, int i) {
            long pointer = ImageLog.pointer(log, i);
            long offset = Pointer.offset(pointer);
            long image = ImageLog.image(log, i);
            for (int r = 0; r < pool.copies(pointer); r++) {
                Region region = pool.replica(pointer, r);
                round.write(region, offset + ObjectLayout.VERSION, TxnId.INV | txn)
                        .write(region, offset + ObjectLayout.BODY, ImageLog.bodyBytes(log, i), log, image + Words.BYTES)
                        .write(region, offset + ObjectLayout.VERSION, txn)
                        .post()
                        .await();
            }
        }
    }
}
