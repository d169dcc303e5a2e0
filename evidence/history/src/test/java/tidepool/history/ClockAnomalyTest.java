package tidepool.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static tidepool.history.AnomalyKind.*;
import static tidepool.history.Level.SERIALIZABILITY;

import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Cycles that need the order of a process or real time: they refute strict serializability alone. Each history is told
 * twice, with the two transactions in question in one process and in two, and once without the anomaly.
 */
class ClockAnomalyTest extends AnomalyContract {
    @Test
    void laterAppendInFrontIsG0() {
        assertOnly(
                G0_REALTIME,
                SERIALIZABILITY,
                new Script().run("append 1 1").run("append 1 2").run("r 1 [2,1]"));
        assertOnly(
                G0_PROCESS,
                SERIALIZABILITY,
                new Script().process(1, "append 1 1", "append 1 2").run("r 1 [2,1]"));

        assertClean(new Script().process(1, "append 1 1", "append 1 2").run("r 1 [1,2]"));
    }

    @Test
    void readFromTheFutureIsG1c() {
        assertOnly(G1C_REALTIME, SERIALIZABILITY, new Script().run("r 1 [1]").run("append 1 1"));
        assertOnly(G1C_PROCESS, SERIALIZABILITY, new Script().process(1, "r 1 [1]", "append 1 1"));

        assertClean(new Script().overlap("r 1 [1]", "append 1 1"));
    }

    @Test
    void staleReadIsGSingle() {
        assertOnly(
                G_SINGLE_REALTIME,
                SERIALIZABILITY,
                new Script().run("append 1 1").overlap("r 1 []", "r 1 [1]"));
        assertFound(
                G_SINGLE_PROCESS,
                SERIALIZABILITY,
                new Script().process(1, "append 1 1", "r 1 []").run("r 1 [1]"));

        assertClean(new Script().overlap("append 1 1", "r 1 []", "r 1 [1]"));
    }

    /** T1 -rw-> T2 -wr-> T3 -rw-> T4, and T4 had completed before T1 began. */
    @Test
    void separateAntiDependenciesAcrossTime() {
        assertOnly(G_NONADJACENT_REALTIME, SERIALIZABILITY, separate(4, 1));
        assertOnly(G_NONADJACENT_PROCESS, SERIALIZABILITY, separate(1, 1));
    }

    private static Script separate(int early, int late) {
        Script script = new Script();
        int t2 = script.invoke(2, "append 1 1");
        int t3 = script.invoke(3, "r 1 [1]; r 2 []");
        script.process(early, "append 2 1").process(late, "r 1 []");
        return script.ok(t2).ok(t3);
    }

    /** T1 -rw-> T2 -rw-> T3, and T3 completed before T1 began: a read-only transaction sees the later write only. */
    @Test
    void neighbouringAntiDependenciesAcrossTime() {
        assertOnly(G2_ITEM_REALTIME, SERIALIZABILITY, neighbours(3, 1, "r 1 []"));
        assertOnly(G2_ITEM_PROCESS, SERIALIZABILITY, neighbours(1, 1, "r 1 []"));

        assertClean(neighbours(3, 1, "r 1 [1]"));
    }

    private static Script neighbours(int early, int late, String lateRead) {
        Script script = new Script();
        int t2 = script.invoke(2, "r 2 []; append 1 1");
        script.process(early, "append 2 1").process(late, lateRead);
        return script.ok(t2);
    }

    /** An anomaly that is found without a clock is reported once. A stale read that only the clock shows is, too. */
    @Test
    void clockIsOnlyBlamedForWhatNeedsIt() {
        Verdict verdict = new Script()
                .overlap("append 1 1; append 2 1", "r 1 [1]; r 2 []")
                .run("append 3 1")
                .overlap("r 3 []", "r 3 [1]")
                .check();

        assertEquals(Map.of(G_SINGLE, 1L, G_SINGLE_REALTIME, 1L), verdict.totals(), verdict::report);
    }
}
