package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.check.cluster.ClusterOptions;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Change;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Refilling;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.AllLogs;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.Persisting;
import tidepool.protocol.record.PlantedVerbs;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.Refill;
import tidepool.protocol.record.Target;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;

/** FORD with one thing wrong that only the loss of a memory node can show. */
public enum NodeBug implements Supplier<Protocol> {
    /** A backup is promoted, and those who were at work go on as before. */
    NOBODY_IS_SHUT_OUT {
        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                protected Set<Integer> shutOut() {
                    return Set.of();
                }
            };
        }
    },

    /** Announced a little after all were shut out: whoever comes in between, and knows the roster of before, is welcome. */
    STALE_EPOCH_IS_ACCEPTED {
        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                protected void announce() {}

                @Override
                protected Set<Integer> shutOut() {
                    Set<Integer> before = super.shutOut();
                    Waiting.pause(500_000);
                    super.announce();
                    return before;
                }
            };
        }
    },

    /** As published: whatever has a log and a mark is undone. */
    ROLLS_BACK_REGARDLESS {
        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                protected boolean decide(LoggedTxn txn) {
                    return false;
                }
            };
        }
    },

    /** Whatever has a log and a mark has happened. */
    ROLLS_FORWARD_REGARDLESS {
        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                protected boolean decide(LoggedTxn txn) {
                    return true;
                }
            };
        }
    },

    /** What the new primary shows is so, whatever the backups show. */
    THE_FIRST_COPY_DECIDES {
        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                protected int witnesses(LoggedTxn txn, int i) {
                    return 1;
                }
            };
        }
    },

    /** What was finished is not made visible. */
    MARKS_STAY {
        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                protected void complete(LoggedTxn txn, boolean commits) {}
            };
        }
    },

    /** Whoever asks what became of its transaction hears that nothing did. */
    OUTCOME_IS_NOT_WRITTEN_DOWN {
        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                protected void writeDown(LoggedTxn txn, boolean commits) {}
            };
        }
    },

    /** Locks of those who were shut out are left where they are. */
    LOCKS_STAY {
        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                protected int freeLocks(AllLogs logs) {
                    return 0;
                }
            };
        }
    },

    /** Read and cleared, then resolved: whoever takes over finds nothing to resolve. */
    LOGS_ARE_CLEARED_TOO_EARLY {
        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                protected void resolve(AllLogs logs) {
                    logs.clear();
                    super.resolve(logs);
                }
            };
        }
    },

    /** A copy is said to be whole when half of its pieces are. */
    FILLED_IS_SAID_TOO_EARLY {
        @Override
        Refill refill(FordCoordinator coordinator, Catalog catalog) {
            return new Refill(coordinator, catalog) {
                @Override
                protected boolean isSame(long at, long bytes) {
                    return at % 128 != 0 || super.isSame(at, bytes);
                }
            };
        }
    },

    /** What differs is read and, a moment later, copied, whoever is about to write it. */
    REFILL_DOES_NOT_LOCK {
        @Override
        Refill refill(FordCoordinator coordinator, Catalog catalog) {
            return new Refill(coordinator, catalog) {
                @Override
                protected void lockAndRead(long pointer, List<Long> offsets, long bytes, long txn) {
                    for (int i = 0; i < offsets.size(); i++) {
                        long at = Pointer.offset(pointer) + offsets.get(i) + ObjectLayout.VERSION;
                        round.read(pool.primary(pointer), at, bytes - ObjectLayout.VERSION, image, i * bytes);
                        Words.plain(found, i * (long) Words.BYTES, 0);
                    }
                    round.post().await();
                    Waiting.pause(100_000);
                }

                @Override
                protected void free(long pointer, List<Long> offsets) {}
            };
        }
    },

    /** What was seen a moment before the lock is copied: somebody may have written in between. */
    REFILL_COPIES_WHAT_IT_SAW_BEFORE {
        @Override
        Refill refill(FordCoordinator coordinator, Catalog catalog) {
            return new Refill(coordinator, catalog) {
                @Override
                protected void lockAndRead(long pointer, List<Long> offsets, long bytes, long txn) {
                    Waiting.pause(100_000);
                    super.lockAndRead(pointer, offsets, bytes, txn);
                    for (int i = 0; i < offsets.size(); i++)
                        MemorySegment.copy(
                                ours,
                                offsets.get(i) + ObjectLayout.VERSION,
                                image,
                                i * bytes,
                                bytes - ObjectLayout.VERSION);
                }
            };
        }
    },

    /** A node that was taken out and lives is believed by some when the others have gone on. */
    NOBODY_WAITS_UNTIL_IT_IS_NOT_BELIEVED {
        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                public Report run(long settleNanos) {
                    return super.run(0);
                }
            };
        }
    },

    /** After a loss of power a primary is believed that nobody has flushed. */
    UNFLUSHED_COPY_IS_BELIEVED {
        @Override
        FordOptions options() {
            return PowerBug.OPTIONS;
        }

        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                protected boolean isFlushed(int partition, int copy) {
                    return true;
                }
            };
        }
    },

    /** A primary that has lost its backups is to outlast a loss of power from now on; what it held before does not. */
    LAST_COPY_IS_NOT_MADE_PERSISTENT {
        @Override
        FordOptions options() {
            return PowerBug.OPTIONS;
        }

        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                protected Persisting persisting() {
                    return new Persisting(pool, lane, catalog) {
                        @Override
                        public void persist(int partition, int node) {}
                    };
                }
            };
        }
    },

    /** A change after a loss of power, as if nothing had been lost. */
    LOSS_OF_POWER_IS_NOT_NOTICED {
        @Override
        FordOptions options() {
            return PowerBug.OPTIONS;
        }

        @Override
        Change change(Session session, Catalog catalog) {
            return new FordChange(session, catalog) {
                @Override
                protected void repairPower() {
                    catalog.repaired(catalog.powerLosses());
                }
            };
        }
    },

    /** A copy that is being filled is written by nobody but the one who fills it. */
    NEW_COPY_IS_NOT_WRITTEN {
        @Override
        Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
            return new FordCoordinator(session, catalog, counters, FordOptions.DEFAULT) {
                @Override
                protected RecordVerbs newVerbs(MemorySegment memory) {
                    return new PlantedVerbs(this, memory) {
                        @Override
                        public void image(Round round, int node, Target t, long txn) {
                            Placement held = pool.placement();
                            int partition = Pointer.partition(t.pointer);
                            if (held.copyOf(node, partition) < held.whole(partition)) super.image(round, node, t, txn);
                        }
                    };
                }
            };
        }
    };

    FordOptions options() {
        return FordOptions.DEFAULT;
    }

    /** Clusters in which it can show, by their seed. */
    public ClusterOptions cluster(long seed) {
        ClusterOptions drawn = ClusterOptions.drawnWithNodes(seed);
        if (options().flush().isDurable())
            drawn = ClusterOptions.withPower(drawn, options().flush());
        if (this == REFILL_DOES_NOT_LOCK || this == REFILL_COPIES_WHAT_IT_SAW_BEFORE || this == STALE_EPOCH_IS_ACCEPTED)
            drawn = drawn.hasty();
        return drawn.withProtocol(this);
    }

    Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new FordCoordinator(session, catalog, counters, options());
    }

    Change change(Session session, Catalog catalog) {
        return new FordChange(session, catalog);
    }

    Refill refill(FordCoordinator coordinator, Catalog catalog) {
        return new Refill(coordinator, catalog);
    }

    @Override
    public Protocol get() {
        return new Ford(options()) {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return NodeBug.this.coordinator(session, catalog, counters);
            }

            @Override
            public Change change(Session session, Catalog catalog) {
                return NodeBug.this.change(session, catalog);
            }

            @Override
            public Refilling refilling(Session session, Catalog catalog, TxnCounter counters) {
                return refill(new FordCoordinator(session, catalog, counters, options()), catalog);
            }
        };
    }
}
