package tidepool.protocol.record;

import java.util.List;
import tidepool.store.Catalog;
import tidepool.store.Pointer;
import tidepool.store.Role;
import tidepool.store.TableInfo;

/** The tables of a pool by the places of their objects, for recoverers: logs name objects by place and by nothing else. */
public final class TablesByPlace {
    private final Catalog catalog;
    private List<TableInfo> tables = List.of();

    public TablesByPlace(Catalog catalog) {
        this.catalog = catalog;
    }

    /** The table of an object. May ask the catalog, which waits. */
    public TableInfo of(long pointer) {
        TableInfo known = find(pointer);
        if (known != null) return known;
        tables = catalog.tables(); // it may have been made since
        TableInfo found = find(pointer);
        if (found != null) return found;
        throw new IllegalStateException("no table has an object at " + Pointer.text(pointer));
    }

    /** The part that an object plays. May ask the catalog, which waits. */
    public Role role(long pointer) {
        return of(pointer).role(pointer);
    }

    private TableInfo find(long pointer) {
        for (TableInfo table : tables) if (table.contains(pointer)) return table;
        return null;
    }
}
