package tidepool.evidence.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.hdtx.CopyDescriptors;
import tidepool.protocol.hdtx.Hdtx;
import tidepool.protocol.hdtx.HdtxCoordinator;
import tidepool.protocol.hdtx.HdtxOptions;
import tidepool.protocol.hdtx.HdtxTxn;
import tidepool.protocol.hdtx.HdtxVerbs;
import tidepool.protocol.hdtx.HotReadLocks;
import tidepool.protocol.hdtx.LockQueue;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.Catalog;
import tidepool.txn.Priority;

/** A coordinator of HDTX in which a bug is planted. */
final class PlantedHdtx extends HdtxCoordinator {
    private final HdtxBug bug;
    private final HdtxOptions options;
    private final HdtxBug.Served served;

    private PlantedHdtx(
            HdtxBug bug,
            HdtxOptions options,
            HdtxBug.Served served,
            Session session,
            Catalog catalog,
            TxnCounter counters) {
        super(session, catalog, counters, options);
        this.bug = bug;
        this.served = served;
        this.options = options;
    }

    static Hdtx protocol(HdtxBug bug, HdtxOptions options, HdtxBug.Served served) {
        return new Hdtx(options) {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new PlantedHdtx(bug, options, served, session, catalog, counters);
            }

            @Override
            public Recovery recovery(Session session, Catalog catalog) {
                return bug.recovery(session, catalog);
            }
        };
    }

    @Override
    protected RecordTxn newTxn() {
        return new HdtxTxn(this, options) {
            @Override
            public void priority(Priority how) {
                if (bug != HdtxBug.PRIORITY_IS_IGNORED) super.priority(how);
            }

            @Override
            protected void send(Round copies, Round release) {
                if (bug != HdtxBug.UNLOCK_BEFORE_COPY) {
                    super.send(copies, release);
                    return;
                }
                copies.postInBackground();
                release.postInBackground();
            }
        };
    }

    @Override
    protected RecordVerbs newVerbs(MemorySegment memory) {
        return bug.verbs(this, memory, options);
    }

    @Override
    protected LockQueue newQueue(HdtxTxn txn, HdtxVerbs verbs) {
        return bug.queue(txn, this, verbs, options);
    }

    @Override
    protected HotReadLocks newLockPolicy(HdtxTxn txn) {
        return new HotReadLocks(txn, this, options) {
            @Override
            public void readFailed(Access a) {
                if (bug != HdtxBug.READERS_NEVER_STAND) super.readFailed(a);
            }
        };
    }

    @Override
    protected CopyDescriptors newDescriptors() {
        return bug.descriptors(pool());
    }

    @Override
    protected void served(WriteTarget t, int ticket, boolean priority) {
        served.served(t.pointer, ticket, priority);
    }
}
