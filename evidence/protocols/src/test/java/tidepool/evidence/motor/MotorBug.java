package tidepool.evidence.motor;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorCoordinator;
import tidepool.protocol.motor.MotorOptions;
import tidepool.protocol.motor.MotorRecovery;
import tidepool.protocol.motor.MotorTxn;
import tidepool.protocol.motor.MotorVerbs;
import tidepool.protocol.motor.TupleVersions;
import tidepool.protocol.motor.TxnMemory;
import tidepool.protocol.motor.VersionStructure;
import tidepool.protocol.motor.VersionedRow;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;
import tidepool.protocol.time.Timestamps;
import tidepool.store.Catalog;
import tidepool.store.CatalogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.store.motor.PackageLayout;
import tidepool.store.motor.TupleLayout;

/** Motor with one bug. The names M1 … are those of the holes that were found in its paper and code. */
public enum MotorBug implements Supplier<Protocol> {
    /** M1: validation compares versions and does not look at locks. */
    VALIDATION_IGNORES_LOCKS {
        @Override
        RecordVerbs verbs(PoolRegions pool, MemorySegment memory) {
            return new MotorVerbs(pool, memory) {
                @Override
                public boolean isFree(long lock, long txn) {
                    return true;
                }

                @Override
                public boolean mayRead(long lock, long txn) {
                    return lock == 0 || TxnId.of(lock) == txn;
                }
            };
        }
    },

    /** M2: a snapshot is read from rows that another transaction is writing. */
    SNAPSHOT_IGNORES_LOCKS {
        @Override
        RecordVerbs verbs(PoolRegions pool, MemorySegment memory) {
            return new MotorVerbs(pool, memory) {
                @Override
                public boolean mayRead(long lock, long txn) {
                    return true;
                }
            };
        }
    },

    /** M3: the second committer overwrites a version that it has not seen. */
    SECOND_COMMITTER_WINS(MotorOptions.Isolation.SNAPSHOT) {
        @Override
        RecordTxn txn(PlantedMotor c) {
            return new MotorTxn(c, c.options()) {
                @Override
                protected boolean isFirstCommitter(VersionedRow row) {
                    return true;
                }
            };
        }
    },

    /** M4: a transaction is reported, and unlocked, when everything was sent and not yet answered. */
    TOLD_BEFORE_IT_IS_ANSWERED {
        @Override
        RecordTxn txn(PlantedMotor c) {
            return new HastyTxn(c, c.options());
        }
    },

    /** M8: the version to overwrite is chosen by its place and not by its age. */
    VICTIM_BY_PLACE {
        @Override
        VersionStructure structure(PoolRegions pool, TxnMemory memory, MotorOptions options) {
            return new TupleVersions(pool, memory, options) {
                @Override
                protected long victim(VersionedRow row, long content) {
                    return TupleLayout.cell(content, row.table.format().versions() - 1);
                }
            };
        }
    },

    /** M9: the anchor between tuple and value is narrow, and wraps around. */
    ANCHOR_COMES_ROUND {
        @Override
        VersionStructure structure(PoolRegions pool, TxnMemory memory, MotorOptions options) {
            return new TupleVersions(pool, memory, options) {
                @Override
                protected boolean isPackageOf(VersionedRow row, long stamp) {
                    return (PackageLayout.stamp(memory.segment(), row.side) & 1) == (stamp & 1);
                }
            };
        }
    },

    /** The value is accepted, whichever version it belongs to. */
    ANCHOR_IS_NOT_CHECKED {
        @Override
        VersionStructure structure(PoolRegions pool, TxnMemory memory, MotorOptions options) {
            return new TupleVersions(pool, memory, options) {
                @Override
                protected boolean isPackageOf(VersionedRow row, long stamp) {
                    return true;
                }
            };
        }
    },

    /**
     * The loss of a version that was overwritten while it was wanted is not noticed: the oldest that is left is taken
     * for it.
     */
    LOST_VERSION_IS_NOT_MISSED {
        @Override
        VersionStructure structure(PoolRegions pool, TxnMemory memory, MotorOptions options) {
            return new TupleVersions(pool, memory, options) {
                @Override
                protected int newestUpTo(VersionedRow row, long snapshot) {
                    int found = super.newestUpTo(row, snapshot);
                    for (long later = snapshot; found < 0 && later < snapshot + 1_000; later++)
                        found = super.newestUpTo(row, later);
                    return found;
                }
            };
        }
    },

