package tidepool.protocol.hdtx;

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
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.Target;
import tidepool.protocol.record.WriteSet;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.QueueWord;

/** HDTX with one thing wrong. H1 to H5 are the artifact's own, by the names of the design notes. */
public enum HdtxBug implements Supplier<Protocol> {
    /** Nothing is wrong. */
    NONE,

    /** H1: validation takes what others hold. */
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

    /** H2: as published, marks of a validation that failed are taken off on primaries only. */
    MARKS_STAY_ON_BACKUPS {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new HdtxVerbs(c.pool(), memory, options) {
                @Override
                public void unmark(Round round, int node, Target t) {
                    boolean primary = pool.placement().primary(Pointer.partition(t.pointer)) == node;
                    if (primary) super.unmark(round, node, t);
                }
            };
        }
    },

    /** H3: whoever waits longer than a lease takes the lock from its holder, who may be slow and go on. */
    WAITER_RESETS_THE_LOCK {
        @Override
        LockLine line(HdtxTxn txn, HdtxCoordinator c, HdtxVerbs verbs, HdtxOptions options) {
            return new LockLine(txn, c, verbs, options) {
                private boolean reset;

                @Override
                protected boolean isFree(Target t, long lock) {
                    return reset || super.isFree(t, lock);
                }

                @Override
                protected boolean isDead(long lock) {
                    return true;
                }

                @Override
                protected boolean leave(Target t, boolean priority, long lock) {
                    reset = true;
                    return super.leave(t, priority, lock);
                }
            };
        }
    },

    /** H4: a plain FAA carries into the neighbour when a line comes round. */
    TICKETS_CARRY_OVER {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new HdtxVerbs(c.pool(), memory, options) {
                @Override
                public void draw(Round round, Target t, boolean priority, long landing) {
                    round.fetchAndAdd(
                            pool.primary(t.pointer), queueAt(t), QueueWord.draw(priority), this.memory, landing);
                }
            };
        }
    },

    /** H5: whole logs are taken for a transaction that was valid. */
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

    /** The slides' word as the lock: whoever's turn it is holds it, whatever LOCK says. */
    TICKETS_GRANT {
        @Override
        LockLine line(HdtxTxn txn, HdtxCoordinator c, HdtxVerbs verbs, HdtxOptions options) {
            return new LockLine(txn, c, verbs, options) {
                @Override
                protected boolean isFree(Target t, long lock) {
                    return true;
                }
            };
        }
    },

    /** Everybody stands in the same line. */
    PRIORITY_IS_IGNORED,

    /** What could not be read is tried in the same way for ever. */
    READERS_NEVER_STAND,

    /** Locks are freed beside the copies, and not behind them. */
    UNLOCK_BEFORE_COPY,

    /** The descriptor of the transaction before is carried out once more, and nothing stops it. */
    DESCRIPTOR_REPLAYED {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new ReplayingVerbs(c, memory, options, true);
        }

        @Override
        Descriptors descriptors(PoolRegions pool) {
            return new Descriptors(pool) {
                @Override
                protected void build(long images, long txn, WriteSet writes, int node) {
                    long image = images;
                    for (int i = 0; i < writes.count(); i++) {
                        Target t = writes.get(i);
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
     * The same with its guard, and the slot is used again before the replay is answered: the memory side writes that it was
     * stopped into the descriptor's place, where another transaction's log lies by then.
     */
    REPLAY_ENDS_IN_ANOTHER_LOG {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new ReplayingVerbs(c, memory, options, false);
        }
    },

    /** No bug: a replay that is answered before its slot is used again is stopped by its guard. */
    DESCRIPTOR_REPLAYED_BEHIND_ITS_GUARD {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new ReplayingVerbs(c, memory, options, true);
        }
    },

    /** Visible before it is copied. */
    VISIBLE_BEFORE_COPY {
        @Override
        Descriptors descriptors(PoolRegions pool) {
            return new Descriptors(pool) {
                @Override
                protected void build(long images, long txn, WriteSet writes, int node) {
                    long image = images;
                    for (int i = 0; i < writes.count(); i++) {
                        Target t = writes.get(i);
                        if (!isHere(t, pool, node)) continue;
                        show(node, t, txn);
                        copy(node, t, image + Words.BYTES);
                        image += Words.BYTES + t.bodyBytes;
                    }
                }
            };
        }
    },

    /** Each object is visible as soon as it is copied: the head of a bucket before its slot. */
    VISIBLE_ONE_BY_ONE {
        @Override
        Descriptors descriptors(PoolRegions pool) {
            return new Descriptors(pool) {
                @Override
                protected void build(long images, long txn, WriteSet writes, int node) {
                    long image = images;
                    for (int i = 0; i < writes.count(); i++) {
                        Target t = writes.get(i);
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

    /** Nothing says what is about to be locked. */
    NO_INTENT {
        @Override
        HdtxVerbs verbs(HdtxCoordinator c, MemorySegment memory, HdtxOptions options) {
            return new HdtxVerbs(c.pool(), memory, options) {
                @Override
                protected void compareAndLock(Round round, Target t, long id, long intentAt) {
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

    /** What may have been reported is dropped. */
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

    /** What is dropped keeps its marks. */
    RECOVERY_LEAVES_MARKS {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new HdtxRecovery(session, catalog) {
                @Override
                protected void takeMarkOff(long txn, Log log, int i) {}
            };
        }
    },

    /** An old log is carried out over what others have written since. */
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

    /** With other switches. */
    public Protocol in(HdtxOptions options) {
        return in(options, (pointer, ticket, priority) -> {});
    }

    /** With somebody who is told of every lock that is granted to a ticket. */
    public Protocol in(HdtxOptions options, Served served) {
        return PlantedHdtx.protocol(this, options, served);
    }

    /** Is told of every lock that is granted to a ticket. */
    @FunctionalInterface
    public interface Served {
        void served(long pointer, int ticket, boolean priority);
    }

    HdtxVerbs verbs(HdtxCoordinator coordinator, MemorySegment memory, HdtxOptions options) {
        return new HdtxVerbs(coordinator.pool(), memory, options);
    }

    LockLine line(HdtxTxn txn, HdtxCoordinator coordinator, HdtxVerbs verbs, HdtxOptions options) {
        return new LockLine(txn, coordinator, verbs, options) {};
    }

    Descriptors descriptors(PoolRegions pool) {
        return new Descriptors(pool);
    }

    Recovery recovery(Session session, Catalog catalog) {
        return new HdtxRecovery(session, catalog);
    }
}
