package tidepool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tidepool.schema.Schema;
import tidepool.store.ContentParts;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.TableHandle;

/**
 * The tables of the pool that this process has asked for. Each is one object here, so that the usual check is one
 * comparison.
 */
final class TableRegistry {
    private final SessionManager sessions;
    private final Map<String, TableLayout> byName = new ConcurrentHashMap<>();
    private volatile TableLayout[] byId = new TableLayout[0];

    TableRegistry(SessionManager sessions) {
        this.sessions = sessions;
    }

    /**
     * Returns the table with this schema; makes it if the pool has none. Refuses a table with other room. Waits for the
     * catalog.
     */
    TableLayout open(Schema schema, long rows) {
        if (schema.isHidden())
            throw new IllegalArgumentException("a name with a dot is that of a hidden table: " + schema.name());
        TableLayout table = byName.get(schema.name());
        if (table == null)
            return remember(
                    sessions.retryAfterFabricFailure(() -> sessions.catalog().table(schema, rows)));
        schema.requireSame(table.schema());
        sessions.retryAfterFabricFailure(() -> {
            sessions.catalog().requireRoom(table, rows);
            return null;
        });
        return table;
    }

    /**
     * Returns the table with this schema, whatever its room; makes it for {@code rows} if the pool has none. Waits for
     * the catalog.
     */
    TableLayout openOfAnySize(Schema schema, long rows) {
        TableLayout table = byName.get(schema.name());
        if (table == null)
            return remember(
                    sessions.retryAfterFabricFailure(() -> sessions.catalog().tableOfAnySize(schema, rows)));
        schema.requireSame(table.schema());
        return table;
    }

    /** Returns a table of the pool. Waits for the catalog. */
    TableLayout find(String name) {
        TableLayout table = byName.get(name);
        if (table != null && !table.schema().isHidden()) return table;
        List<TableLayout> all =
                all().stream().filter(each -> !each.schema().isHidden()).toList();
        for (TableLayout one : all) if (one.name().equals(name)) return one;
        throw new StoreException(
                StoreException.Reason.UNKNOWN_TABLE,
                "no such table: table=" + name + "; known: "
                        + String.join(
                                ", ",
                                all.stream().map(TableLayout::name).sorted().toList()));
    }

    /** Returns all tables of the pool. Waits for the catalog. */
    List<TableLayout> all() {
        return sessions.retryAfterFabricFailure(() -> sessions.catalog().tables()).stream()
                .map(this::remember)
                .toList();
    }

    /** Returns the tables for the parts of long contents; null if no attribute can have any. Waits for the catalog. */
    ContentTables contents(TableLayout table) {
        return table.schema().contents().isEmpty() ? null : new ContentTables(table, hidden(table));
    }

    /** Returns the hidden tables of a table: that of small parts, then that of large ones. Waits for the catalog. */
    List<TableLayout> hidden(TableLayout table) {
        List<TableLayout> hidden = new ArrayList<>();
        for (String name : ContentParts.namesOf(table.schema())) hidden.add(hidden(name));
        return hidden;
    }

    private TableLayout hidden(String name) {
        TableLayout table = byName.get(name);
        if (table != null) return table;
        for (TableLayout one : all()) if (one.name().equals(name)) return one;
        throw new StoreException(StoreException.Reason.CORRUPT, "a hidden table of the pool is missing: " + name);
    }

    private TableLayout remember(TableLayout found) {
        TableLayout table = byName.computeIfAbsent(found.name(), _ -> found);
        synchronized (byName) {
            TableLayout[] more = Arrays.copyOf(byId, Math.max(byId.length, table.id() + 1));
            more[table.id()] = table;
            byId = more;
        }
        return table;
    }

    /**
     * Refuses a table of another pool: its places mean something else here. Waits for the catalog if the table was not
     * asked for here before. Returns its layout.
     */
    TableLayout require(TableHandle handle) {
        if (handle == null) throw new NullPointerException("a table is needed");
        if (!(handle instanceof TableLayout table)) throw foreign(handle);
        if (byId(table.id()) == table) return table;
        if (byId(table.id()) == null) all();
        TableLayout own = byId(table.id());
        if (own == null || !isSame(own, table)) throw foreign(table);
        return table;
    }

    private static IllegalArgumentException foreign(TableHandle table) {
        return new IllegalArgumentException("not a table of this pool: table=" + table.name());
    }

    private TableLayout byId(int id) {
        TableLayout[] known = byId;
        return id < known.length ? known[id] : null;
    }

    /** Compares two tables by content: each opening of a pool has its own objects for the tables. */
    private static boolean isSame(TableLayout one, TableLayout other) {
        return one.base() == other.base()
                && one.buckets() == other.buckets()
                && one.slots() == other.slots()
                && one.overflow() == other.overflow()
                && one.schema().equals(other.schema());
    }
}
