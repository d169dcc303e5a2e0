package tidepool.evidence.redo;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import tidepool.base.Waiting;
import tidepool.evidence.ford.PlantedBug;
import tidepool.evidence.record.PlantedVerbs;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;
import tidepool.protocol.redo.RedoRecovery;
import tidepool.store.Catalog;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/** FaRM and DrTM+H with one bug. The first ones are FORD's as well; the others belong to redo logs. */
public enum RedoBug {
    ABORT_FREES_FOREIGN_LOCKS(PlantedBug.ABORT_FREES_FOREIGN_LOCKS),
    VALIDATION_IGNORES_LOCKS(PlantedBug.VALIDATION_IGNORES_LOCKS),
    VALIDATION_SAMPLES_VERSION_FIRST(PlantedBug.VALIDATION_SAMPLES_VERSION_FIRST),
    NO_VALIDATION(PlantedBug.NO_VALIDATION),
    NOT_FOUND_IS_NOT_VALIDATED(PlantedBug.NOT_FOUND_IS_NOT_VALIDATED),
    LOOKUP_WITHOUT_BRACKET(PlantedBug.LOOKUP_WITHOUT_BRACKET),
    READ_WITHOUT_CHECKSUM(PlantedBug.READ_WITHOUT_CHECKSUM),
    READ_WITHOUT_VERSION_MATCH(PlantedBug.READ_WITHOUT_VERSION_MATCH),
    READ_IGNORES_MARK(PlantedBug.READ_IGNORES_MARK),
    READ_IGNORES_LOCK(PlantedBug.READ_IGNORES_LOCK),
    STALE_ADDRESS_IS_BELIEVED(PlantedBug.STALE_ADDRESS_IS_BELIEVED),
    INSERT_DOES_NOT_LOCK_THE_BUCKET(PlantedBug.INSERT_DOES_NOT_LOCK_THE_BUCKET),
    BACKUP_RELEASED_BY_WRITE(PlantedBug.BACKUP_RELEASED_BY_WRITE),
    UNLOCK_BEFORE_VISIBLE(PlantedBug.UNLOCK_BEFORE_VISIBLE),

    /**
     * The primary is released in the round that writes the images: the image of a backup may land after the next
     * writer's.
     */
    UNLOCK_BEFORE_IMAGES_ANSWERED(PlantedBug.UNLOCK_BEFORE_BACKUPS_ANSWERED),

    NO_INTENT(PlantedBug.NO_INTENT),

