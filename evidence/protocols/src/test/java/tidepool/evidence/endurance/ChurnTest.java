package tidepool.evidence.endurance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.endurance.Churn;
import tidepool.protocol.Protocols;
import tidepool.testkit.Effort;

/** Fresh keys in and old keys out: a table that is half full stays so, for ever. */
class ChurnTest {
    private static final int CAPACITY = 64;

    /** Rows that come, in a table for 64. */
    private static final long INSERTS = Effort.of(2_000, 6_000, 1_000_000);

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
        Churn.Report report = Churn.run(() -> Protocols.named(protocol), Effort.firstSeed(), CAPACITY, INSERTS);

        assertEquals(List.of(), report.faults());
        assertTrue(report.inserts() >= INSERTS, "" + report.inserts());
        assertTrue(report.use().freeBuckets() > 0, "some chains were longer than a bucket, and are not any more");
    }
}
