package tidepool.evidence.hdtx;

import java.util.List;
import java.util.function.Supplier;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.clusters.ClusterOptions;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.ReplicaFill;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.hdtx.Hdtx;
import tidepool.protocol.hdtx.HdtxCoordinator;
import tidepool.protocol.hdtx.HdtxReconfiguration;
import tidepool.protocol.hdtx.HdtxReplicaFiller;
import tidepool.protocol.record.LoggedTxn;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;

/** HDTX with one bug that only the loss of a memory node can show. */
public enum HdtxNodeBug implements Supplier<Protocol> {
    /** A transaction that may have been reported is dropped. */
    DROPS_REGARDLESS {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new HdtxReconfiguration(session, catalog) {
                @Override
                protected boolean decide(LoggedTxn txn) {
                    return false;
                }
            };
        }
    },

    /** A mark is taken as proof of a commit. Where a log is missing, a part of the transaction is never written. */
    CARRIES_OUT_REGARDLESS {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new HdtxReconfiguration(session, catalog) {
                @Override
                protected boolean decide(LoggedTxn txn) {
                    return true;
                }
            };
        }
    },

    /** Only the first remaining copy is examined and repaired. */
    THE_FIRST_COPY_DECIDES {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new HdtxReconfiguration(session, catalog) {
                @Override
                protected int witnesses(LoggedTxn txn, int i) {
                    return 1;
                }
            };
        }
    },

    /** A transaction is decided, and its marks are left. */
    MARKS_STAY {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new HdtxReconfiguration(session, catalog) {
                @Override
                protected void complete(LoggedTxn txn, boolean commits) {}
            };
        }
    },

    /** A copy whose log is there, and whose mark had not landed, keeps its old version. */
    ONLY_MARKED_COPIES_ARE_WRITTEN {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new HdtxReconfiguration(session, catalog) {
                @Override
                protected boolean isBefore(LoggedTxn txn, Shown shown, long replaced) {
                    return shown.isMarkedBy(txn.id());
                }
            };
        }
    },

    /** A client that asks for the outcome of its transaction is told that it did not commit. */
    OUTCOME_IS_NOT_WRITTEN_DOWN {
        @Override
        Reconfiguration change(Session session, Catalog catalog) {
            return new HdtxReconfiguration(session, catalog) {
                @Override
                protected void writeDown(LoggedTxn txn, boolean commits) {}
            };
        }
    },

    /** A new copy gets an image that was read a moment before, although another transaction may have written since. */
    REFILL_DOES_NOT_LOCK {
        @Override
        ReplicaFill refill(HdtxCoordinator coordinator, Catalog catalog) {
            return new HdtxReplicaFiller(coordinator, catalog) {
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
    };

    /** Returns a cluster in which the bug can show, by seed. */
    ClusterOptions cluster(long seed) {
        ClusterOptions drawn = ClusterOptions.drawnWithNodes(seed);
        return (this == REFILL_DOES_NOT_LOCK ? drawn.hasty() : drawn).withProtocol(this);
    }

    Reconfiguration change(Session session, Catalog catalog) {
        return new HdtxReconfiguration(session, catalog);
    }

    ReplicaFill refill(HdtxCoordinator coordinator, Catalog catalog) {
        return new HdtxReplicaFiller(coordinator, catalog);
    }

    @Override
    public Protocol get() {
        return new Hdtx() {
            @Override
            public Reconfiguration change(Session session, Catalog catalog) {
                return HdtxNodeBug.this.change(session, catalog);
            }

            @Override
            public ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
                return refill(new HdtxCoordinator(session, catalog, counters, options()), catalog);
            }
        };
    }
}
