package tidepool.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static tidepool.history.Level.SERIALIZABILITY;
import static tidepool.history.Level.SNAPSHOT_ISOLATION;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each kind of anomaly on lists in the smallest history that has it, and the same history without it. */
class ListAnomalyTest extends AnomalyContract {
    @Test
    void writeCycleIsG0() {
        Script script = new Script().overlap("append 1 1; append 2 1", "append 1 2; append 2 2");
        assertOnly(AnomalyKind.G0, null, script.run("r 1 [1,2]; r 2 [2,1]"));

        assertClean(new Script()
                .overlap("append 1 1; append 2 1", "append 1 2; append 2 2")
                .run("r 1 [1,2]; r 2 [1,2]"));
    }

    @Test
    void elementOfFailedTransactionIsG1a() {
        assertOnly(AnomalyKind.G1A, null, new Script().failed("append 1 1").run("r 1 [1]"));

        assertClean(new Script().failed("append 1 1").run("r 1 []"));
    }

    @Test
    void elementThatWasNotTheLastIsG1b() {
        assertFound(
                AnomalyKind.G1B,
                null,
                new Script().overlap("append 1 1; append 1 2", "r 1 [1]").run("r 1 [1,2]"));

        assertClean(new Script().overlap("append 1 1; append 1 2", "r 1 [1,2]").run("r 1 [1,2]"));
    }

    @Test
    void twoThatReadFromEachOtherAreG1c() {
        assertOnly(
                AnomalyKind.G1C,
                null,
                new Script()
                        .overlap("append 1 1; r 2 [1]", "append 2 1; r 1 [1]")
                        .run("r 1 [1]; r 2 [1]"));

        assertClean(new Script()
                .overlap("append 1 1; r 2 []", "append 2 1; r 1 [1]")
                .run("r 1 [1]; r 2 [1]"));
    }

    @Test
    void halfOfAnotherTransactionIsReadSkew() {
        Verdict verdict = assertOnly(
                AnomalyKind.G_SINGLE,
                null,
                new Script()
                        .overlap("append 1 1; append 2 1", "r 1 [1]; r 2 []")
                        .run("r 1 [1]; r 2 [1]"));
        assertEquals(2, verdict.anomalies().getFirst().transactions().size());

        assertClean(
                new Script().overlap("append 1 1; append 2 1", "r 1 []; r 2 []").run("r 1 [1]; r 2 [1]"));
    }

    /**
     * Two readers see two writers in different orders. No two anti-dependencies are neighbours, so even snapshot
     * isolation forbids it.
     */
    @Test
    void longForkIsGNonadjacent() {
        assertOnly(
                AnomalyKind.G_NONADJACENT,
                null,
                new Script().overlap("append 1 1", "append 2 1", "r 1 [1]; r 2 []", "r 1 []; r 2 [1]"));

        assertClean(new Script().overlap("append 1 1", "append 2 1", "r 1 [1]; r 2 []", "r 1 []; r 2 []"));
    }

    @Test
    void writeSkewIsG2AndLeavesSnapshotIsolation() {
        Verdict verdict = assertOnly(
                AnomalyKind.G2_ITEM,
                SNAPSHOT_ISOLATION,
                new Script().overlap("r 1 []; append 2 1", "r 2 []; append 1 1").run("r 1 [1]; r 2 [1]"));
        assertEquals(2, verdict.anomalies().getFirst().transactions().size());

        assertClean(new Script()
                .overlap("r 1 []; append 2 1", "r 2 [1]; append 1 1")
                .run("r 1 [1]; r 2 [1]"));
    }

    @Test
    void twoThatReplaceTheSameListAreLostUpdate() {
        assertFound(
                AnomalyKind.LOST_UPDATE,
                null,
                new Script().overlap("r 1 []; append 1 1", "r 1 []; append 1 2").run("r 1 [1,2]"));

        assertClean(new Script()
                .overlap("r 1 []; append 1 1", "r 1 [1]; append 1 2")
                .run("r 1 [1,2]"));
    }

