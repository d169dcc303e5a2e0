package tidepool.evidence.ford;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.clusters.ClusterOptions;
import tidepool.evidence.record.PlantedVerbs;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.ReplicaFill;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordOptions;
import tidepool.protocol.ford.FordReconfiguration;
import tidepool.protocol.record.LogScan;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.PersistencePass;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.ReplicaFiller;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;

/** FORD with one bug that only the loss of a memory node can show. */
public enum NodeBug implements Supplier<Protocol> {
    /** A backup is promoted, and the sessions of the pool go on as before. */
    NO_SESSION_IS_SHUT_OUT {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
                @Override
                protected Set<Integer> shutOut() {
                    return Set.of();
                }
            };
        }
    },

    /**
     * The change is announced shortly after all sessions were revoked. A session that joins in between with the old
     * roster is accepted.
     */
    STALE_EPOCH_IS_ACCEPTED {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
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

    /** As published: a transaction with a log and a mark is undone. */
    ROLLS_BACK_REGARDLESS {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
                @Override
                protected boolean decide(LoggedTxn txn) {
                    return false;
                }
            };
        }
    },

    /** A transaction with a log and a mark has committed. */
    ROLLS_FORWARD_REGARDLESS {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
                @Override
                protected boolean decide(LoggedTxn txn) {
                    return true;
                }
            };
        }
    },

    /** The new primary decides, whatever the backups show. */
    THE_FIRST_COPY_DECIDES {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
                @Override
                protected int witnesses(LoggedTxn txn, int i) {
                    return 1;
                }
            };
        }
    },

    /** Committed images are not made visible. */
    MARKS_STAY {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
                @Override
                protected void complete(LoggedTxn txn, boolean commits) {}
            };
        }
    },

    /** A client that asks for the outcome of its transaction is told that it did not commit. */
    OUTCOME_IS_NOT_WRITTEN_DOWN {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
                @Override
                protected void writeDown(LoggedTxn txn, boolean commits) {}
            };
        }
    },

    /** Locks of revoked sessions stay. */
    LOCKS_STAY {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
                @Override
                protected int freeLocks(LogScan logs) {
                    return 0;
                }
            };
        }
    },

    /** Logs are read and cleared, then resolved. After a crash the next recoverer finds nothing to resolve. */
    LOGS_ARE_CLEARED_TOO_EARLY {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
                @Override
                protected void resolve(LogScan logs) {
                    logs.clear();
                    super.resolve(logs);
                }
            };
        }
    },

    /** A copy is declared whole when half of its pieces are. */
    FILLED_IS_SAID_TOO_EARLY {
        @Override
        ReplicaFiller refill(FordCoordinator coordinator, Catalog catalog) {
            return new ReplicaFiller(coordinator, catalog) {
                @Override
                protected boolean isSame(long at, long bytes) {
                    return at % 128 != 0 || super.isSame(at, bytes);
                }
            };
        }
    },

    /** Objects that differ are read and copied a moment later, although another transaction may be writing them. */
    REFILL_DOES_NOT_LOCK {
        @Override
        ReplicaFiller refill(FordCoordinator coordinator, Catalog catalog) {
            return new ReplicaFiller(coordinator, catalog) {
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

    /** The image seen a moment before the lock is copied: another transaction may have written in between. */
    REFILL_COPIES_WHAT_IT_SAW_BEFORE {
        @Override
        ReplicaFiller refill(FordCoordinator coordinator, Catalog catalog) {
            return new ReplicaFiller(coordinator, catalog) {
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

    /** A node that was removed and lives is believed by some sessions after the others have gone on. */
    NO_WAIT_UNTIL_IT_IS_NOT_BELIEVED {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
                @Override
                public Report run(long settleNanos) {
                    return super.run(0);
                }
            };
        }
    },

    /** After a loss of power a primary is believed that was never flushed. */
    UNFLUSHED_COPY_IS_BELIEVED {
        @Override
        FordOptions options() {
            return PowerBug.OPTIONS;
        }

        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
                @Override
                protected boolean isFlushed(int partition, int copy) {
                    return true;
                }
            };
        }
    },

    /** A primary that has lost its backups must survive a loss of power from now on. Its older contents do not. */
    LAST_COPY_IS_NOT_MADE_PERSISTENT {
        @Override
        FordOptions options() {
            return PowerBug.OPTIONS;
        }

        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
                @Override
                protected PersistencePass persistencePass() {
                    return new PersistencePass(pool, lane, catalog) {
                        @Override
                        public void persist(int partition, int node) {}
                    };
                }
            };
        }
    },

    /** Memory nodes change after a loss of power as if nothing had been lost. */
    LOSS_OF_POWER_IS_NOT_NOTICED {
        @Override
        FordOptions options() {
            return PowerBug.OPTIONS;
        }

        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new FordReconfiguration(session, catalog) {
                @Override
                protected void repairPower() {
                    catalog.repaired(catalog.powerLosses());
                }
            };
        }
    },

    /** A copy that is being filled is written by its filler alone. */
    NEW_COPY_IS_NOT_WRITTEN {
        @Override
        Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
            return new FordCoordinator(session, catalog, counters, FordOptions.DEFAULT) {
                @Override
                protected RecordVerbs newVerbs(MemorySegment memory) {
                    return new PlantedVerbs(this, memory) {
                        @Override
                        public void image(Round round, int node, WriteTarget t, long txn) {
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

    /** Returns a cluster in which the bug can show, by seed. */
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

    Reconfiguration change(Session session, Catalog catalog) {
        return new FordReconfiguration(session, catalog);
    }

    ReplicaFiller refill(FordCoordinator coordinator, Catalog catalog) {
        return new ReplicaFiller(coordinator, catalog);
    }

    @Override
    public Protocol get() {
        return new Ford(options()) {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return NodeBug.this.coordinator(session, catalog, counters);
            }

            @Override
            public Reconfiguration change(Session session, Catalog catalog) {
                return NodeBug.this.change(session, catalog);
            }

            @Override
            public ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
                return refill(new FordCoordinator(session, catalog, counters, options()), catalog);
            }
        };
    }
}
