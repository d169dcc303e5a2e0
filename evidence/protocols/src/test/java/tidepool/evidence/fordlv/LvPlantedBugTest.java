package tidepool.evidence.fordlv;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterSimulation;
import tidepool.evidence.faults.PlantedSeeds;
import tidepool.evidence.faults.PlantedTrials;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.FordRecovery;
import tidepool.protocol.fordlv.FordLv;
import tidepool.protocol.fordlv.FordLvCoordinator;
import tidepool.protocol.fordlv.FordLvOptions;
import tidepool.protocol.fordlv.FordLvTxn;
import tidepool.protocol.fordlv.OwnedPartitions;
import tidepool.protocol.fordlv.Vcache;
import tidepool.protocol.fordlv.VcacheCounts;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.WriteGate;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.Catalog;
import tidepool.testkit.Effort;

/** Tests that the unmodified cluster simulation finds bugs planted in localized validation. */
class LvPlantedBugTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    enum Bug {
        /** Reads are validated before writes are announced, and the thread loses its core in between: write skew. */
        VALIDATES_BEFORE_ANNOUNCING {
            @Override
            FordLvTxn txn(FordLvCoordinator c, Vcache vcache) {
                return new FordLvTxn(c, vcache) {
                    @Override
                    protected void announce() {}

                    @Override
                    protected boolean validate() {
                        if (!super.validate()) return false;
                        losesItsCore();
                        super.announce();
                        return true;
                    }
                };
            }
        },
        /** Nothing is announced, and the version is set when the transaction has committed. */
        NEVER_ANNOUNCES {
            @Override
            FordLvTxn txn(FordLvCoordinator c, Vcache vcache) {
                return new FordLvTxn(c, vcache) {
                    @Override
                    protected void announce() {}
                };
            }
        },
        /** The Vcache keeps the old version for ever. */
        NEVER_SETTLES {
            @Override
            FordLvTxn txn(FordLvCoordinator c, Vcache vcache) {
                return new FordLvTxn(c, new Forwarding(vcache) {
                    @Override
                    public void announce(WriteTarget t, long txn) {}

                    @Override
                    public void settle(WriteTarget t, long version) {}
                });
            }
        },
        /** Every session writes everywhere, without updating the Vcaches of the others. */
        NO_SESSION_OWNS_ANYTHING {
            @Override
            FordLvTxn txn(FordLvCoordinator c, Vcache vcache) {
                return new FordLvTxn(c, new Forwarding(vcache) {
                    @Override
                    public boolean covers(Access a) {
                        return true;
                    }
                }) {
                    {
                        writeGate(WriteGate.OPEN);
                    }
                };
            }
        };

        static void losesItsCore() {
            Waiting.pause(5_000);
        }

        abstract FordLvTxn txn(FordLvCoordinator coordinator, Vcache vcache);
    }

    /** A Vcache that forwards to another one. */
    private static class Forwarding implements Vcache {
        private final Vcache to;

        Forwarding(Vcache to) {
            this.to = to;
        }

        @Override
        public boolean covers(Access a) {
            return to.covers(a);
        }

        @Override
        public void announce(WriteTarget t, long txn) {
            to.announce(t, txn);
        }

        @Override
        public void ask(Access a, long txn) {
            to.ask(a, txn);
        }

        @Override
        public boolean exchange() {
            return to.exchange();
        }

        @Override
        public void filled() {
            to.filled();
        }

        @Override
        public void postAfter(Round release) {
            to.postAfter(release);
        }

        @Override
        public Vcache.Answer look(Access a, long txn) {
            return to.look(a, txn);
        }

        @Override
        public void fill(Access a, long txn) {
            to.fill(a, txn);
        }

        @Override
        public void settle(WriteTarget t, long version) {
            to.settle(t, version);
        }

        @Override
        public int holdingSession() {
            return to.holdingSession();
        }

        @Override
        public VcacheCounts counts() {
            return to.counts();
        }
    }

    /** A maker of transactions with a bug. */
    private interface Maker {
        FordLvTxn txn(FordLvCoordinator coordinator, Vcache vcache);
    }

    private static final class Planted extends FordLv {
        private final Maker maker;

        Planted(Maker maker) {
            super(new FordLvOptions(FordLvOptions.Sharing.PARTITION, 4096));
            this.maker = maker;
        }

        @Override
        protected FordLvCoordinator newCoordinator(
                Session session, Catalog catalog, TxnCounter counters, FordLvOptions options, OwnedPartitions owned) {
            return new FordLvCoordinator(session, catalog, counters, options, owned) {
                @Override
                protected RecordTxn newTxn() {
                    return maker.txn(this, vcache());
                }
            };
        }
    }

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource
    void isFound(Bug bug) {
        PlantedSeeds.isCaught("ford-lv/" + bug, PlantedTrials.clusters(() -> new Planted(bug::txn)));
    }

    /** The right order survives this preemption. */
    @Test
    void preemptionDoesNoHarm() {
        isHarmless((coordinator, vcache) -> new FordLvTxn(coordinator, vcache) {
            @Override
            protected void announce() {
                super.announce();
                Bug.losesItsCore();
            }
        });
    }

    /** The holder of a part of the Vcache may lose its core. Then a writer ends without settling its version. */
    @Test
    void versionsThatAreNotPutCostATripAndNothingElse() {
        isHarmless((coordinator, vcache) -> new FordLvTxn(coordinator, new Forwarding(vcache) {
            private int writes;

            @Override
            public void settle(WriteTarget t, long version) {
                if (writes++ % 3 != 0) super.settle(t, version);
            }
        }));
    }

    private static void isHarmless(Maker maker) {
        Effort.seeds(5, 20, 200)
                .forEach(seed ->
                        ClusterSimulation.run(ClusterOptions.drawn(seed).withProtocol(() -> new Planted(maker))));
    }

    /** The partitions of a dead session are never given back: no session can write there again. */
    @Test
    void ownerThatStaysIsFound() {
        PlantedSeeds.isCaught(
                "ford-lv/OWNER_STAYS",
                PlantedTrials.clusters(() -> new FordLv(new FordLvOptions(FordLvOptions.Sharing.PARTITION, 4096)) {
                    @Override
                    public Recovery recovery(Session session, Catalog catalog) {
                        return new FordRecovery(session, catalog);
                    }
                }));
    }
}
