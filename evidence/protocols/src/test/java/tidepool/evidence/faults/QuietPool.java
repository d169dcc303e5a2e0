package tidepool.evidence.faults;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.clusters.ClusterHistory;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.PoolCheck;
import tidepool.clusters.PoolView;
import tidepool.clusters.RecordedAttempt;
import tidepool.clusters.SerialOrder;
import tidepool.clusters.VersionedPlace;
import tidepool.sim.SimFabric;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;

/** Checks the memory of a simulated pool in which no transaction runs. */
public final class QuietPool {
    private QuietPool() {}

    /** Runs the memory check of the cluster, for tables with any values. */
    public static void check(SimFabric fabric, TableLayout table) {
        new PoolCheck(fabric, table, false).check();
    }

    /**
     * Checks that the memory is in order and is the result of some order of the history. Reports what the victim left
     * open.
     */
    static void check(SimFabric fabric, TableLayout table, ClusterHistory history, ClusterReport report) {
        check(new PoolCheck(fabric, table), table, history, report);
    }

    /**
     * Checks a pool whose nodes may have changed: its memory, and that it is the result of some order of the history.
     */
    static void check(PoolCheck pool, TableLayout table, ClusterHistory history, ClusterReport report) {
        pool.check();
        SerialOrder order = new SerialOrder(
                history, key -> VersionedPlace.ofBucket(table.home(key)), pool.versions(), pool.contents());
        order.check();
        report.add("unknown that happened", order.unknownThatHappened());
        for (RecordedAttempt attempt : history.attempts())
            if (attempt.end == RecordedAttempt.End.OPEN && attempt.who.equals("victim"))
                report.add("victim unknown", 1);
    }

    /**
     * Returns a hash of every replica of a table in the pool's two partitions, byte for byte: it differs if one byte
     * does.
     */
    static long image(SimFabric fabric, TableLayout table) {
        long sum = 0;
        PoolView view = new PoolView(fabric);
        for (int partition = 0; partition < 2; partition++)
            for (int r = 0; r < view.placement().replicas(); r++) {
                MemorySegment memory = view.replica(Pointer.of(partition, 64), r);
                for (TableLayout.Area area : table.areas())
                    sum = sum * 31 + Checksum64.of(memory, area.base(), area.bytes(), 1);
            }
        return sum;
    }
}
