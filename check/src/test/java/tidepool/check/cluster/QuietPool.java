package tidepool.check.cluster;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.fabric.sim.SimFabric;
import tidepool.store.Pointer;
import tidepool.store.TableInfo;

/** Looks at the memory of a simulated pool when nobody works. */
public final class QuietPool {
    private QuietPool() {}

    /** The memory check of the cluster, for tables whose values are anybody's. */
    public static void check(SimFabric fabric, TableInfo table) {
        new PoolCheck(fabric, table, false).check();
    }

    /** Memory is in order and is what some order of the history leaves. What the victim left open is told. */
    static void check(SimFabric fabric, TableInfo table, ClusterHistory history, ClusterReport report) {
        check(new PoolCheck(fabric, table), table, history, report);
    }

    /** The same for a pool whose nodes may have changed. */
    static void check(PoolCheck pool, TableInfo table, ClusterHistory history, ClusterReport report) {
        pool.check();
        SerialOrder order =
                new SerialOrder(history, key -> Place.ofBucket(table.home(key)), pool.versions(), pool.contents());
        order.check();
        report.add("unknown that happened", order.unknownThatHappened());
        for (Attempt attempt : history.attempts())
            if (attempt.end == Attempt.End.OPEN && attempt.who.equals("victim")) report.add("victim unknown", 1);
    }

    /** Every replica of a table in the pool's two partitions, byte for byte: two that differ differ here. */
    static long image(SimFabric fabric, TableInfo table) {
        long sum = 0;
        PoolView view = new PoolView(fabric);
        for (int partition = 0; partition < 2; partition++)
            for (int r = 0; r < view.placement().replicas(); r++) {
                MemorySegment memory = view.replica(Pointer.of(partition, 64), r);
                sum = sum * 31 + Checksum64.of(memory, 0, table.base() + table.areaBytes(), 1);
            }
        return sum;
    }
}
