package tidepool.evidence.ford;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordRecovery;
import tidepool.protocol.ford.FordRestart;
import tidepool.protocol.ford.FordVerbs;
import tidepool.protocol.record.LogScan;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.store.Catalog;

/** FORD on nodes that keep journals, with one bug that only a loss of power can show. */
public enum JournalBug implements Supplier<Protocol> {
    /**
     * A missing log means that its transaction has ended, as is true where cache lines survive in any order. With
     * journals the transaction may only have got this far.
     */
    JUDGED_AS_WITHOUT_JOURNALS {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected boolean isOpen(LoggedTxn txn) {
                    return isLoggedEverywhere(txn);
                }
            };
        }
    },

    /**
     * Every transaction of which a log is left is judged, also those whose other logs were overwritten long after they
     * ended.
     */
    THE_ENDED_ARE_JUDGED {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected boolean isOpen(LoggedTxn txn) {
                    return true;
                }
            };
        }
    },

    /** The repair of the pool clears logs, and none of them says first that it is over. */
    REPAIR_ENDS_NO_LOG {
        @Override
        FordRestart restart(Session session, Catalog catalog) {
            return new FordRestart(session, catalog) {
                @Override
                protected void end(LogScan logs) {}
            };
        }
    },

    /** The recovery of a dead session clears logs, and none of them says first that it is over. */
    RECOVERY_ENDS_NO_LOG {
        @Override
        Recovery recovery(Session session, Catalog catalog) {
            return new FordRecovery(session, catalog) {
                @Override
                protected boolean marksLogsFirst() {
                    return false;
                }
            };
        }
    },

    /** A coordinator that closes the pool clears logs, and none of them says first that it is over. */
    CLOSING_ENDS_NO_LOG {
        @Override
        Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
            return new FordCoordinator(session, catalog, counters, PowerBug.OPTIONS) {
                @Override
                protected boolean marksLogsFirst() {
                    return false;
                }
            };
        }
    },

    /** The only FLUSH is missing: a transaction is reported when everything was acknowledged. */
    NOTHING_IS_FLUSHED {
        @Override
        Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
            return new FordCoordinator(session, catalog, counters, PowerBug.OPTIONS) {
                @Override
                protected RecordVerbs newVerbs(MemorySegment memory) {
                    return new FordVerbs(pool(), memory) {
                        @Override
                        public void flushImages(Round round, int node) {}
                    };
                }
            };
        }
    };

    @Override
    public Protocol get() {
        JournalBug bug = this;
        return new Ford(PowerBug.OPTIONS) {
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
        return new FordCoordinator(session, catalog, counters, PowerBug.OPTIONS);
    }

    Recovery recovery(Session session, Catalog catalog) {
        JournalBug bug = this;
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
