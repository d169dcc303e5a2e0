package tidepool.evidence.ford;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import tidepool.fabric.Lane;
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
import tidepool.protocol.ford.FordRestart;
import tidepool.protocol.ford.FordTxn;
import tidepool.protocol.ford.FordVerbs;
import tidepool.protocol.ford.RestartScan;
import tidepool.protocol.ford.Witnesses;
import tidepool.protocol.record.LogScan;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.store.Catalog;
import tidepool.store.FlushPolicy;
import tidepool.store.Pointer;

/** FORD with flush=selective and one bug that only a loss of power can show. */
public enum PowerBug implements Supplier<Protocol> {
    /** Only the FLUSH of the data follows the log on the same link. That is too late. */
    UNDO_LOG_NOT_FLUSHED {
        @Override
        RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new FordVerbs(c.pool(), memory) {
                @Override
                public void flushLog(Round round, int node) {}
            };
        }
    },

    /** A transaction is reported when everything was acknowledged, as if acknowledged meant persistent. */
    DATA_NOT_FLUSHED {
        @Override
        RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new FordVerbs(c.pool(), memory) {
                @Override
                public void flushImages(Round round, int node) {}
            };
        }
    },

    /** Nothing is flushed, as with flush=none, in a pool that is declared durable. */
    NOTHING_FLUSHED {
        @Override
        RecordVerbs verbs(RecordCoordinator c, MemorySegment memory) {
            return new FordVerbs(c.pool(), memory) {
                @Override
                public void flushLog(Round round, int node) {}

                @Override
                public void flushImages(Round round, int node) {}
            };
        }
    },

    /** An early log, written with the locks, is taken for valid, whatever versions the locks have found. */
    GUESSED_LOG_IS_BELIEVED {
        @Override
        Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
            return new FordCoordinator(session, catalog, counters, OPTIONS) {
                @Override
                protected RecordTxn newTxn() {
                    return new FordTxn(this, OPTIONS) {
                        private boolean guessed;

                        @Override
                        protected void logEarly() {
                            super.logEarly();
                            guessed = super.isLogged();
                        }

                        @Override
                        protected boolean isLogged() {
                            return guessed;
                        }
                    };
                }
            };
        }
    },

    /** The mark of a dead transaction is removed and its locks are freed, while its images may not be persistent. */
    RECOVERY_PUBLISHES_WHAT_IS_NOT_FLUSHED {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new FordRecovery(session, catalog) {
                @Override
                protected void persist(long txn, MemorySegment log, List<Integer> locked) {}
            };
        }
    },

    /** A log slot is free for other transactions before the images restored from it are persistent. */
    RECOVERY_DOES_NOT_FLUSH_WHAT_IT_RESTORED {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new FordRecovery(session, catalog) {
                @Override
                protected void flushRestored() {}
            };
        }
    },

    /**
     * The log of a dead transaction is restored also where nothing of it was written: it may be an early log that is
     * out of date.
     */
    RECOVERY_RESTORES_WITHOUT_A_MARK {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new FordRecovery(session, catalog) {
                @Override
                protected boolean isMarked(long txn, Region region, long pointer) {
                    return true;
                }
            };
        }
    },

    /** Interleaving 12: the primary is a witness too, and what it has lost counts. */
    PRIMARY_IS_A_WITNESS {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected boolean isWitness(long pointer, int replica) {
                    return true;
                }
            };
        }
    },

    /** Only one backup is examined and restored. */
    ONE_BACKUP_IS_ENOUGH {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected boolean isWitness(long pointer, int replica) {
                    return super.isWitness(pointer, replica) && replica <= 1;
                }
            };
        }
    },

    /** As published: a transaction with a log is rolled back. */
    RESTART_ALWAYS_ROLLS_BACK {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected boolean decide(LoggedTxn txn) {
                    return false;
                }
            };
        }
    },

    /** Everything in memory is kept. */
    RESTART_NEVER_ROLLS_BACK {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected boolean decide(LoggedTxn txn) {
                    return true;
                }
            };
        }
    },

    /** Every object that a log names is restored, also if another transaction has written it since. */
    RESTART_RESTORES_WHAT_IS_NOT_ITS_OWN {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected boolean isTouched(LoggedTxn txn, int i, int replica, Shown shown) {
                    return true;
                }
            };
        }
    },

    /** A transaction with a log on some witnesses and not on others has ended, but is judged. */
    RESTART_JUDGES_BY_SOME_OF_THE_LOGS {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected boolean isOpen(LoggedTxn txn) {
                    return true;
                }

                @Override
                protected boolean decide(LoggedTxn txn) {
                    return isLoggedEverywhere(txn) && super.decide(txn);
                }

                @Override
                protected boolean isTouched(LoggedTxn txn, int i, int replica, Shown shown) {
                    return txn.log(node(txn, i, replica)) != null && super.isTouched(txn, i, replica, shown);
                }
            };
        }
    },

    /** Found by seed 9 at its time: an object that a later transaction has torn counts against every earlier one. */
    RESTART_BLAMES_THE_EARLIER {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected boolean decide(LoggedTxn txn) {
                    return allClean(txn) && super.decide(txn);
                }

                private boolean allClean(LoggedTxn txn) {
                    for (int i = 0; i < txn.objects(); i++)
                        for (int r = 0; r < catalog.placement().copies(Pointer.partition(txn.pointer(i))); r++)
                            if (isWitness(txn.pointer(i), r) && !look(txn, i, r).isClean()) return false;
                    return true;
                }
            };
        }
    },

    /** Transactions are resolved in the order of their ids, which is not the order of their writes. */
    RESTART_IN_ANY_ORDER {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected List<LoggedTxn> order(LogScan logs) {
                    return List.copyOf(logs.all());
                }
            };
        }
    },

    /** The primary stays as the loss of power left it. */
    PRIMARY_NOT_REBUILT {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected RestartScan scan(PoolRegions pool, Lane lane, Witnesses witnesses, Set<Long> logged) {
                    return new RestartScan(pool, lane, witnesses, logged) {
                        @Override
                        protected void makeAnew(Region region, long pointer, long bytes) {}
                    };
                }
            };
        }
    },

    /** The logs are cleared before the images restored from them are persistent. */
    RESTART_CLEARS_LOGS_TOO_EARLY {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected void flushRepaired() {}
            };
        }
    };

    static final FordOptions OPTIONS = FordOptions.DEFAULT.with(FlushPolicy.SELECTIVE);

    /** FORD with this bug. */
    @Override
    public Protocol get() {
        PowerBug bug = this;
        return new Ford(OPTIONS) {
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
        PowerBug bug = this;
        return new FordCoordinator(session, catalog, counters, OPTIONS) {
            @Override
            protected RecordVerbs newVerbs(MemorySegment memory) {
                return bug.verbs(this, memory);
            }
        };
    }

    RecordVerbs verbs(RecordCoordinator coordinator, MemorySegment memory) {
        return new FordVerbs(coordinator.pool(), memory);
    }

    Recovery recovery(Session session, Catalog catalog) {
        PowerBug bug = this;
        return new FordRecovery(session, catalog) {
            @Override
            public Restart afterPowerLoss() {
                return bug.restart(session, catalog).run();
            }
        };
    }

    FordRestart restart(Session session, Catalog catalog) {
        return new FordRestart(session, catalog);
    }
}