    /** As published: the new value is written first, then the delta that undoes it. */
    VALUE_BEFORE_DELTA {
        @Override
        VersionStructure structure(PoolRegions pool, TxnMemory memory, MotorOptions options) {
            return new TupleVersions(pool, memory, options) {
                @Override
                public void addWrites(Round round, VersionedRow row, int node) {
                    long delta = row.deltaBytes;
                    row.deltaBytes = 0;
                    super.addWrites(round, row, node);
                    VersionedRow.Write write = row.write;
                    row.deltaBytes = delta;
                    row.write = VersionedRow.Write.DELETE; // the delta alone
                    super.addWrites(round, row, node);
                    row.write = write;
                }
            };
        }
    },

    /** The tuple names a value that is still in flight. */
    TUPLE_BEFORE_VALUE {
        @Override
        RecordTxn txn(PlantedMotor c) {
            return new MotorTxn(c, c.options()) {
                private final VersionStructure structure = c.structure(this);

                @Override
                protected void install(WriteTarget t, VersionedRow row, int node) {
                    ((MotorVerbs) verbs()).tuple(round(), node, t, id());
                    structure.addWrites(round(), row, node);
                }
            };
        }
    },

    /** As published: the lock is freed in the round that writes the copies. */
    UNLOCKED_WITH_THE_COMMIT {
        @Override
        RecordTxn txn(PlantedMotor c) {
            return new MotorTxn(c, c.options()) {
                @Override
                protected void install(WriteTarget t, VersionedRow row, int node) {
                    super.install(t, row, node);
                    if (c.pool().placement().primary(tidepool.store.Pointer.partition(t.pointer)) == node)
                        ((MotorVerbs) verbs()).releaseTuple(round(), t);
                }
            };
        }
    },

    /** The newest version is believed because its lock was free before the version was read. */
    NEWEST_READ_AFTER_ITS_LOCK {
        @Override
        RecordVerbs verbs(PoolRegions pool, MemorySegment memory) {
            return new MotorVerbs(pool, memory) {
                @Override
                protected void readNewest(Round round, long pointer, long bodyBytes, long landing) {
                    readInSnapshot(round, pointer, bodyBytes, landing);
                }
            };
        }
    },

    /** Timestamps are fetched in advance. */
    TIMESTAMPS_IN_STORE {
        @Override
        Timestamps timestamps(Timestamps honest, PlantedMotor c) {
            return new StoredTimestamps(honest);
        }
    },

    /** A request joins one that was sent before it. */
    JOINS_WHAT_IS_UNDER_WAY {
        @Override
        Timestamps timestamps(Timestamps honest, PlantedMotor c) {
            return new LateTimestamps(honest, c);
        }
    },

    /** The bound of a lock is later than the commit timestamp of its holder may be. */
    BOUND_TOO_HIGH {
        @Override
        RecordVerbs verbs(PoolRegions pool, MemorySegment memory) {
            return new MotorVerbs(pool, memory) {
                @Override
                protected long bound(long timestamp) {
                    return timestamp + 64;
                }
            };
        }
    },

    /** The bound of the last transaction that asked for the lock is taken for the holder's. */
    BOUND_OF_LAST_ASKER {
        @Override
        RecordVerbs verbs(PoolRegions pool, MemorySegment memory) {
            return new MotorVerbs(pool, memory) {
                @Override
                protected long boundOf(long lock, long landed, long bodyBytes) {
                    return Words.plain(this.memory, landed + ObjectLayout.BODY + bodyBytes);
                }
            };
        }
    },

    /**
     * The stamp of a bucket follows its head. A crash in between leaves a head that recovery keeps, and no stamp that
     * tells older snapshots of it.
     */
    STAMP_AFTER_THE_HEAD {
        @Override
        RecordVerbs verbs(PoolRegions pool, MemorySegment memory) {
            return new MotorVerbs(pool, memory) {
                @Override
                public void index(Round round, int node, WriteTarget t, long txn, long stamp) {
                    image(round, node, t, txn);
                    if (t.isHead()) stamp(round, node, t, stamp);
                }
            };
        }
    },

    /** A tuple is restored, and its value is left as it is. */
    RECOVERY_LEAVES_THE_VALUE {
        @Override
        VersionStructure undoing(PoolRegions pool, TxnMemory memory, MotorOptions options) {
            return new TupleVersions(pool, memory, options) {
                @Override
                public void undo(
                        Round round,
                        TableLayout table,
                        long pointer,
                        MemorySegment log,
                        long image,
                        long stamp,
                        int copy) {
                    // Left as it is.
                }
            };
        }
    };

    private final MotorOptions options;

    MotorBug() {
        this(MotorOptions.Isolation.SERIALIZABLE);
    }

    MotorBug(MotorOptions.Isolation isolation) {
        this.options = MotorOptions.DEFAULT.with(isolation);
    }

    RecordVerbs verbs(PoolRegions pool, MemorySegment memory) {
        return new MotorVerbs(pool, memory);
    }

    RecordTxn txn(PlantedMotor c) {
        return new MotorTxn(c, c.options());
    }

