package tidepool.workload.measured;

import java.util.ArrayList;
import java.util.List;
import tidepool.Tidepool;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;

/** The tables of a workload in a pool. */
public final class PoolTables {
    private PoolTables() {}

    /**
     * Returns the tables in the order of their numbers. Creates those that the pool does not have. Waits for the pool.
     */
    public static List<TableLayout> open(Tidepool pool, MeasuredWorkload workload) {
        List<TableLayout> tables = new ArrayList<>();
        for (TableSpec table : workload.tables())
            tables.add(PoolAccess.layout(pool.table(table.schema(), table.rows())));
        return List.copyOf(tables);
    }
}
