package tidepool.lab;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordOptions;
import tidepool.protocol.ford.FordVerbs;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.RowFormat;

/**
 * FORD as its artifact runs. The undo log is acknowledged before the data leaves, and every row of a workload is as
 * long as its longest (MAX_ITEM_SIZE). Reads and validation ignore the locks of other transactions, and locks have no
 * intents. It is not serializable and has no recovery: only for figures.
 */
final class PublishedFord extends Ford {
    private final long rowBytes;

    /** @param rowBytes the length of every row of every table */
    PublishedFord(long rowBytes) {
        super(FordOptions.DEFAULT.with(FordOptions.Undo.PARALLEL));
        this.rowBytes = rowBytes;
    }

    @Override
    public String name() {
        return LabProtocols.PUBLISHED_FORD;
    }

    @Override
    public RowFormat rows(Schema schema) {
        return new RowFormat(RowFormat.PLAIN, 1, Math.max(rowBytes, schema.length()), 0);
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new FordCoordinator(session, catalog, counters, options()) {
            @Override
            protected RecordVerbs newVerbs(MemorySegment memory) {
                return new Verbs(pool(), memory);
            }
        };
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        throw OnlyForFigures.refused(name());
    }

    @Override
    public Reconfiguration change(Session session, Catalog catalog) {
        throw OnlyForFigures.refused(name());
    }

    private static final class Verbs extends FordVerbs {
        private final PublishedVerbs published;

        Verbs(PoolRegions pool, MemorySegment memory) {
            super(pool, memory);
            this.published = new PublishedVerbs(pool, memory);
        }

        @Override
        protected void compareAndLock(Round round, WriteTarget t, long txn, long intentAt) {
            published.lock(round, t, txn);
        }

        @Override
        public void read(Round round, long pointer, long bodyBytes, long landing) {
            published.read(round, pointer, bodyBytes, landing);
        }

        @Override
        public void validate(Round round, long pointer, long landing) {
            published.validate(round, pointer, landing);
        }

        @Override
        public boolean isFree(long lock, long txn) {
            return true;
        }

        @Override
        public void releaseBackup(Round round, WriteTarget t, long txn, int replica) {
            long at = Pointer.offset(t.pointer) + ObjectLayout.VERSION;
            round.write(pool.replica(t.pointer, replica), at, txn);
        }
    }
}
