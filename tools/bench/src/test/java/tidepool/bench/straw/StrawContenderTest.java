package tidepool.bench.straw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.bench.race.Contender;
import tidepool.bench.race.Trial;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

class StrawContenderTest {
    /** Figures next to a contender that does the work wrong would mean nothing. */
    @Test
    void itRunsWorkloadsAndTheirChecksHold() {
        for (String workload :
                List.of("kvs?records=200&objects=4&writes=50", "smallbank?accounts=100", "tatp?subscribers=200"))
            try (Contender contender = new StrawContender(Workloads.named(workload, Scale.PAPER))) {
                assertTrue(Trial.run(contender, 2, 3, 50) > 0, workload);
                assertEquals(List.of(), contender.check(), workload);
            }
    }
}
