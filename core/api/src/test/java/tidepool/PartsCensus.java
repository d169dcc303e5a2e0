package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import tidepool.store.ContentParts;
import tidepool.store.RowAudit;
import tidepool.store.TableLayout;

/** A count of all parts of long contents: each belongs to exactly one row, and no row lacks one. */
final class PartsCensus {
    private PartsCensus() {}

    /** Checks the parts of a table in which no transaction runs. Returns their number. */
    static int check(Tidepool pool, Table<?> table) {
        RowAudit audit = new RowAudit();
        add(pool, table.layout(), audit);
        List<String> names = ContentParts.namesOf(table.layout().schema());
        for (TableLayout each : pool.knownTables().all()) if (names.contains(each.name())) add(pool, each, audit);
        assertEquals(List.of(), audit.problems());
        return audit.parts();
    }

    private static void add(Tidepool pool, TableLayout table, RowAudit audit) {
        RowPages.ofFields(pool, table, 10, (key, memory, value) -> {
                    audit.add(table, key, memory, value);
                    return true;
                })
                .forEach(_ -> {});
    }
}
