package tidepool.lab;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorCoordinator;
import tidepool.protocol.motor.MotorOptions;
import tidepool.protocol.motor.MotorTxn;
import tidepool.protocol.motor.MotorVerbs;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;

/**
 * Motor as it was published. Readers and validation ignore the locks of other transactions. A row is unlocked after its
 * tuple, in the same trip. There is no log in the pool, and locks have no intents. It is not serializable and has no
 * recovery: only for figures.
 */
final class PublishedMotor extends Motor {
    PublishedMotor(int versions) {
        super(MotorOptions.DEFAULT.withVersions(versions));
    }

    @Override
    public String name() {
        return LabProtocols.PUBLISHED_MOTOR;
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new MotorCoordinator(session, catalog, counters, options()) {
            @Override
            protected RecordTxn newTxn() {
                return new PublishedTxn(this, options());
            }

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

    private static final class PublishedTxn extends MotorTxn {
        PublishedTxn(MotorCoordinator coordinator, MotorOptions options) {
            super(coordinator, options);
        }

        /** Releases the other locks; rows are unlocked already. */
        @Override
        protected void release(int slot) {
            for (int i = 0; i < writes().count(); i++) {
                if (writes().get(i).isRow()) continue;
                super.release(slot);
                return;
            }
        }
    }

    private static final class Verbs extends MotorVerbs {
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
        protected void readInSnapshot(Round round, long pointer, long bodyBytes, long landing) {
            published.read(round, pointer, bodyBytes, landing);
        }

        @Override
        protected void readNewest(Round round, long pointer, long bodyBytes, long landing) {
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
        public void log(Round round, int node, long slot, long bytes, long log) {
            // its operation logs lie in the memory of the coordinator
        }

        @Override
        public void tuple(Round round, int node, WriteTarget t, long txn) {
            super.tuple(round, node, t, txn);
            if (pool.placement().primary(Pointer.partition(t.pointer)) == node)
                round.write(pool.primary(t.pointer), Pointer.offset(t.pointer) + ObjectLayout.LOCK, 0);
        }

        @Override
        public void releaseTuple(Round round, WriteTarget t) {
            // the row was unlocked with its tuple
        }
    }
}