    /** A read object is locked and overwritten, even if it has changed in between. */
    WRITES_ARE_NOT_VALIDATED {
        @Override
        RecordVerbs verbs(PlantedRedo c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public boolean isAsRead(WriteTarget t, long version) {
                    return true;
                }
            };
        }
    },

    /** Locks and validates in one round, also objects that are only read. */
    VALIDATION_IN_THE_LOCK_ROUND {
        @Override
        RecordVerbs verbs(PlantedRedo c, MemorySegment memory) {
            return new HastyValidation(c, memory);
        }
    },

    /** The primary keeps no log, because its coordinator writes it next. */
    LOG_ON_BACKUPS_ONLY {
        @Override
        RecordVerbs verbs(PlantedRedo c, MemorySegment memory) {
            return new PlantedVerbs(c, memory) {
                @Override
                public void log(Round round, int node, long slot, long bytes, long log) {
                    if (pool.placement().replicas() == 1 || isBackup(node, this.memory.asSlice(log, bytes)))
                        super.log(round, node, slot, bytes, log);
                }

                private boolean isBackup(int node, MemorySegment log) {
                    Placement placement = pool.placement();
                    for (int i = 0; i < ImageLog.objects(log); i++) {
                        int partition = Pointer.partition(ImageLog.pointer(log, i));
                        if (placement.holds(node, partition) && placement.primary(partition) != node) return true;
                    }
                    return false;
                }
            };
        }
    },

    /** Images are sent, and the outcome is reported, when the logs were sent and not when they were acknowledged. */
    LOGS_ARE_NOT_AWAITED {
        @Override
        RecordVerbs verbs(PlantedRedo c, MemorySegment memory) {
            return new UnawaitedLogs(c, memory);
        }
    },

    /** A log slot is written again while the images and the release of its transaction are still in flight. */
    LOG_SLOT_REUSED_TOO_EARLY,

    /** The memory from which images are sent is used for the next transaction at once. */
    MEMORY_REUSED_TOO_EARLY,

    /** A transaction is dropped although all its logs are whole. */
    RECOVERY_DROPS_WHAT_IS_LOGGED {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new RedoRecovery(session, catalog) {
                @Override
                protected boolean isLoggedEverywhere(MemorySegment log, List<Log> logs) {
                    return false;
                }
            };
        }
    },

    /** One whole log is taken for all of them. */
    RECOVERY_ROLLS_FORWARD_WITH_A_LOG_MISSING {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new RedoRecovery(session, catalog) {
                @Override
                protected boolean isLoggedEverywhere(MemorySegment log, List<Log> logs) {
                    return true;
                }
            };
        }
    },

    /**
     * An old log of a transaction that has ended is carried out over versions that other transactions have written
     * since.
     */
    RECOVERY_IGNORES_WHO_HOLDS_THE_LOCK {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new RedoRecovery(session, catalog) {
                @Override
                protected List<Integer> lockedBy(long txn, MemorySegment log) {
                    return IntStream.range(0, ImageLog.objects(log)).boxed().toList();
                }
            };
        }
    },

    /** Backups are left as they are. */
    RECOVERY_WRITES_PRIMARIES_ONLY {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new RedoRecovery(session, catalog) {
                @Override
                protected void install(long txn, Log log, int i) {
                    int partition = Pointer.partition(ImageLog.pointer(log.memory(), i));
                    if (pool.placement().primary(partition) == log.node()) super.install(txn, log, i);
                }
            };
        }
    },

    /** Locks are freed before the images are written. */
    RECOVERY_UNLOCKS_FIRST {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new RedoRecovery(session, catalog) {
                @Override
                protected void install(long txn, Log log, int i) {
                    free(ImageLog.pointer(log.memory(), i), TxnId.R | txn);
                    super.install(txn, log, i);
                }
            };
        }
    },

    /** Images are written and never made visible. */
    RECOVERY_LEAVES_MARKS {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new RedoRecovery(session, catalog) {
                @Override
                protected void publish(long txn, long pointer) {}
            };
        }
    },

    /** Backups whose primary was released keep their mark. */
    RECOVERY_LEAVES_STRAGGLERS {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new RedoRecovery(session, catalog) {
                @Override
                protected void publishStragglers(long txn, MemorySegment log, List<Integer> locked) {}
            };
        }
    },

    /** Verbs of the dead session land while it is being recovered. */
    RECOVERY_WITHOUT_REVOCATION {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new RedoRecovery(session, catalog) {
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
    };

    private final PlantedBug shared;

    RedoBug() {
        this(null);
    }

    RedoBug(PlantedBug shared) {
        this.shared = shared;
    }

    /**
     * Returns whether a protocol can have the bug. FaRM waits for its images, so the memory from which they are sent is
     * never in use.
     */
    public boolean isIn(String protocol) {
        return this != MEMORY_REUSED_TOO_EARLY || protocol.equals("drtmh");
    }

    /** Returns the protocol {@code farm} or {@code drtmh} with this bug. */
    public Supplier<Protocol> in(String protocol) {
        return () -> PlantedRedo.protocol(protocol, this);
    }

    /** Returns the protocol's verbs, with this bug if it is one of theirs. */
    RecordVerbs verbs(PlantedRedo coordinator, MemorySegment memory) {
        return shared == null ? new PlantedVerbs(coordinator, memory) : shared.verbs(coordinator, memory);
    }

    Recovery recovery(Session session, Catalog catalog) {
        return new RedoRecovery(session, catalog);
    }
}
