package tidepool.workload.measured;

import java.util.ArrayList;
import java.util.List;
import tidepool.Tidepool;
import tidepool.store.TableInfo;

/** The tables of a workload in a pool. */
public final class PoolTables {
    private PoolTables() {}

    /** The tables in the order of their numbers; those that the pool does not have are made. Waits. */
    public static List<TableInfo> open(Tidepool pool, MeasuredWorkload workload) {
        List<TableInfo> tables = new ArrayList<>();
        for (TableSpec table : workload.tables()) tables.add(pool.table(table.schema(), table.rows()));
        return List.copyOf(tables);
    }
}