    @Test
    void elementAfterFailedOneIsDirtyUpdate() {
        assertFound(
                AnomalyKind.DIRTY_UPDATE,
                null,
                new Script().failed("append 1 1").run("append 1 2").run("r 1 [1,2]"));

        assertClean(new Script().failed("append 1 1").run("append 1 2").run("r 1 [2]"));
    }

    @Test
    void ownElementThatIsNotSeenIsInternal() {
        assertFound(
                AnomalyKind.INTERNAL,
                null,
                new Script().run("append 1 1; r 1 []").run("r 1 [1]"));
        assertFound(AnomalyKind.INTERNAL, null, new Script().run("append 1 1").run("r 1 [1]; append 1 2; r 1 [2]"));

        assertClean(new Script().run("append 1 1; r 1 [1]").run("r 1 [1]; append 1 2; r 1 [1,2]"));
    }

    @Test
    void readThatChangesIsInternal() {
        assertFound(AnomalyKind.INTERNAL, null, new Script().overlap("append 1 1", "r 1 []; r 1 [1]"));

        assertClean(new Script().overlap("append 1 1", "r 1 [1]; r 1 [1]"));
    }

    /** Found by the oracle, seed 140: no other transaction is involved, so no cycle shows it. */
    @Test
    void ownElementSeenBeforeItIsAppendedIsInternal() {
        assertFound(
                AnomalyKind.INTERNAL,
                null,
                new Script().run("r 1 [1]; append 1 1").run("r 1 [1]"));
    }

    /** Found by the oracle, seed 1846. */
    @Test
    void ownElementsInWrongOrderAreInternal() {
        assertFound(
                AnomalyKind.INTERNAL,
                null,
                new Script().run("append 1 1; append 1 2").run("r 1 [2,1]"));

        assertClean(new Script().run("append 1 1; append 1 2").run("r 1 [1,2]"));
    }

    @Test
    void firstOfTwoOwnElementsMissingIsInternal() {
        assertFound(AnomalyKind.INTERNAL, null, new Script().overlap("append 1 1; append 1 2", "r 1 [2]"));
    }

    @Test
    void elementThatComesTwiceIsDuplicate() {
        assertOnly(
                AnomalyKind.DUPLICATE_ELEMENTS,
                null,
                new Script().run("append 1 1").run("r 1 [1,1]"));

        assertClean(new Script().run("append 1 1").run("r 1 [1]"));
    }

    @Test
    void listsThatDisagreeAreIncompatible() {
        Script writers = new Script().overlap("append 1 1", "append 1 2");
        assertOnly(AnomalyKind.INCOMPATIBLE_ORDER, null, writers.overlap("r 1 [1,2]", "r 1 [2,1]"));

        assertClean(new Script().overlap("append 1 1", "append 1 2").overlap("r 1 [1,2]", "r 1 [1,2]"));
    }

    @Test
    void elementThatWasNeverAppendedIsGarbage() {
        assertOnly(
                AnomalyKind.GARBAGE_READ, null, new Script().run("append 1 1").run("r 1 [1,99]"));

        assertClean(new Script().run("append 1 1").run("r 1 [1]"));
    }

    /** An acknowledged append that never shows up may come last in some order, but not in real time. */
    @Test
    void acknowledgedAppendMissingFromLaterReadIsLostWrite() {
        assertFound(
                AnomalyKind.LOST_WRITE,
                SERIALIZABILITY,
                new Script().run("append 1 1").run("r 1 []"));

        assertClean(new Script().run("append 1 1").run("r 1 [1]"));
        assertClean(new Script().overlap("append 1 1", "r 1 []"));
    }

