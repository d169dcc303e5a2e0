package tidepool.evidence.faults;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import tidepool.evidence.ford.PlantedBug;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.RowPage;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordTxn;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorCoordinator;
import tidepool.protocol.motor.MotorTxn;
import tidepool.protocol.motor.MotorVerbs;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.BucketOrder;
import tidepool.store.Catalog;

/** A protocol with one bug in the reading of pages. */
enum PageBug implements Supplier<Protocol> {
    /** The rows of a page are not validated. */
    NO_VALIDATION {
        @Override
        public Protocol get() {
            return PlantedBug.NO_VALIDATION.ford();
        }
    },

    /** The heads of a page are not validated: it may have both places of a row that moved, or none. */
    HEADS_ARE_NOT_VALIDATED {
        @Override
        public Protocol get() {
            return PlantedBug.NOT_FOUND_IS_NOT_VALIDATED.ford();
        }
    },

    /** The chain after each page is left out. */
    SKIPS_A_CHAIN {
        @Override
        public Protocol get() {
            return new Ford() {
                @Override
                public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                    return new FordCoordinator(session, catalog, counters, options()) {
                        @Override
                        protected RecordTxn newTxn() {
                            return new FordTxn(this, options()) {
                                @Override
                                public boolean readPage(RowPage page) {
                                    boolean read = super.readPage(page);
                                    if (page.next != BucketOrder.END)
                                        page.next = BucketOrder.nextExpected(page.table, page.next);
                                    return read;
                                }
                            };
                        }
                    };
                }
            };
        }
    },

    /** Each page of an iteration takes a new snapshot, and says that all are one. */
    SNAPSHOT_IS_NOT_KEPT {
        @Override
        public Protocol get() {
            return motor(MotorVerbs::new, true);
        }
    },

    /** The keys of a bucket count although a transaction is inserting or deleting there. */
    BRACKET_IS_NOT_CHECKED {
        @Override
        public Protocol get() {
            return motor(
                    (pool, memory) -> new MotorVerbs(pool, memory) {
                        @Override
                        public boolean isStable(long before, long lock, long after, long txn) {
                            return true;
                        }
                    },
                    false);
        }
    },

    /** An insert or a delete leaves no stamp, so the keys of a bucket count as those of every snapshot. */
    STAMP_IS_NOT_WRITTEN {
        @Override
        public Protocol get() {
            return motor(
                    (pool, memory) -> new MotorVerbs(pool, memory) {
                        @Override
                        protected void stamp(Round round, int node, WriteTarget t, long stamp) {}
                    },
                    false);
        }
    };

    private interface Verbs {
        RecordVerbs make(PoolRegions pool, MemorySegment memory);
    }

    private static Protocol motor(Verbs verbs, boolean forgets) {
        return new Motor() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new MotorCoordinator(session, catalog, counters, options()) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return verbs.make(pool(), memory);
                    }

                    @Override
                    protected RecordTxn newTxn() {
                        return new MotorTxn(this, options()) {
                            @Override
                            public boolean readPage(RowPage page) {
                                if (forgets) page.snapshot = RowPage.NO_SNAPSHOT;
                                return super.readPage(page);
                            }
                        };
                    }
                };
            }
        };
    }
}
