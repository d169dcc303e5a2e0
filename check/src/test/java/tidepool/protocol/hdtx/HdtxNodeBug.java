package tidepool.protocol.hdtx;

import java.util.List;
import java.util.function.Supplier;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.check.cluster.ClusterOptions;
import tidepool.fabric.Session;
import tidepool.protocol.Change;
import tidepool.protocol.Protocol;
import tidepool.protocol.Refilling;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.LoggedTxn;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;

/** HDTX with one thing wrong that only the loss of a memory node can show. */
public enum HdtxNodeBug implements Supplier<Protocol> {
    /** What may have been reported is dropped. */
    DROPS_REGARDLESS {
        @Override
        Change change(Session session, Catalog catalog) {
            return new HdtxChange(session, catalog) {
                @Override
                protected boolean decide(LoggedTxn txn) {
                    return false;
                }
            };
        }
    },

    /** A mark is taken for a transaction that has happened: where a log is missing, a part of it never does. */
    CARRIES_OUT_REGARDLESS {
        @Override
        Change change(Session session, Catalog catalog) {
            return new HdtxChange(session, catalog) {
                @Override
                protected boolean decide(LoggedTxn txn) {
                    return true;
                }
            };
        }
    },

    /** Only the first copy that is left is looked at, and put right. */
    THE_FIRST_COPY_DECIDES {
        @Override
        Change change(Session session, Catalog catalog) {
            return new HdtxChange(session, catalog) {
                @Override
                protected int witnesses(LoggedTxn txn, int i) {
                    return 1;
                }
            };
        }
    },

    /** Decided, and left as it is. */
    MARKS_STAY {
        @Override
        Change change(Session session, Catalog catalog) {
            return new HdtxChange(session, catalog) {
                @Override
                protected void complete(LoggedTxn txn, boolean commits) {}
            };
        }
    },

    /** A copy whose log is there, and whose mark had not landed, keeps what it had. */
    ONLY_MARKED_COPIES_ARE_WRITTEN {
        @Override
        Change change(Session session, Catalog catalog) {
            return new HdtxChange(session, catalog) {
                @Override
                protected boolean isBefore(LoggedTxn txn, Shown shown, long replaced) {
                    return shown.isMarkedBy(txn.id());
                }
            };
        }
    },

    /** Whoever asks what became of its transaction hears that nothing did. */
    OUTCOME_IS_NOT_WRITTEN_DOWN {
        @Override
        Change change(Session session, Catalog catalog) {
            return new HdtxChange(session, catalog) {
                @Override
                protected void writeDown(LoggedTxn txn, boolean commits) {}
            };
        }
    },

    /** A new copy gets what was read a moment before, whoever has written since. */
    REFILL_DOES_NOT_LOCK {
        @Override
        Refilling refill(HdtxCoordinator coordinator, Catalog catalog) {
            return new HdtxRefill(coordinator, catalog) {
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

    /** Clusters in which it can show, by their seed. */
    ClusterOptions cluster(long seed) {
        ClusterOptions drawn = ClusterOptions.drawnWithNodes(seed);
        return (this == REFILL_DOES_NOT_LOCK ? drawn.hasty() : drawn).withProtocol(this);
    }

    Change change(Session session, Catalog catalog) {
        return new HdtxChange(session, catalog);
    }

    Refilling refill(HdtxCoordinator coordinator, Catalog catalog) {
        return new HdtxRefill(coordinator, catalog);
    }

    @Override
    public Protocol get() {
        return new Hdtx() {
            @Override
            public Change change(Session session, Catalog catalog) {
                return HdtxNodeBug.this.change(session, catalog);
            }

            @Override
            public Refilling refilling(Session session, Catalog catalog, TxnCounter counters) {
                return refill(new HdtxCoordinator(session, catalog, counters, options()), catalog);
            }
        };
    }
}
