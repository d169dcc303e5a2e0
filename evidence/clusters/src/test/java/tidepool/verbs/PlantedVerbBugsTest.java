package tidepool.verbs;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.base.Words;
import tidepool.fabric.Link;
import tidepool.fabric.Round;
import tidepool.fabric.VerbKind;
import tidepool.sim.ReferenceRecord.View;
import tidepool.sim.SimFabric;
import tidepool.sim.VerbInFlight;
import tidepool.sim.VerbListener;

/** Every check of the model can fail: a client or a fabric with one bug is caught within a number of seeds. */
class PlantedVerbBugsTest {
    private static final int TURNS = 60;

    /** With 16 strands: where the words of the order litmus begin, and the first guarded object. */
    private static final long LITMUS = 0x1940;

    private static final long LOCK = 0x1100;
    private static final long RECORD = LOCK + 128;
    private static final int RECORD_WORDS = 18;

    // ---- clients that forget a rule

    /** A WRITE passes the READ before it; without the adversary it would, too. */
    @Test
    void aFenceLeftOutIsCaught() {
        caught(3, Faults.ORDER, "cells", new ClientRules() {
            @Override
            protected void fence(Round round, Link link) {}
        });
    }

    /** It is acknowledged, so it is believed to survive. */
    @Test
    void aFlushLeftOutIsCaught() {
        caught(20, Faults.POWER, "", new ClientRules() {
            @Override
            protected void flush(Round round, Link link) {}
        });
    }

    /** The owner is dead, but what it sent still flies. */
    @Test
    void takingOverBeforeTheRevocationIsCaught() {
        caught(20, Faults.CRASH, "locks", new ClientRules() {
            @Override
            protected boolean mayTakeOver(boolean ownerIsRevokedEverywhere, boolean ownerHasDied) {
                return ownerHasDied;
            }
        });
    }

    /** A lease that ran out is no proof of death. */
    @Test
    void takingOverFromTheLivingIsCaught() {
        caught(3, Faults.ORDER, "locks", new ClientRules() {
            @Override
            protected boolean mayTakeOver(boolean ownerIsRevokedEverywhere, boolean ownerHasDied) {
                return true;
            }
        });
    }

    /** READs tear. */
    @Test
    void believingATornRecordIsCaught() {
        caught(3, Faults.ORDER, "records", new ClientRules() {
            @Override
            protected boolean accepts(View view) {
                return view != View.EMPTY;
            }
        });
    }

    /** Revoked is revoked at every node: what flies to the last one lands after all. */
    @Test
    void aNodeLeftOutOfARevocationIsCaught() {
        caught(40, Faults.NETWORK, "", new ClientRules() {
            @Override
            protected boolean revokesAt(int node, int nodes) {
                return node != nodes - 1;
            }
        });
    }

    // ---- fabrics that break a promise

    /** Acknowledged means applied. */
    @Test
    void anAcknowledgedWriteThatIsLostIsCaught() {
        caught(5, Faults.NONE, "", new Tampering(VerbKind.WRITE, 2_000) {
            @Override
            void tamper(MemorySegment data, long offset, long before) {
                Words.plain(data, offset, before);
            }
        });
    }

    /** A NIC that repeats a request must not add twice. */
    @Test
    void anAdditionThatHappensTwiceIsCaught() {
        caught(3, Faults.NONE, "counters", new Tampering(VerbKind.FAA, 20) {
            @Override
            void tamper(MemorySegment data, long offset, long before) {
                Words.fetchAndAdd(data, offset, 1);
            }
        });
    }

    /** An addition that is read and written in two steps loses others. */
    @Test
    void anAdditionThatIsNotAtomicIsCaught() {
        caught(5, Faults.NONE, "counters", new Tampering(VerbKind.FAA, 5) {
            @Override
            void tamper(MemorySegment data, long offset, long before) {
                Words.plain(data, offset, before + 1);
            }
        });
    }

    /** WRITE before WRITE: the first one shows 3 microseconds late. */
    @Test
    void aWriteThatIsPassedByTheNextIsCaught() {
        caught(5, Faults.NONE, "", new Tampering(VerbKind.WRITE, 50) {
            @Override
            void tamper(MemorySegment data, long offset, long before) {
                long after = Words.plain(data, offset);
                Words.plain(data, offset, before);
                simulation.at(simulation.nowNanos() + 3_000, () -> Words.plain(data, offset, after));
            }
        });
    }

