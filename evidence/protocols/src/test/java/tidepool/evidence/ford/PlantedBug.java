package tidepool.evidence.ford;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.evidence.record.ManyRounds;
import tidepool.evidence.record.PlantedVerbs;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordOptions;
import tidepool.protocol.ford.FordRecovery;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteSet;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.Catalog;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/** FORD with one bug. That the tests find each of them is the reason to believe their silence. */
public enum PlantedBug implements Supplier<Protocol> {
    /** F1: an abort frees every lock it asked for, also those that other transactions hold. */
    ABORT_FREES_FOREIGN_LOCKS {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean abort(Round round, WriteTarget t) {
                    round.write(pool.primary(t.pointer), Pointer.offset(t.pointer) + ObjectLayout.LOCK, 0);
                    return true;
                }
            };
        }
    },

    /** F2: validation compares versions only. */
    VALIDATION_IGNORES_LOCKS {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean isFree(long lock, long txn) {
                    return true;
                }

                @Override
                public boolean mayRead(long lock, long txn) {
                    return super.isFree(lock, txn);
                }
            };
        }
    },

    /** Only transactions that want a lock look at it. */
    LOCKS_ARE_NOT_LOOKED_AT {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean isFree(long lock, long txn) {
                    return true;
                }
            };
        }
    },

    /** HDTX's order: the holder may install and unlock between the two samples. */
    VALIDATION_SAMPLES_VERSION_FIRST {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public void validate(Round round, long pointer, long landing) {
                    Region region = pool.primary(pointer);
                    long offset = Pointer.offset(pointer);
                    round.read(region, offset + ObjectLayout.VERSION, Words.BYTES, this.memory, landing + Words.BYTES)
                            .read(region, offset + ObjectLayout.LOCK, Words.BYTES, this.memory, landing);
                }
            };
        }
    },

    /** Records that were read are not validated. */
    NO_VALIDATION {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean isValidated(Access a) {
                    return !a.found;
                }
            };
        }
    },

    /** A "not found" is taken for permanent. */
    NOT_FOUND_IS_NOT_VALIDATED {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean isValidated(Access a) {
                    return a.found;
                }
            };
        }
    },

    /** A chain is read without a check whether another transaction changed it meanwhile. */
    LOOKUP_WITHOUT_BRACKET {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean isStable(long before, long lock, long after, long txn) {
                    return before >= 0 && after >= 0;
                }
            };
        }
    },

    /** F3: any bytes are taken for a value, if their version is visible. */
    READ_WITHOUT_CHECKSUM {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean isCommitted(MemorySegment landed, long body, long bodyBytes, long version) {
                    return version >= 0;
                }
            };
        }
    },

    /** A whole body is accepted from any writer, also one that was rolled back since. */
    READ_WITHOUT_VERSION_MATCH {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean isCommitted(MemorySegment landed, long body, long bodyBytes, long version) {
                    return version >= 0 && ObjectLayout.isWhole(landed, body, bodyBytes);
                }
            };
        }
    },

    /** Any bytes are accepted. */
    READ_LOOKS_AT_NOTHING {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean mayRead(long lock, long txn) {
                    return true;
                }

                @Override
                public boolean isCommitted(MemorySegment landed, long body, long bodyBytes, long version) {
                    return true;
                }
            };
        }
    },

    /** Readers look neither at locks nor at the mark. */
    READ_IGNORES_MARK {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean mayRead(long lock, long txn) {
                    return true;
                }

                @Override
                public boolean isCommitted(MemorySegment landed, long body, long bodyBytes, long version) {
                    return ObjectLayout.isWhole(landed, body, bodyBytes);
                }
            };
        }
    },

    /** Readers accept an object that is locked and not yet marked: its holder may precede what they saw before. */
    READ_IGNORES_LOCK {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean mayRead(long lock, long txn) {
                    return true;
                }
            };
        }
    },

    /** A cached address is believed, whatever key lies there now. */
    STALE_ADDRESS_IS_BELIEVED {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean leadsTo(MemorySegment landed, long body, long key) {
                    return true;
                }
            };
        }
    },

    /** F6: inserts lock the slot and not the bucket. */
    INSERT_DOES_NOT_LOCK_THE_BUCKET {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public void lock(Round round, WriteTarget t, long txn, long intentAt) {
                    boolean head = t.isHead();
                    if (!head) {
                        super.lock(round, t, txn, intentAt);
                        return;
                    }
                    Words.plain(this.memory, t.lockFound, 0);
                    round.read(
                            pool.primary(t.pointer),
                            Pointer.offset(t.pointer) + ObjectLayout.VERSION,
                            Words.BYTES + t.bodyBytes,
                            this.memory,
                            t.landed + ObjectLayout.VERSION);
                }
            };
        }
    },

    /** A new record is written without its lock, which the release then frees all the same. */
    INSERT_LETS_GO_OF_ITS_SLOT {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public void image(Round round, int node, WriteTarget t, long txn) {
                    boolean isNew = !ObjectLayout.isPresent(this.memory, t.landed + ObjectLayout.BODY);
                    boolean primary = node == pool.placement().primary(Pointer.partition(t.pointer));
                    if (isNew && primary && t.isRow())
                        round.write(pool.at(node, t.pointer), Pointer.offset(t.pointer) + ObjectLayout.LOCK, 0);
                    super.image(round, node, t, txn);
                }
            };
        }
    },

    /** Two chains of a partition may take one overflow bucket. */
    OVERFLOW_COUNT_IS_NOT_LOCKED {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public void lock(Round round, WriteTarget t, long txn, long intentAt) {
                    if (t.pointer != t.table.overflowCount(Pointer.partition(t.pointer))) {
                        super.lock(round, t, txn, intentAt);
                        return;
                    }
                    Words.plain(this.memory, t.lockFound, 0);
                    round.read(
                            pool.primary(t.pointer),
                            Pointer.offset(t.pointer) + ObjectLayout.VERSION,
                            Words.BYTES + t.bodyBytes,
                            this.memory,
                            t.landed + ObjectLayout.VERSION);
                }
            };
        }
    },

    /** New images are installed before the outcome is decided, and an abort does not restore the old ones. */
    ABORT_LEAVES_THE_IMAGE {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                private long last;

                @Override
                public void lock(Round round, WriteTarget t, long txn, long intentAt) {
                    last = txn;
                    super.lock(round, t, txn, intentAt);
                }

                @Override
                public boolean abort(Round round, WriteTarget t) {
                    if (!t.held) return false;
                    ObjectLayout.seal(this.memory, t.staged, t.bodyBytes, t.key, t.flags, last);
                    super.image(round, pool.placement().primary(Pointer.partition(t.pointer)), t, last);
                    super.releasePrimary(round, t, last);
                    return true;
                }
            };
        }
    },

    /** F11: no intent names the lock that is about to be taken. */
    NO_INTENT {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public void lock(Round round, WriteTarget t, long txn, long intentAt) {
                    lockUnannounced(round, t, txn);
                    round.read(
                            pool.primary(t.pointer),
                            Pointer.offset(t.pointer) + ObjectLayout.VERSION,
                            Words.BYTES + t.bodyBytes,
                            this.memory,
                            t.landed + ObjectLayout.VERSION);
                }

                @Override
                public void lockRead(Round round, WriteTarget t, long txn, long intentAt) {
                    lockUnannounced(round, t, txn);
                    readVersion(round, t);
                }

                private void lockUnannounced(Round round, WriteTarget t, long txn) {
                    long lock = Pointer.offset(t.pointer) + ObjectLayout.LOCK;
                    round.compareAndSwap(pool.primary(t.pointer), lock, 0, TxnId.R | txn, this.memory, t.lockFound);
                }
            };
        }
    },

    /** F10: the undo log is sent after the first image. */
    LOG_AFTER_DATA {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                private final Map<Integer, long[]> held = new HashMap<>();

                @Override
                public void log(Round round, int node, long slot, long bytes, long log) {
                    held.put(node, new long[] {slot, bytes, log});
                }

                @Override
                public void image(Round round, int node, WriteTarget t, long txn) {
                    super.image(round, node, t, txn);
                    long[] log = held.remove(node);
                    if (log != null) super.log(round, node, log[0], log[1], log[2]);
                }
            };
        }
    },

    /** The log is sent over a connection of its own, which has no order relative to the connection of the data. */
    LOG_ON_ANOTHER_CONNECTION {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            PoolRegions second = ((Planted) c).second;
            return new PlantedVerbs(c, memory) {
                @Override
                public void log(Round round, int node, long slot, long bytes, long log) {
                    round.write(second.log(node), slot, bytes, this.memory, log);
                }
            };
        }
    },

    /** The body is sent ahead of its mark. */
    IMAGE_BEFORE_MARK {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean mayRead(long lock, long txn) {
                    return true; // otherwise the lock protects the reader
                }

                @Override
                public boolean isCommitted(MemorySegment landed, long body, long bodyBytes, long version) {
                    return version >= 0 && ObjectLayout.isWhole(landed, body, bodyBytes);
                }

                @Override
                public void image(Round round, int node, WriteTarget t, long txn) {
                    Region region = pool.at(node, t.pointer);
                    long offset = Pointer.offset(t.pointer);
                    round.write(region, offset + ObjectLayout.BODY, t.bodyBytes, this.memory, t.staged)
                            .write(region, offset + ObjectLayout.VERSION, TxnId.INV | txn);
                }
            };
        }
    },

    /** The mark of a backup is removed by a WRITE, which may land after the next writer's mark. */
    BACKUP_RELEASED_BY_WRITE {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public void releaseBackup(Round round, WriteTarget t, long txn, int replica) {
                    round.write(
                            pool.replica(t.pointer, replica), Pointer.offset(t.pointer) + ObjectLayout.VERSION, txn);
                }
            };
        }
    },

    /**
     * The version of a backup counts if the primary is free, in any order: a writer may install and unlock in between.
     */
    READ_BY_THE_BACKUPS_VERSION {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public void readOnly(Round round, Access a, long bodyBytes, long landing) {
                    Region backup = pool.replica(a.pointer, pool.copies(a.pointer) - 1);
                    long offset = Pointer.offset(a.pointer);
                    round.read(backup, offset + ObjectLayout.BODY, bodyBytes, this.memory, landing + ObjectLayout.BODY)
                            .read(
                                    backup,
                                    offset + ObjectLayout.VERSION,
                                    Words.BYTES,
                                    this.memory,
                                    landing + ObjectLayout.VERSION)
                            .read(
                                    pool.primary(a.pointer),
                                    offset + ObjectLayout.LOCK,
                                    Words.BYTES,
                                    this.memory,
                                    landing + ObjectLayout.LOCK);
                }
            };
        }
    },

    /** The primary is released in the round that writes the backups. */
    UNLOCK_BEFORE_BACKUPS_ANSWERED {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public void image(Round round, int node, WriteTarget t, long txn) {
                    super.image(round, node, t, txn);
                    boolean primary = node == pool.placement().primary(Pointer.partition(t.pointer));
                    if (primary && pool.placement().replicas() > 1) super.releasePrimary(round, t, txn);
                }

                @Override
                public void releasePrimary(Round round, WriteTarget t, long txn) {
                    if (pool.placement().replicas() == 1) super.releasePrimary(round, t, txn);
                }
            };
        }
    },

    /** The primary is unlocked before it is made visible. */
    UNLOCK_BEFORE_VISIBLE {
        @Override
        public RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public void releasePrimary(Round round, WriteTarget t, long txn) {
                    Region region = pool.primary(t.pointer);
                    long offset = Pointer.offset(t.pointer);
                    round.write(region, offset + ObjectLayout.LOCK, 0)
                            .write(region, offset + ObjectLayout.VERSION, txn);
                }
            };
        }
    },

    /** A log slot is written again while the release of its transaction is still in flight. */
    LOG_SLOT_REUSED_TOO_EARLY {
        @Override
        Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
            return new Planted(this, session, catalog, counters) {
                private final ManyRounds rounds = new ManyRounds();

                @Override
                public Round releaseOf(int slot) {
                    return rounds.take(lane, WriteSet.MAX_OBJECTS * 4);
                }

                @Override
                public long logSlot(int slot) {
                    return super.logSlot(0);
                }
            };
        }
    },

    /** As published: a transaction with an undo log is rolled back. */
    RECOVERY_ALWAYS_ROLLS_BACK {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new FordRecovery(session, catalog) {
                @Override
                protected boolean decide(long txn, MemorySegment log, List<Integer> locked) {
                    return false;
                }
            };
        }
    },

    /** A transaction whose images on the primaries are whole is taken for committed. */
    RECOVERY_ASKS_THE_PRIMARY_ONLY {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new FordRecovery(session, catalog) {
                private final PoolRegions regions = new PoolRegions(session.lane(), catalog);

                @Override
                protected boolean isComplete(long txn, Region region, long pointer, long bodyBytes) {
                    boolean backup = region.link().node()
                            != regions.primary(pointer).link().node();
                    return backup || super.isComplete(txn, region, pointer, bodyBytes);
                }
            };
        }
    },

    /** Objects that the dead session has released count too, although other transactions may have locked them since. */
    RECOVERY_ASKS_ABOUT_WHAT_WAS_RELEASED {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new FordRecovery(session, catalog) {
                @Override
                protected boolean decide(long txn, MemorySegment log, List<Integer> locked) {
                    List<Integer> all = new ArrayList<>();
                    for (int i = 0; i < Words.plain(log, LogLayout.OBJECTS); i++) all.add(i);
                    return super.decide(txn, log, all);
                }
            };
        }
    },

    /** Each object is unlocked as soon as it is restored. */
    RECOVERY_UNLOCKS_ONE_BY_ONE {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new FordRecovery(session, catalog) {
                @Override
                protected void undo(List<Log> logs, List<Integer> locked) {
                    MemorySegment log = logs.getFirst().memory();
                    for (int i : locked) {
                        super.undo(logs, List.of(i));
                        unlock(Words.plain(log, LogLayout.TXN), log, List.of(i));
                    }
                }
            };
        }
    },

    /** F12: locks are freed and nothing is restored. */
    RECOVERY_RESTORES_NOTHING {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new FordRecovery(session, catalog) {
                @Override
                protected void undo(List<Log> logs, List<Integer> locked) {}
            };
        }
    },

    /** Verbs of the dead session land while it is being recovered. */
    RECOVERY_WITHOUT_REVOCATION {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new FordRecovery(session, catalog) {
                @Override
                public Report recover(int dead) {
                    Report report = super.recover(dead);
                    if (report == null) return null;
                    Waiting.pause(2_000_000); // all verbs in flight have landed by now
                    int nodes = session.fabric().nodes();
                    for (int node = 0; node < nodes; node++)
                        session.fabric().control(node).revoke(dead); // too late
                    for (int node = nodes - 1; node >= 0; node--)
                        session.fabric().control(node).forget(dead);
                    return report;
                }

                @Override
                protected void revoke(int dead) {}
            };
        }
    },

    /** Backups whose primary was released keep their mark. */
    RECOVERY_LEAVES_STRAGGLERS {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new FordRecovery(session, catalog) {
                @Override
                protected void publishStragglers(long txn, MemorySegment log, int objects, List<Integer> locked) {}
            };
        }
    };

    @Override
    public Protocol get() {
        return ford();
    }

    /** FORD with this bug. */
    public Ford ford() {
        PlantedBug bug = this;
        return new Ford() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return bug.coordinator(session, catalog, counters);
            }

            @Override
            public Recovery recovery(Session session, Catalog catalog) {
                return bug.recovery(session, catalog);
            }
        };
    }

    Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new Planted(this, session, catalog, counters);
    }

    /** Verbs with this bug, also for other protocols of the family. */
    public RecordVerbs verbs(RecordCoordinator coordinator, MemorySegment memory) {
        return new PlantedVerbs(coordinator, memory);
    }

    Recovery recovery(Session session, Catalog catalog) {
        return new FordRecovery(session, catalog);
    }

    /** A coordinator whose verbs are the bug's. */
    static class Planted extends FordCoordinator {
        private final PlantedBug bug;

        /** The regions of the pool over second connections. */
        final PoolRegions second;

        Planted(PlantedBug bug, Session session, Catalog catalog, TxnCounter counters) {
            super(session, catalog, counters, FordOptions.DEFAULT);
            this.bug = bug;
            this.second = new PoolRegions(lane, catalog);
        }

        @Override
        protected RecordVerbs newVerbs(MemorySegment memory) {
            return bug.verbs(this, memory);
        }
    }
}
