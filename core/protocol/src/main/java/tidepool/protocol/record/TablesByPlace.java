package tidepool.protocol.record;

import java.util.List;
import tidepool.store.Catalog;
import tidepool.store.Pointer;
import tidepool.store.Role;
import tidepool.store.TableLayout;

/** The tables of a pool by the places of their objects, for recoverers: logs name objects by their place alone. */
public final class TablesByPlace {
    private final Catalog catalog;
    private List<TableLayout> tables = List.of();

    public TablesByPlace(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Returns the table of an object. May read the catalog and wait for it. */
    public TableLayout of(long pointer) {
        TableLayout known = find(pointer);
        if (known != null) return known;
        tables = catalog.tables(); // the table may have been created since
        TableLayout found = find(pointer);
        if (found != null) return found;
        throw new IllegalStateException("no table has an object at " + Pointer.text(pointer));
    }

    /** Returns the role of an object. May read the catalog and wait for it. */
    public Role role(long pointer) {
        return of(pointer).role(pointer);
    }

    private TableLayout find(long pointer) {
        for (TableLayout table : tables) if (table.contains(pointer)) return table;
        return null;
    }
}
