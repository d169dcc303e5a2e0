package tidepool.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.sim.CostProfile;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/** The runs of Fig. 19 of Motor: a part fails, the others continue, and nothing is lost. */
class FaultRunTest {
    private static final FaultRun.Length LENGTH = new FaultRun.Length(1, 59);

    private static FaultRun run(FaultRun.Fault fault, FaultRun.Length length, long seed) {
        CostProfile costs = ProfileFile.motor().costs().withLease(1_000_000).withDeadline(300_000);
        LabProfile profile = new LabProfile(costs, ProfileFile.motor().coordinator(), false);
        return new FaultRun(
                "a run",
                fault,
                length,
                Workloads.named("tpcc?warehouses=4&customers=20&items=200&orders=4000", Scale.PAPER),
                "motor?versions=3",
                profile,
                seed);
    }

    /**
     * The timeline shows the failure and its end. A timeline of a pool that loses orders would be worth nothing. The
     * books of dead clients are not known.
     */
    @Tag("full")
    @ParameterizedTest
    @EnumSource(FaultRun.Fault.class)
    void whatFailsIsSeenAndPassesAndNothingIsLost(FaultRun.Fault fault) {
        FaultRun run = run(fault, LENGTH, 1);
        List<String> wrong = run.runAndCheck();
        if (fault == FaultRun.Fault.COORDINATORS)
            wrong = wrong.stream().filter(text -> !text.startsWith("book")).toList();
        assertEquals(List.of(), wrong);

        List<Results.Point> points = run.points();
        assertEquals(LENGTH.before() + LENGTH.after(), points.size());
        long before = points.getFirst().sample().commits();
        long worst = points.stream().mapToLong(p -> p.sample().commits()).min().orElseThrow();
        assertTrue(before > 0 && worst < before / 2, "nobody noticed: " + points);
        assertTrue(points.getLast().sample().commits() > worst, "it does not pass: " + points);
    }

    @Test
    void theSameSeedIsTheSameTimeline() {
        FaultRun.Length some = new FaultRun.Length(1, 3);
        List<Results.Point> first = run(FaultRun.Fault.COORDINATORS, some, 1).run();
        assertEquals(first, run(FaultRun.Fault.COORDINATORS, some, 1).run());
        assertNotEquals(first, run(FaultRun.Fault.COORDINATORS, some, 2).run());
    }
}
