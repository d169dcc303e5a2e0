package tidepool.evidence.endurance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.endurance.Churn;
import tidepool.evidence.ford.KeepingFord;
import tidepool.evidence.ford.PlantedBug;
import tidepool.protocol.Protocols;
import tidepool.testkit.Effort;

/** Fresh keys in and old keys out: a table that is half full stays so, for ever, and whichever machines die. */
class ChurnTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final int CAPACITY = 64;

    /** Rows that come, in a table for 64. */
    private static final long INSERTS = Effort.of(3_000, 4_000, 250_000);

    private static final int MAX_PLANTED_SEEDS = 8;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(java.util.logging.Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ford",
                "ford?locking=separate",
                "ford?flush=selective",
                "ford-lv?vcachebytes=4k",
                "farm",
                "drtmh",
                "farmv2",
                "motor",
                "motor?isolation=snapshot",
                "hdtx"
            })
    void aTableThatIsHalfFullStaysSo(String protocol) {
        for (long each : Effort.seeds(1, 1, 8).toArray()) {
            long seed = each + protocol.length(); // so that a run of all protocols draws several adversaries
            Churn.Report report = Churn.run(() -> Protocols.named(protocol), seed, CAPACITY, INSERTS);

            assertEquals(List.of(), report.faults(), "seed " + seed);
            assertTrue(report.inserts() >= INSERTS, "" + report.inserts());
            assertTrue(report.usage().freeBuckets() > 0, "some chains were longer than a bucket, and are not any more");
            assertTrue(report.deaths() > INSERTS / 400, "machines died: " + report.deaths());
            assertTrue(report.cutOff() > 0, "no transaction was cut off");
        }
    }

    /** A check must be able to fail: a transaction that was cut off is found in part, or its locks stay. */
    @ParameterizedTest
    @EnumSource(names = {"RECOVERY_ALWAYS_ROLLS_BACK", "NO_INTENT"})
    void recoveriesThatAreWrongAreNoticed(PlantedBug bug) {
        List<String> faults = new ArrayList<>();
        for (long seed = 1; seed <= MAX_PLANTED_SEEDS && faults.isEmpty(); seed++) {
            faults.addAll(Churn.run(bug, seed, CAPACITY, INSERTS).faults());
        }
        assertFalse(faults.isEmpty(), "found by no seed");
    }

    /** A check must be able to fail: buckets that are empty stay in their chains, until there are no others. */
    @Test
    void bucketsThatAreNeverUnlinkedAreNoticed() {
        Churn.Report report = Churn.run(KeepingFord::new, Effort.firstSeed(), CAPACITY, INSERTS);

        assertTrue(
                report.faults().stream()
                        .anyMatch(fault -> fault.matches("overflow buckets without a row: .*|.*table row is full.*")),
                report.faults().toString());
    }
}
