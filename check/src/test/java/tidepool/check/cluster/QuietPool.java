package tidepool.check.cluster;

import tidepool.fabric.sim.SimFabric;
import tidepool.store.TableInfo;

/** The memory check of the cluster, for tables whose values are anybody's. */
public final class QuietPool {
    private QuietPool() {}

    public static void check(SimFabric fabric, TableInfo table) {
        new PoolCheck(fabric, table, false).check();
    }
}
