package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordVerbs;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorCoordinator;
import tidepool.protocol.motor.MotorVerbs;
import tidepool.protocol.record.RecordVerbs;
import tidepool.store.Catalog;

/** A split of a bucket at each verb of another transaction: of one that writes a row that moves, and of a lookup. */
class SplitInterleavingTest {
    private static final int MAX_VERBS = 60;

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    /** A split waits for no lock. It is given up, its insert takes overflow buckets, and the next wish splits. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void aRowThatIsLockedPutsTheSplitOff(String protocol) {
        SplitStage.Plan plan = SplitStage.Plan.of(protocol);
        int givenUp = 0;
        int split = 0;
        for (long verb = 0; ; verb++) {
            assertTrue(verb < MAX_VERBS, "the writer does not end");
            try (SplitStage stage = new SplitStage(protocol, plan)) {
                Seen seen = new Seen();
                stage.fabric.beforeVerb(stage.session, verb, () -> seen.look(stage, plan));
                stage.add(plan.moved().getLast());
                if (!stage.fabric.disarm()) break;
                if (seen.failure != null) throw new AssertionError(protocol + ", verb " + verb, seen.failure);
                assertTrue(seen.overflowAfter > seen.overflowBefore, "the insert took no overflow bucket: " + seen);
                if (seen.size == plan.size()) givenUp++;
                else split++;
                stage.insert(2_000_000);
                assertTrue(stage.layout.size(0) > plan.size(), "the next wish was not carried out, verb " + verb);
                stage.check();
            }
        }
        assertTrue(givenUp > 0, "no split was given up");
        assertTrue(split > 0, "no bucket was split next to the writer");
    }

    /** What happens next to the writer. A failure there would look like one of the fabric to the writer. */
    private static final class Seen {
        long size;
        long overflowBefore;
        long overflowAfter;
        Throwable failure;

        void look(SplitStage stage, SplitStage.Plan plan) {
            try {
                overflowBefore = stage.overflowBuckets();
                // They fill the bucket that is to be split, whatever room its chain has.
                stage.insert(plan.stays().stream().mapToLong(id -> id).toArray());
                size = stage.layout.size(0);
                overflowAfter = stage.overflowBuckets();
            } catch (Throwable e) {
                failure = e;
            }
        }

        @Override
        public String toString() {
            return "size=" + size + " overflow=" + overflowBefore + "," + overflowAfter;
        }
    }

    /** A row that moves is found at every moment, and a key without a row never. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void aLookupMeetsTheSplitBetweenItsSamples(String protocol) {
        int points = look(protocol, () -> Protocols.named(protocol));
        assertTrue(points > 8, "points " + points);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "motor"})
    void aBracketWithoutTheDepthIsNoticed(String protocol) {
        Planted planted = protocol.equals("ford") ? SplitInterleavingTest::ford : SplitInterleavingTest::motor;
        AssertionError noticed = assertThrows(AssertionError.class, () -> look(protocol, planted));
        assertTrue(noticed.getMessage().contains("is not found"), noticed.getMessage());
    }

    private interface Planted {
        Protocol make();
    }

    /** Returns the number of verbs before which a bucket was split. */
    private static int look(String protocol, Planted readers) {
        SplitStage.Plan plan = SplitStage.Plan.of(protocol);
        List<Long> keys = new ArrayList<>(plan.moved());
        keys.add(plan.goes().getFirst());
        int points = 0;
        for (long key : keys)
            for (long verb = 0; ; verb++) {
                assertTrue(verb < MAX_VERBS, "the reader does not end");
                try (SplitStage stage = new SplitStage(protocol, plan);
                        Tidepool reader = stage.another(readers.make())) {
                    int[] sessions = stage.fabric.control(0).sessions();
                    assertEquals(2, sessions.length);
                    int its = sessions[0] == stage.session ? sessions[1] : sessions[0];
                    Table<SplitStage.Row> rows = reader.table("rows", SplitStage.Row.class, 1);
                    for (long id = 0; id < plan.rows(); id++) {
                        long other = id; // it learns the size, and no address of the keys in question
                        if (!plan.moved().contains(id)) assertNotNull(reader.read(tx -> rows.get(tx, other)));
                    }
                    stage.fabric.beforeVerb(its, verb, () -> {
                        stage.insert(2_000_000);
                        assertEquals(plan.size() + 1, stage.layout.size(0), "the bucket was not split");
                    });
                    SplitStage.Row found = reader.read(tx -> rows.get(tx, key));
                    if (!stage.fabric.disarm()) break;
                    points++;
                    if (plan.moved().contains(key)) assertNotNull(found, key + " is not found, verb " + verb);
                    else assertNull(found, key + " was never inserted, verb " + verb);
                }
            }
        return points;
    }

    // ---- planted: a lookup to which a head with another depth is the same head (DEPTH_NOT_IN_BRACKET of the reader)

    /** Only a split changes the head in {@link #look}, so what is masked here is the depth. */
    private static boolean isStableButForTheDepth(long lock, long after) {
        return lock == 0 && after >= 0;
    }

    private static Protocol ford() {
        return new Ford() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new FordCoordinator(session, catalog, counters, options()) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return new FordVerbs(pool(), memory) {
                            @Override
                            public boolean isStable(long before, long lock, long after, long txn) {
                                return isStableButForTheDepth(lock, after);
                            }
                        };
                    }
                };
            }
        };
    }

    private static Protocol motor() {
        return new Motor() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new MotorCoordinator(session, catalog, counters, options()) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return new MotorVerbs(pool(), memory) {
                            @Override
                            public boolean isStable(long before, long lock, long after, long txn) {
                                return isStableButForTheDepth(lock, after);
                            }
                        };
                    }
                };
            }
        };
    }
}
