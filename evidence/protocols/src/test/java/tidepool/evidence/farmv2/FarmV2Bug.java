package tidepool.evidence.farmv2;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.farmv2.FarmV2;
import tidepool.protocol.farmv2.FarmV2Coordinator;
import tidepool.protocol.farmv2.FarmV2Options;
import tidepool.protocol.farmv2.FarmV2Recovery;
import tidepool.protocol.farmv2.FarmV2Txn;
import tidepool.protocol.farmv2.FarmV2Verbs;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;
import tidepool.protocol.redo.ImageCompanions;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.TableLayout;

/** FaRMv2 with one bug in its versions. Bugs that it shares with FaRM are in {@code RedoBug}. */
public enum FarmV2Bug {
    /**
     * The block of the replaced version follows the mark. A crash in between leaves a mark and no block, and the
     * recoverer believes that the block is there.
     */
    BLOCK_AFTER_THE_MARK,
    /** The recoverer that rolls forward replaces a version and does not keep it. */
    RECOVERY_WRITES_NO_BLOCK,
    /**
     * The stamp of a bucket follows its head. A crash in between leaves a head that recovery takes for complete, and no
     * stamp that tells older snapshots of it.
     */
    STAMP_AFTER_THE_HEAD,
    /** The recoverer that rolls forward writes the head of a bucket and not its stamp. */
    RECOVERY_WRITES_NO_STAMP,
    /**
     * In a snapshot, rows are accepted although their writer, which may belong to the snapshot, has not written them
     * yet.
     */
    SNAPSHOT_IGNORES_LOCKS,
    /** The commit timestamp is taken with the locks, and may be older than a snapshot that did not see the lock. */
    STAMP_WITH_THE_LOCKS,
    /** No stamp shows that a key was inserted or deleted after a snapshot. */
    BUCKET_WITHOUT_STAMP;

    /** Returns the protocol with this bug. It has two versions, so that the older is overwritten soon. */
    public Protocol protocol() {
        return protocol(new FarmV2Options(2));
    }

    /** Returns the protocol with this bug and these options. */
    public Protocol protocol(FarmV2Options options) {
        return new FarmV2(options) {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new Planted(FarmV2Bug.this, session, catalog, counters);
            }

            @Override
            public Recovery recovery(Session session, Catalog catalog) {
                return new PlantedRecovery(FarmV2Bug.this, session, catalog);
            }
        };
    }

    private static final class PlantedRecovery extends FarmV2Recovery {
        PlantedRecovery(FarmV2Bug bug, Session session, Catalog catalog) {
            super(session, catalog);
            ImageCompanions honest = companions();
            companions((txn, region, log, i, image) -> {
                boolean row = ImageLog.bodyBytes(log, i) != ObjectLayout.bodyBytes(TableLayout.HEAD_CONTENT);
                if (bug != (row ? RECOVERY_WRITES_NO_BLOCK : RECOVERY_WRITES_NO_STAMP))
                    honest.add(txn, region, log, i, image);
            });
        }
    }

    private static final class Planted extends FarmV2Coordinator {
        private final FarmV2Bug bug;

        Planted(FarmV2Bug bug, Session session, Catalog catalog, TxnCounter counters) {
            super(session, catalog, counters);
            this.bug = bug;
        }

        @Override
        protected RecordTxn newTxn() {
            return new PlantedTxn(this);
        }

        @Override
        protected RecordVerbs newVerbs(MemorySegment memory) {
            return new PlantedVerbs(bug, pool(), memory);
        }
    }

    private static final class PlantedTxn extends FarmV2Txn {
        private final Planted coordinator;

        PlantedTxn(Planted coordinator) {
            super(coordinator);
            this.coordinator = coordinator;
            if (coordinator.bug == STAMP_WITH_THE_LOCKS)
                lockPreamble(() -> coordinator.timestamps().take(round()));
        }

        @Override
        protected long takeStamp() {
            return coordinator.bug == STAMP_WITH_THE_LOCKS
                    ? coordinator.timestamps().taken()
                    : super.takeStamp();
        }
    }

    private static final class PlantedVerbs extends FarmV2Verbs {
        private final FarmV2Bug bug;
        private Runnable late;

        PlantedVerbs(FarmV2Bug bug, PoolRegions pool, MemorySegment memory) {
            super(pool, memory);
            this.bug = bug;
        }

        @Override
        public boolean mayRead(long lock, long txn) {
            return bug == SNAPSHOT_IGNORES_LOCKS || super.mayRead(lock, txn);
        }

        @Override
        public void block(Round round, int node, WriteTarget t, int block, long made) {
            if (bug == BLOCK_AFTER_THE_MARK) late = () -> super.block(round, node, t, block, made);
            else super.block(round, node, t, block, made);
        }

        @Override
        public void image(Round round, int node, WriteTarget t, long txn) {
            super.image(round, node, t, txn);
            if (late != null) late.run();
            late = null;
        }

        @Override
        public void stamp(Round round, int node, WriteTarget t, long stamp) {
            if (bug == STAMP_AFTER_THE_HEAD) late = () -> super.stamp(round, node, t, stamp);
            else if (bug != BUCKET_WITHOUT_STAMP) super.stamp(round, node, t, stamp);
        }
    }
}
