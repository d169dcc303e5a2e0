package tidepool;

import tidepool.store.TableLayout;
import tidepool.store.TableUsage;

/**
 * The size of a table.
 *
 * <pre>{@code
 * TableSize size = pool.size("accounts");
 * System.out.println(size.rows() + " rows in " + size.bytes() + " bytes");
 * }</pre>
 *
 * @param table its name
 * @param rows its rows; exact while no transaction changes the table
 * @param room the number of rows for which it was made, if they spread evenly
 * @param bytes the memory that it takes, of one copy of all partitions
 */
public record TableSize(String table, long rows, long room, long bytes) {
    static TableSize of(TableLayout table, TableUsage usage) {
        return new TableSize(table.name(), usage.rows(), table.rows(), table.bytes() * table.partitions());
    }

    /** Returns this size with that of the table from which rows move. */
    TableSize plus(TableSize before) {
        return new TableSize(table, rows + before.rows, room, bytes + before.bytes);
    }
}
