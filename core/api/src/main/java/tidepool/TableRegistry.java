package tidepool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.ContentParts;
import tidepool.store.IndexNodes;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.TableHandle;

/**
 * The tables of the pool that this process has asked for. Each is one object here, so that the usual check is one
 * comparison. A change of tables revokes the session of this process; {@link #refresh} runs before any transaction of
 * the next session, so what is known here holds as long as a session.
 */
final class TableRegistry {
    private final SessionManager sessions;
    private final Map<String, TableLayout> byName = new ConcurrentHashMap<>();
    private volatile TableLayout[] byId = new TableLayout[0];
    private volatile int generation;

    /** All tables that were ever known here and to which handles may still exist; guarded by {@link #byName}. */
    private final Set<TableLayout> known = Collections.newSetFromMap(new WeakHashMap<>());

    TableRegistry(SessionManager sessions) {
        this.sessions = sessions;
        sessions.whenTablesChanged(this::refresh);
    }

    /** Counts the changes of tables that this process has seen. */
    int generation() {
        return generation;
    }

    /**
     * Returns the table with this schema; makes it if the pool has none. Refuses a table with other room. Waits for the
     * catalog.
     */
    TableLayout open(Schema schema, long rows) {
        if (schema.isHidden())
            throw new IllegalArgumentException("a name with a dot is that of a hidden table: " + schema.name());
        TableLayout table = byName.get(schema.name());
        if (table == null) return remembered(catalog -> catalog.table(schema, rows));
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
        if (table == null) return remembered(catalog -> catalog.tableOfAnySize(schema, rows));
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
        return sessions.retryAfterFabricFailure(() -> sessions.catalog().namedTables().stream()
                .map(table -> table.isReady() ? table : sessions.catalog().table(table.name()))
                .map(this::remember)
                .toList());
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

    /** Returns the table for the nodes of the indexes of a table; null if it has none. Waits for the catalog. */
    TableLayout indexNodes(TableLayout table) {
        return table.schema().indexes().isEmpty() ? null : hidden(IndexNodes.nameOf(table.schema()));
    }

    private TableLayout hidden(String name) {
        TableLayout table = byName.get(name);
        if (table != null) return table;
        for (TableLayout one : all()) if (one.name().equals(name)) return one;
        throw new StoreException(StoreException.Reason.CORRUPT, "a hidden table of the pool is missing: " + name);
    }

    /** Returns a table that is read from the catalog, and kept here before the session can change. */
    private TableLayout remembered(Function<Catalog, TableLayout> read) {
        return sessions.retryAfterFabricFailure(() -> {
            TableLayout found = read.apply(sessions.catalog());
            return found == null ? null : remember(found);
        });
    }

    /** Only under the mutex of the sessions: otherwise a table could be kept that is no more. */
    private TableLayout remember(TableLayout found) {
        synchronized (byName) {
            TableLayout[] more = Arrays.copyOf(byId, Math.max(byId.length, found.id() + 1));
            TableLayout before = more[found.id()];
            boolean isSame = before != null && isUnchanged(before, found);
            TableLayout table = isSame ? before : found;
            more[table.id()] = table;
            byId = more;
            byName.put(table.name(), table);
            known.add(table);
            return table;
        }
    }

    /** Called when tables were changed. Objects of tables that have not changed stay. */
    private void refresh(Catalog catalog) {
        List<TableLayout> now = catalog.namedTables();
        synchronized (byName) {
            TableLayout[] before = byId;
            TableLayout[] after = new TableLayout[before.length];
            byName.clear();
            for (TableLayout table : now) {
                TableLayout had = table.id() < before.length ? before[table.id()] : null;
                if (had == null) continue;
                TableLayout kept = isUnchanged(had, table) ? had : table;
                after[table.id()] = kept;
                // An emptied table is asked for again, because its memory has to be clean before it is used.
                if (kept.isReady()) byName.put(kept.name(), kept);
                known.add(kept);
            }
            byId = after;
            generation = generation + 1; // only here, under the lock
        }
    }

    /** Returns a table as it is now, in its latest version. Waits for the catalog if that is not known here. */
    TableLayout latest(TableLayout table) {
        if (byId(table.id()) == table && table.isReady()) return table;
        for (TableLayout each : all()) {
            if (each.origin() != table.origin() || each.isBefore()) continue;
            if (each.name().equals(table.name())) return each;
            throw renamed(table, each);
        }
        throw dropped(table);
    }

    /** Returns a table that belongs to another one; null if there is none. Waits for the catalog. */
    TableLayout version(String name) {
        return sessions.retryAfterFabricFailure(() -> sessions.catalog().table(name));
    }

    private static StoreException dropped(TableLayout table) {
        return new StoreException(StoreException.Reason.UNKNOWN_TABLE, "table " + table.name() + " was dropped");
    }

    private static StoreException renamed(TableLayout table, TableLayout now) {
        return new StoreException(
                StoreException.Reason.UNKNOWN_TABLE,
                "table " + table.name() + " was renamed to " + now.name() + ": open it by that name");
    }

    /** Refuses a handle on fields, because its owner has offsets of a layout of before. */
    private static StoreException altered(TableLayout table, TableLayout now) {
        return new StoreException(
                StoreException.Reason.MISMATCH,
                "table " + now.name() + " was altered: open it again; stored=" + now.schema() + " here="
                        + table.schema());
    }

    private static boolean isUnchanged(TableLayout had, TableLayout now) {
        return had.isReady()
                && now.isReady()
                && had.isPlacedLike(now)
                && isJoinedLike(had, now)
                && had.schema().equals(now.schema());
    }

    /**
     * Returns a table as it is now. Refuses a table of another pool, because its places mean something else here, and
     * one that was dropped or has another name. Waits for the catalog if the table was not asked for here before, or
     * was emptied.
     */
    TableLayout require(TableHandle handle) {
        if (handle == null) throw new NullPointerException("a table is needed");
        if (!(handle instanceof TableLayout table)) throw foreign(handle);
        if (byId(table.id()) == table) return table;
        return resolve(table);
    }

    private TableLayout resolve(TableLayout table) {
        TableLayout own = byId(table.id());
        if (own == null || !own.isReady()) {
            all();
            own = byId(table.id());
        }
        boolean here = own != null && own.isOfTable(table);
        if (here && isSame(own, table)) return table;
        if (!isKnown(table) && !table.isBefore()) throw foreign(table); // applications have no predecessors
        if (here && own.name().equals(table.name())) return own;
        for (TableLayout each : all())
            if (each.id() != table.id() && each.origin() == table.origin() && !each.isBefore())
                throw altered(table, each);
        if (!here) throw dropped(table);
        throw renamed(table, own);
    }

    private boolean isKnown(TableLayout table) {
        synchronized (byName) {
            return known.contains(table);
        }
    }

    private static IllegalArgumentException foreign(TableHandle table) {
        return new IllegalArgumentException("not a table of this pool: table=" + table.name());
    }

    private TableLayout byId(int id) {
        TableLayout[] tables = byId;
        return id < tables.length ? tables[id] : null;
    }

    /** Compares two tables by content: each opening of a pool has its own objects for the tables. */
    private static boolean isSame(TableLayout one, TableLayout other) {
        return one.isPlacedLike(other)
                && isJoinedLike(one, other)
                && one.schema().equals(other.schema());
    }

    private static boolean isJoinedLike(TableLayout one, TableLayout other) {
        return (one.before() == null) == (other.before() == null);
    }
}
