package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;

/** Recovery of sessions that have left nothing, and its rehearsal. Operators read its report; it repairs nothing. */
class EmptyRecoveryTest {
    private final Ford ford = new Ford();

    private Catalog open(Fabric fabric, Session session) {
        return Catalog.open(fabric, session, new PoolOptions("ford", 1, 1, 1 << 16, 8, 4096));
    }

    /** A report that counts a lock would make an operator look for a transaction that never existed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aSessionWithoutLocksIsReportedWithNone(int nodes) {
        try (Fabric fabric = Fabric.open("mem:?nodes=" + nodes)) {
            Session dead = fabric.attach();
            ford.coordinator(dead, open(fabric, dead), new TxnCounter());
            Session session = fabric.attach();

            Recovery.Report report =
                    ford.recovery(session, open(fabric, session)).recover(dead.number());

            assertEquals(new Recovery.Report(dead.number(), 1, 0, 0, 0, 0, 0, 0, report.times()), report);
        }
    }

    /**
     * A trial that is revoked at node 0 would be in its list, from which other sessions take the sessions to recover.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aRehearsalRevokesItsTrialAtTheLastOfSeveralNodes(int nodes) {
        try (Fabric fabric = Fabric.open("mem:?nodes=" + nodes)) {
            Session session = fabric.attach();
            Recovery recovery = ford.recovery(session, open(fabric, session));
            Session trial = fabric.attach();

            Recovery.Report report = recovery.rehearse(trial.number());

            assertEquals(new Recovery.Report(trial.number(), 0, 0, 0, 0, 0, 0, 0, report.times()), report);
            for (int node = 0; node < nodes; node++) {
                List<Integer> listed =
                        Arrays.stream(fabric.control(node).sessions()).boxed().toList();
                boolean isLast = nodes > 1 && node == nodes - 1;
                assertEquals(!isLast, listed.contains(trial.number()), "in the list of node " + node);
            }
        }
    }
}