    @Test
    void unknownTransactionSeenInPartIsHalfApplied() {
        assertFound(
                AnomalyKind.HALF_APPLIED,
                SERIALIZABILITY,
                new Script().unknown("append 1 1; append 2 1").run("r 1 [1]").run("r 2 []"));
        assertFound(
                AnomalyKind.HALF_APPLIED,
                null,
                new Script().unknown("append 1 1; append 2 1").run("r 1 [1]; r 2 []"));

        assertClean(new Script().unknown("append 1 1; append 2 1").run("r 1 []").run("r 2 []"));
        assertClean(new Script().unknown("append 1 1; append 2 1").run("r 2 []").run("r 1 [1]"));
        assertClean(new Script().unknown("append 1 1; append 2 1").run("r 1 [1]; r 2 [1]"));
    }

    /** A transaction of unknown outcome may take effect after its completion. */
    @Test
    void unknownTransactionMayTakeEffectLater() {
        assertClean(new Script()
                .unknown("append 1 1")
                .run("r 1 []")
                .run("append 1 2")
                .run("r 1 [2,1]"));
    }

    /** But not before it was invoked. */
    @Test
    void unknownTransactionTakesNoEffectBeforeItsInvocation() {
        assertFound(
                AnomalyKind.G1C_REALTIME,
                SERIALIZABILITY,
                new Script().run("r 1 [1]").unknown("append 1 1"));
    }

    /** The reader itself appends the unseen element: no cycle with itself. */
    @Test
    void unseenAppendsOfReadersThemselvesAreNoCycle() {
        assertClean(new Script().overlap("r 1 []; append 1 1", "append 1 2"));
        assertClean(new Script().run("append 1 1").overlap("r 1 [1]; append 1 2", "r 1 [1]"));
    }

    /** No read sees the two appends, but each transaction read before the other's append. That is enough. */
    @Test
    void writeSkewIsFoundWithoutFinalReads() {
        assertFound(
                AnomalyKind.G2_ITEM,
                SNAPSHOT_ISOLATION,
                new Script().overlap("r 1 []; append 2 1", "r 2 []; append 1 1"));
    }

    /**
     * Found by the oracle, seed 78433. No read saw the two appends to key 2. The transaction that had read the end made
     * the first of them, so the last transaction closes the cycle for the one in the middle.
     */
    @Test
    void unseenAppendOfOneWhoReadTheEndIsTheNext() {
        assertFound(
                AnomalyKind.G_NONADJACENT,
                null,
                new Script().overlap("append 1 1", "r 2 []; append 2 1", "append 2 2; r 1 []", "r 1 [1]; r 2 []"));

        assertClean(new Script().overlap("append 1 1", "r 2 []; append 2 1", "append 2 2; r 1 [1]", "r 1 [1]; r 2 []"));
    }

    /**
     * Two read skews that share a transaction look like one cycle with neighbouring anti-dependencies, which they are
     * not.
     */
    @Test
    void figureOfEightIsNoWriteSkew() {
        Script script = new Script()
                .overlap("r 1 []; r 2 [1]", "append 1 1; append 2 1; r 3 []; append 4 2", "append 3 1; append 4 1")
                .run("r 4 [1,2]; r 1 [1]; r 3 [1]");
        Verdict verdict = assertFound(AnomalyKind.G_SINGLE, null, script);

        assertEquals(Map.of(AnomalyKind.G_SINGLE, 2L), verdict.totals(), verdict::report);
    }

    @Test
    void storyNamesTransactionsKeysAndReasons() {
        String report = new Script()
                .overlap("append 1 1; append 2 1", "r 1 [1]; r 2 []")
                .run("r 1 [1]; r 2 [1]")
                .check()
                .report();

        assertTrue(report.contains("T0 (line 1, process 100, ok at line 3): append 1 1, append 2 1"), report);
        assertTrue(report.contains("T0 -wr-> T1: T1 read key 1 as [1], where T0 appended 1 to key 1"), report);
        assertTrue(
                report.contains("T1 -rw-> T0: T1 read key 2 as null, and did not see that T0 appended 1 to key 2"),
                report);
    }
}