    VersionStructure structure(PoolRegions pool, TxnMemory memory, MotorOptions chosen) {
        return new TupleVersions(pool, memory, chosen);
    }

    VersionStructure undoing(PoolRegions pool, TxnMemory memory, MotorOptions chosen) {
        return new TupleVersions(pool, memory, chosen);
    }

    Timestamps timestamps(Timestamps honest, PlantedMotor c) {
        return honest;
    }

    @Override
    public Protocol get() {
        return new Motor(options) {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new PlantedMotor(session, catalog, counters, options(), MotorBug.this);
            }

            @Override
            public Recovery recovery(Session session, Catalog catalog) {
                return new MotorRecovery(session, catalog, options()) {
                    @Override
                    protected VersionStructure structure(PoolRegions regions, TxnMemory memory) {
                        return undoing(regions, memory, options());
                    }
                };
            }
        };
    }

    /** A coordinator of Motor with the bug. */
    static final class PlantedMotor extends MotorCoordinator {
        private final MotorBug bug;
        private Timestamps timestamps;

        PlantedMotor(Session session, Catalog catalog, TxnCounter counters, MotorOptions options, MotorBug bug) {
            super(session, catalog, counters, options);
            this.bug = bug;
        }

        MemorySegment words() {
            return lane.landing(Words.BYTES);
        }

        UnderWay underWay() {
            return lane.session().shared(UnderWay.class, UnderWay::new);
        }

        @Override
        protected RecordTxn newTxn() {
            return bug.txn(this);
        }

        @Override
        protected RecordVerbs newVerbs(MemorySegment memory) {
            return bug.verbs(pool(), memory);
        }

        @Override
        protected VersionStructure structure(TxnMemory memory) {
            return bug.structure(pool(), memory, options());
        }

        @Override
        protected Timestamps timestamps() {
            if (timestamps == null) timestamps = bug.timestamps(super.timestamps(), this);
            return timestamps;
        }
    }

    /** Timestamps of which every other one was fetched with the one before it. */
    private static final class StoredTimestamps implements Timestamps {
        private final Timestamps honest;
        private long stored;
        private boolean fromStore;

        StoredTimestamps(Timestamps honest) {
            this.honest = honest;
        }

        @Override
        public boolean take(Round round) {
            fromStore = stored != 0;
            return honest.take(round);
        }

        @Override
        public long taken() {
            long given = fromStore ? stored : honest.taken();
            stored = honest.taken();
            return given;
        }

        @Override
        public long known() {
            return honest.known();
        }

        @Override
        public long snapshot() {
            return honest.snapshot();
        }
    }

    /**
     * The request in flight of a session: it asks for two timestamps, and the next coordinator that asks gets the
     * second.
     */
    static final class UnderWay {
        private LateTimestamps leader;
    }

    /**
     * Timestamps that are requested in pairs. A coordinator that asks while the request is in flight gets the second.
     */
    private static final class LateTimestamps implements Timestamps {
        private static final int MAX_LOOKS = 1_000;

        private final Timestamps honest;
        private final Region counter;
        private final MemorySegment words;
        private final UnderWay underWay;
        private LateTimestamps joined;
        private boolean claimed;
        private long second;

        LateTimestamps(Timestamps honest, PlantedMotor c) {
            this.honest = honest;
            this.counter = c.pool().catalog(0);
            this.words = c.words();
            this.underWay = c.underWay();
        }

        @Override
        public boolean take(Round round) {
            joined = underWay.leader;
            underWay.leader = null;
            if (joined != null) {
                joined.claimed = true;
                return false;
            }
            if (!claimed) {
                second = 0;
                underWay.leader = this;
            }
            round.fetchAndAdd(counter, CatalogLayout.TIMESTAMP, 2, words, 0);
            return true;
        }

        @Override
        public long taken() {
            if (joined == null) {
                if (underWay.leader == this) underWay.leader = null;
                if (!claimed || second == 0) second = Words.plain(words, 0) + 2;
                return Words.plain(words, 0) + 1;
            }
            for (int looks = 0; joined.second == 0 && looks < MAX_LOOKS; looks++) Waiting.pause(100);
            long mine = joined.second;
            joined.claimed = false;
            return mine;
        }

        @Override
        public long known() {
            return honest.known();
        }

        @Override
        public long snapshot() {
            return honest.snapshot();
        }
    }

    /** A transaction that sends its commit and does not wait for the answers. */
    private static final class HastyTxn extends MotorTxn {
        HastyTxn(MotorCoordinator coordinator, MotorOptions options) {
            super(coordinator, options);
        }

        @Override
        protected void toAllCopies(Round commit) {
            commit.post();
        }

        @Override
        protected void release(int slot) {
            super.release(slot);
            round().await();
        }
    }
}
