package tidepool;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tidepool.store.StoreException;
import tidepool.store.TableInfo;
import tidepool.store.schema.Schema;

/** The tables of the pool that this process has asked for. Each is one object here, so that the usual look is a comparison. */
final class Tables {
    private final Sessions sessions;
    private final Map<String, TableInfo> byName = new ConcurrentHashMap<>();
    private volatile TableInfo[] byId = new TableInfo[0];

    Tables(Sessions sessions) {
        this.sessions = sessions;
    }

    /** The table of that schema; made if the pool has none. One that has other room is refused. Waits. */
    TableInfo open(Schema schema, long rows) {
        TableInfo table = byName.get(schema.name());
        if (table == null)
            return remember(sessions.mending(() -> sessions.catalog().table(schema, rows)));
        schema.requireSame(table.schema());
        sessions.mending(() -> {
            sessions.catalog().requireRoom(table, rows);
            return null;
        });
        return table;
    }

    /** The table of that schema with the room that it has; made for {@code rows} if the pool has none. Waits. */
    TableInfo openOfAnySize(Schema schema, long rows) {
        TableInfo table = byName.get(schema.name());
        if (table == null)
            return remember(sessions.mending(() -> sessions.catalog().tableOfAnySize(schema, rows)));
        schema.requireSame(table.schema());
        return table;
    }

    /** A table that the pool has. Waits. */
    TableInfo find(String name) {
        TableInfo table = byName.get(name);
        if (table != null) return table;
        List<TableInfo> all = all();
        for (TableInfo one : all) if (one.name().equals(name)) return one;
        throw new StoreException(
                StoreException.Reason.UNKNOWN_TABLE,
                "no such table: table=" + name + "; known: "
                        + String.join(
                                ", ", all.stream().map(TableInfo::name).sorted().toList()));
    }

    /** All tables of the pool. Waits. */
    List<TableInfo> all() {
        return sessions.mending(() -> sessions.catalog().tables()).stream()
                .map(this::remember)
                .toList();
    }

    private TableInfo remember(TableInfo found) {
        TableInfo table = byName.computeIfAbsent(found.name(), _ -> found);
        synchronized (byName) {
            TableInfo[] more = Arrays.copyOf(byId, Math.max(byId.length, table.id() + 1));
            more[table.id()] = table;
            byId = more;
        }
        return table;
    }

    /** Refuses a table of another pool: its places mean something else here. Waits, if it was not yet asked for here. */
    void require(TableInfo table) {
        if (table == null) throw new NullPointerException("a table is needed");
        if (byId(table.id()) == table) return;
        if (byId(table.id()) == null) all();
        TableInfo own = byId(table.id());
        if (own == null || !isSame(own, table))
            throw new IllegalArgumentException("not a table of this pool: table=" + table.name());
    }

    private TableInfo byId(int id) {
        TableInfo[] known = byId;
        return id < known.length ? known[id] : null;
    }

    /** Whoever else has opened the same pool has other objects for the same tables. */
    private static boolean isSame(TableInfo one, TableInfo other) {
        return one.base() == other.base()
                && one.buckets() == other.buckets()
                && one.slots() == other.slots()
                && one.overflow() == other.overflow()
                && one.schema().equals(other.schema());
    }
}
