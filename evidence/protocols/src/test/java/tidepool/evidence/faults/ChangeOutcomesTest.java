package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.fabric.FabricException;
import tidepool.protocol.Coordinator;
import tidepool.testkit.Effort;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * A change of nodes records the outcomes of open transactions alone. Otherwise the last transaction of every
 * coordinator would be recorded at every change, and outcomes that clients still ask for would be overwritten: a pool
 * keeps as many as it may have coordinators.
 */
class ChangeOutcomesTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final int NODES = 3;
    private static final int COORDINATORS = 12;
    private static final int ROWS = 3 * COORDINATORS;

    /** Verbs from one point to the next, where a node is lost too. */
    private static final int STEP = Effort.of(5, 3, 1);

    /** No node is lost: the members change, or one of them leaves and is replaced. */
    private static final int NONE = -1;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    static Stream<String> protocols() {
        return Stream.of(
                "ford",
                "ford-lv",
                "farm",
                "farmv2",
                "drtmh",
                "motor",
                "motor?isolation=snapshot",
                "hdtx",
                "hdtx?reads=locked");
    }

    /**
     * Each coordinator has ended transactions on rows of two primaries. One of them remains, whichever node is lost.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void transactionsThatHadEndedAreNotRecorded(String protocol) {
        for (int lost = NONE; lost < NODES; lost++)
            try (RecoveryStage stage = new RecoveryStage(protocol, ROWS, COORDINATORS)) {
                end(stage, rows(stage));
                change(stage, lost);
                assertEquals(0, stage.outcomesRecorded(), "node lost: " + lost);
                change(stage, NONE);
                assertEquals(0, stage.outcomesRecorded(), "the second change has nothing to record");
            }
    }

    /**
     * Motor's tuples have no marks. If all primaries of an ended transaction are lost, it looks like an open one. There
     * is one such transaction of each coordinator at the most.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void atMostOneOfEachCoordinatorIsRecorded(String protocol) {
        for (int lost = NONE; lost < NODES; lost++)
            try (RecoveryStage stage = new RecoveryStage(protocol, ROWS, COORDINATORS)) {
                List<Long> single = new ArrayList<>();
                for (long[] pair : rows(stage)) single.add(pair[0]);
                end(stage, single.stream().map(key -> new long[] {key}).toList());
                int node = lost;
                long alone = single.stream()
                        .filter(key -> stage.primary(key) == node)
                        .count();
                assertTrue(lost == NONE || alone > 0 && alone < single.size(), "primaries at node " + lost);
                change(stage, lost);
                assertEquals(protocol.startsWith("motor") ? alone : 0, stage.outcomesRecorded(), "node lost: " + lost);
            }
    }

    /**
     * The client is cut off at each verb of a commit, next to coordinators whose transactions have ended. Its outcome
     * is recorded, and no other one.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void anOpenTransactionIsRecorded(String protocol) {
        int happened = 0;
        int undone = 0;
        for (int lost = NONE; lost < NODES; lost++)
            for (long verb = 0; ; verb += lost == NONE ? 1 : STEP)
                try (RecoveryStage stage = new RecoveryStage(protocol, ROWS, COORDINATORS)) {
                    List<long[]> rows = rows(stage);
                    end(stage, rows.subList(1, rows.size()));
                    stage.fabric.cutAt(stage.session.number(), verb, true);
                    Outcome told;
                    Txn txn = stage.client.begin();
                    try {
                        told = stage.adds(txn, 1, rows.getFirst()).commit();
                    } catch (FabricException e) {
                        told = Outcome.ABORTED;
                    }
                    boolean cut = stage.fabric.disarm();
                    change(stage, lost);
                    String where = "cut off at verb " + verb + ", node lost: " + lost;
                    int outcome = stage.outcome(txn.id());
                    assertEquals(outcome == 0 ? 0 : 1, stage.outcomesRecorded(), where);
                    long value = stage.get(stage.another(), rows.getFirst()[0]);
                    if (outcome != 0) assertEquals(outcome == 1 ? 1 : 0, value, where);
                    // Without a record a client takes its transaction for one that has touched nothing.
                    if (told == Outcome.UNKNOWN && value == 1) assertEquals(1, outcome, where);
                    if (told == Outcome.UNKNOWN && outcome == 1) happened++;
                    if (outcome == 2) undone++;
                    if (!cut) break;
                }
        System.out.println(protocol + ": recorded as happened " + happened + ", as undone " + undone);
        assertTrue(happened > 0, "no transaction was open and had happened");
    }

    /** Returns two rows of each coordinator, with different primaries. */
    private static List<long[]> rows(RecoveryStage stage) {
        List<List<Long>> keys = new ArrayList<>();
        for (int node = 0; node < NODES; node++) keys.add(new ArrayList<>());
        for (long key = 0; key < ROWS; key++) keys.get(stage.primary(key)).add(key);
        List<long[]> rows = new ArrayList<>();
        for (int c = 0; c < COORDINATORS - 2; c++)
            rows.add(new long[] {
                keys.get(c % NODES).removeFirst(), keys.get((c + 1) % NODES).removeFirst()
            });
        return rows;
    }

    /** Ends transactions of a coordinator of its own on each of these rows. Their locks are free. */
    private static void end(RecoveryStage stage, List<long[]> rows) {
        for (long[] keys : rows) {
            Coordinator coordinator = stage.sibling();
            for (int times = 0; times < 3; times++)
                assertEquals(Outcome.COMMITTED, stage.adds(coordinator, 0, keys).commit());
            stage.get(coordinator, keys[0]);
        }
    }

    private static void change(RecoveryStage stage, int lost) {
        if (lost == NONE) stage.change();
        else stage.change(lost);
    }
}
