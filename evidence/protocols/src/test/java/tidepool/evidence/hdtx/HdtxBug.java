package tidepool.evidence.hdtx;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.hdtx.CopyDescriptors;
import tidepool.protocol.hdtx.HdtxCoordinator;
import tidepool.protocol.hdtx.HdtxOptions;
import tidepool.protocol.hdtx.HdtxRecovery;
import tidepool.protocol.hdtx.HdtxTxn;
import tidepool.protocol.hdtx.HdtxVerbs;
import tidepool.protocol.hdtx.LockQueue;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.WriteSet;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.QueueWord;

/** HDTX with one bug. H1 to H5 are bugs of the artifact, by the names of the design notes. */
public enum HdtxBug implements Supplier<Protocol> {
    /** No bug. */
    NONE,

    /** H1: validation accepts objects that other transactions hold. */
    VALIDATION_IGNORES_LOCKS {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new HdtxVerbs(c.pool(), memory, options) {
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

    /** H1: the holder may copy and unlock between the two samples. */
    VALIDATION_SAMPLES_VERSION_FIRST {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new HdtxVerbs(c.pool(), memory, options) {
                @Override
                public void validate(Round round, long pointer, long landing) {
                    Region region = pool.primary(pointer);
                    long at = Pointer.offset(pointer);
                    round.read(region, at + ObjectLayout.VERSION, Words.BYTES, this.memory, landing + Words.BYTES)
                            .read(region, at + ObjectLayout.LOCK, Words.BYTES, this.memory, landing);
                }
            };
        }
    },

    /** H2: as published, marks of a failed validation are removed on primaries only. */
    MARKS_STAY_ON_BACKUPS {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new HdtxVerbs(c.pool(), memory, options) {
                @Override
                public void unmark(Round round, int node, WriteTarget t) {
                    boolean primary = pool.placement().primary(Pointer.partition(t.pointer)) == node;
                    if (primary) super.unmark(round, node, t);
                }
            };
        }
    },

    /** H3: a request that waits longer than a lease takes the lock from its holder, which may be slow and go on. */
    WAITER_RESETS_THE_LOCK {
        @Override
        LockQueue queue(HdtxTxn txn, HdtxCoordinator c, HdtxVerbs verbs, HdtxOptions options) {
            return new LockQueue(txn, c, verbs, options) {
                private boolean reset;

                @Override
                protected boolean isFree(WriteTarget t, long lock) {
                    return reset || super.isFree(t, lock);
                }

                @Override
                protected boolean isDead(long lock) {
                    return true;
                }

                @Override
                protected boolean leave(WriteTarget t, boolean priority, long lock) {
                    reset = true;
                    return super.leave(t, priority, lock);
                }
            };
        }
    },