    /** Tampers only with the words of the litmus test, which looks at nothing but their order. */
    @Test
    void aBrokenOrderIsCaughtByTheLitmus() {
        caught(5, Faults.NONE, "litmus", new Tampering(VerbKind.WRITE, 4) {
            @Override
            boolean mayTamper(long offset) {
                return offset >= LITMUS;
            }

            @Override
            void tamper(MemorySegment data, long offset, long before) {
                long after = Words.plain(data, offset);
                Words.plain(data, offset, before);
                simulation.at(simulation.nowNanos() + 3_000, () -> Words.plain(data, offset, after));
            }
        });
    }

    /**
     * An old image of a whole record comes back. Its checksum is valid. A client that has seen a newer image notices,
     * after some turns.
     */
    @Test
    void anImageThatComesBackIsCaught() {
        caught(10, 5 * TURNS, Faults.NONE, "records: a reader sees an older image", new Tampering(VerbKind.READ, 10) {
            private final long[] old = new long[RECORD_WORDS];

            @Override
            void begin(SimFabric simFabric) {
                Arrays.fill(old, 0);
                super.begin(simFabric);
            }

            @Override
            void tamper(MemorySegment data, long offset, long before) {
                if (data.address() != fabric.memory(0).region(0).data().address()) return;
                if (Words.plain(data, LOCK) != 0) return; // whole images only
                boolean restores = old[0] > 0 && random.nextBoolean();
                for (int i = 0; i < RECORD_WORDS; i++) {
                    if (restores) Words.plain(data, RECORD + 8L * i, old[i]);
                    else old[i] = Words.plain(data, RECORD + 8L * i);
                }
            }
        });
    }

    /** A CAS that answers what it did not do lets two in. */
    @Test
    void aSwapThatIsLostIsCaught() {
        caught(5, Faults.NONE, "", new Tampering(VerbKind.CAS, 100) {
            @Override
            void tamper(MemorySegment data, long offset, long before) {
                Words.plain(data, offset, before);
            }
        });
    }

    // ---- how

    /** Does something to memory when every n-th verb of a kind has taken effect. */
    private abstract static class Tampering implements VerbListener {
        private final VerbKind kind;
        private final int oneIn;
        tidepool.sim.Simulation simulation;
        SimFabric fabric;
        Randomness random;
        private final java.util.Map<String, Long> before = new java.util.HashMap<>();

        Tampering(VerbKind kind, int oneIn) {
            this.kind = kind;
            this.oneIn = oneIn;
        }

        void begin(SimFabric simFabric) {
            fabric = simFabric;
            simulation = simFabric.simulation();
            random = simulation.randomness("tampering");
            before.clear();
            simFabric.listen(this);
        }

        abstract void tamper(MemorySegment data, long offset, long before);

        boolean mayTamper(long offset) {
            return true;
        }

        /** Keeps the words that the verb is going to replace, as they are when it is posted. */
        @Override
        public void onPosted(VerbInFlight verb) {
            if (verb.kind() == kind) before.put(key(verb), Words.plain(data(verb), verb.offset()));
        }

        @Override
        public void onApplied(VerbInFlight verb) {
            if (verb.kind() != kind
                    || verb.length() != Words.BYTES
                    || !mayTamper(verb.offset())
                    || random.nextInt(oneIn) != 0) return;
            tamper(data(verb), verb.offset(), before.get(key(verb)));
        }

        private MemorySegment data(VerbInFlight verb) {
            return fabric.memory(verb.node()).region(0).data();
        }

        private static String key(VerbInFlight verb) {
            return verb.strandName() + " " + verb.strandVerb();
        }
    }

    private static void caught(int maxSeeds, Faults faults, String area, ClientRules rules) {
        caught(maxSeeds, faults, area, new VerbsSimulation(VerbsOptions.of(faults, TURNS), rules));
    }

    private static void caught(int maxSeeds, Faults faults, String area, Tampering tampering) {
        caught(maxSeeds, TURNS, faults, area, tampering);
    }

    private static void caught(int maxSeeds, int turns, Faults faults, String area, Tampering tampering) {
        caught(maxSeeds, faults, area, new VerbsSimulation(VerbsOptions.of(faults, turns)) {
            @Override
            protected void prepare(SimFabric fabric) {
                tampering.begin(fabric);
            }
        });
    }

    private static void caught(int maxSeeds, Faults faults, String area, VerbsSimulation broken) {
        for (long seed = 1; seed <= maxSeeds; seed++) {
            RunResult result = broken.run(seed);
            if (result.isClean()) continue;
            String what = result.violations().getFirst();
            System.out.printf(
                    "planted, faults %-7s caught by seed %2d of %2d: %s%n", faults.text(), seed, maxSeeds, what);
            assertTrue(what.startsWith(area), what);
            return;
        }
        fail("not caught in " + maxSeeds + " seeds");
    }
}