    /** H4: a plain FAA carries into the neighbouring field when a ticket counter wraps around. */
    TICKETS_CARRY_OVER {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new HdtxVerbs(c.pool(), memory, options) {
                @Override
                public void draw(Round round, WriteTarget t, boolean priority, long landing) {
                    round.fetchAndAdd(
                            pool.primary(t.pointer), queueAt(t), QueueWord.draw(priority), this.memory, landing);
                }
            };
        }
    },

    /** H5: whole logs are taken as proof that the transaction was valid. */
    WHOLE_LOGS_MEAN_VALID {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new HdtxRecovery(session, catalog) {
                @Override
                protected boolean decide(MemorySegment log, List<Log> logs) {
                    return isLoggedEverywhere(log, logs);
                }
            };
        }
    },

    /** The slides' word is the lock: the ticket whose turn it is holds it, whatever LOCK says. */
    TICKETS_GRANT {
        @Override
        LockQueue queue(HdtxTxn txn, HdtxCoordinator c, HdtxVerbs verbs, HdtxOptions options) {
            return new LockQueue(txn, c, verbs, options) {
                @Override
                protected boolean isFree(WriteTarget t, long lock) {
                    return true;
                }
            };
        }
    },

    /** All requests wait in one queue. */
    PRIORITY_IS_IGNORED,

    /** An object that could not be read is never locked for the next attempt. */
    READERS_NEVER_STAND,

    /** Locks are freed together with the copies, and not after them. */
    UNLOCK_BEFORE_COPY,

    /** The descriptor of the transaction before is executed once more, and no guard stops it. */
    DESCRIPTOR_REPLAYED {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new ReplayingVerbs(c, memory, options, true);
        }

        @Override
        CopyDescriptors descriptors(PoolRegions pool) {
            return new CopyDescriptors(pool) {
                @Override
                protected void build(long images, long txn, WriteSet writes, int node) {
                    long image = images;
                    for (int i = 0; i < writes.count(); i++) {
                        WriteTarget t = writes.get(i);
                        if (!isHere(t, pool, node)) continue;
                        copy(node, t, image + Words.BYTES);
                        show(node, t, txn);
                        image += Words.BYTES + t.bodyBytes;
                    }
                }
            };
        }
    },

    /**
     * The descriptor of the transaction before is executed once more, with its guard, and the slot is used again before
     * the replay is answered. The memory side writes the status "stopped" into the place of the descriptor, where the
     * log of another transaction lies by then.
     */
    REPLAY_ENDS_IN_ANOTHER_LOG {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new ReplayingVerbs(c, memory, options, false);
        }
    },

    /** No bug: a replay that is answered before its slot is used again is stopped by its guard. */
    DESCRIPTOR_REPLAYED_AFTER_ITS_GUARD {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new ReplayingVerbs(c, memory, options, true);
        }
    },

    /** Objects become visible before they are copied. */
    VISIBLE_BEFORE_COPY {
        @Override
        CopyDescriptors descriptors(PoolRegions pool) {
            return new CopyDescriptors(pool) {
                @Override
                protected void build(long images, long txn, WriteSet writes, int node) {
                    long image = images;
                    for (int i = 0; i < writes.count(); i++) {
                        WriteTarget t = writes.get(i);
                        if (!isHere(t, pool, node)) continue;
                        show(node, t, txn);
                        copy(node, t, image + Words.BYTES);
                        image += Words.BYTES + t.bodyBytes;
                    }
                }
            };
        }
    },

    /** Each object becomes visible as soon as it is copied: the head of a bucket before its slot. */
    VISIBLE_ONE_BY_ONE {
        @Override
        CopyDescriptors descriptors(PoolRegions pool) {
            return new CopyDescriptors(pool) {
                @Override
                protected void build(long images, long txn, WriteSet writes, int node) {
                    long image = images;
                    for (int i = 0; i < writes.count(); i++) {
                        WriteTarget t = writes.get(i);
                        if (!isHere(t, pool, node)) continue;
                        guard(node, t, txn);
                        copy(node, t, image + Words.BYTES);
                        show(node, t, txn);
                        image += Words.BYTES + t.bodyBytes;
                    }
                }
            };
        }
    },

    /** No intent names the lock that is about to be taken. */
    NO_INTENT {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new HdtxVerbs(c.pool(), memory, options) {
                @Override
                protected void compareAndLock(Round round, WriteTarget t, long id, long intentAt) {
                    round.compareAndSwap(
                            pool.primary(t.pointer),
                            Pointer.offset(t.pointer) + ObjectLayout.LOCK,
                            0,
                            id,
                            this.memory,
                            t.lockFound);
                }
            };
        }
    },

    /** One whole log is taken for all of them. */
    RECOVERY_CARRIES_OUT_WITH_A_LOG_MISSING {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new HdtxRecovery(session, catalog) {
                @Override
                protected boolean decide(MemorySegment log, List<Log> logs) {
                    return true;
                }
            };
        }
    },

    /** A transaction that may have been reported is dropped. */
    RECOVERY_DROPS_ALWAYS {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new HdtxRecovery(session, catalog) {
                @Override
                protected boolean decide(MemorySegment log, List<Log> logs) {
                    return false;
                }
            };
        }
    },

    /** A dropped transaction keeps its marks. */
    RECOVERY_LEAVES_MARKS {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new HdtxRecovery(session, catalog) {
                @Override
                protected void takeMarkOff(long txn, Log log, int i) {}
            };
        }
    },

    /** An old log is carried out over versions that other transactions have written since. */
    RECOVERY_IGNORES_WHO_HOLDS_THE_LOCK {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new HdtxRecovery(session, catalog) {
                @Override
                protected List<Integer> lockedBy(long txn, MemorySegment log) {
                    return IntStream.range(0, ImageLog.objects(log)).boxed().toList();
                }
            };
        }
    };

    @Override
    public Protocol get() {
        return in(HdtxOptions.DEFAULT);
    }

    /** Returns the protocol with this bug and other switches. */
    public Protocol in(HdtxOptions options) {
        return in(options, (pointer, ticket, priority) -> {});
    }

    /**
     * Returns the protocol with this bug, other switches, and a listener for every lock that is granted to a ticket.
     */
    public Protocol in(HdtxOptions options, Served served) {
        return PlantedHdtx.protocol(this, options, served);
    }

    /** Called for every lock that is granted to a ticket. */
    @FunctionalInterface
    public interface Served {
        void served(long pointer, int ticket, boolean priority);
    }

    HdtxVerbs verbs(HdtxCoordinator coordinator, MemorySegment memory, HdtxOptions options) {
        return new HdtxVerbs(coordinator.pool(), memory, options);
    }

    LockQueue queue(HdtxTxn txn, HdtxCoordinator coordinator, HdtxVerbs verbs, HdtxOptions options) {
        return new LockQueue(txn, coordinator, verbs, options) {};
    }

    CopyDescriptors descriptors(PoolRegions pool) {
        return new CopyDescriptors(pool);
    }

    Recovery recovery(Session session, Catalog catalog) {
        return new HdtxRecovery(session, catalog);
    }
}
