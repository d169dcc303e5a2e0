package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocols;
import tidepool.schema.AttributeType;
import tidepool.schema.Key;
import tidepool.schema.Schema;
import tidepool.schema.SchemaChange;
import tidepool.spi.PoolAccess;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.store.TableChange;

/** A table is altered while another process changes it, too. */
class AlteredByTwoTest {
    private static final SchemaChange CHANGE = new SchemaChange().widen("stars", AttributeType.LONG);

    public record Row(@Key long id, int stars, String text) {}

    /**
     * The table is emptied between the first half of the change, which makes a table for the rows, and the second, by a
     * process that dies before the memory of the rows is zero. Rows that are gone do not move: otherwise they would
     * come back, without the parts of their contents.
     */
    @Test
    void changeIsRefusedIfTheTableIsEmptiedMeanwhile() {
        try (Fabric fabric = Fabric.open("mem:?nodes=2");
                Tidepool first = open(fabric);
                Tidepool second = open(fabric)) {
            Table<Row> rows = filled(first);
            second.changes(new TableChanges(second.sessions()) {
                @Override
                void make(String what, Predicate<TableChange> prepare) {
                    empty(first);
                    super.make(what, prepare);
                }
            });

            StoreException refused = assertThrows(StoreException.class, () -> second.alter("rows", CHANGE));

            assertEquals("table rows is being emptied: try again", refused.getMessage());
            assertNull(first.knownTables().find("rows").before());
            second.changes(new TableChanges(second.sessions()));
            second.alter("rows", CHANGE);
            assertEquals(0, second.size("rows").rows());
            first.transact(tx -> rows.insert(tx, new Row(3, 7, "new")));
            PartsCensus.check(second, second.table("rows", Row.class));
        }
    }

    /** Two processes want different layouts: the second one is told so, and may try again. */
    @Test
    void secondOfTwoChangesIsRefused() {
        try (Fabric fabric = Fabric.open("mem:?nodes=2");
                Tidepool first = open(fabric);
                Tidepool second = open(fabric)) {
            filled(first);
            Schema stored = first.table("rows").schema();
            Schema next = new SchemaChange().add("more", AttributeType.INT, "1").apply(stored);
            Runnable makesNext = () -> first.sessions()
                    .retryAfterFabricFailure(
                            () -> first.sessions().catalog().tableOfAnySize(next.named("rows.next"), 20));
            makesNext.run();
            second.changes(new TableChanges(second.sessions()) {
                @Override
                void make(String what, Predicate<TableChange> prepare) {
                    super.make(what, prepare);
                    makesNext.run();
                }
            });

            StoreException refused = assertThrows(StoreException.class, () -> second.alter("rows", CHANGE));

            assertEquals("table rows is being altered by another process: try again", refused.getMessage());
            assertEquals(StoreException.Reason.BUSY, refused.reason());
            second.changes(new TableChanges(second.sessions()));
            second.alter("rows", CHANGE);
            assertEquals(10, second.size("rows").rows());
        }
    }

    private static Table<Row> filled(Tidepool pool) {
        Table<Row> rows = pool.table("rows", Row.class, 20);
        pool.transact(tx -> {
            for (int id = 0; id < 10; id++) rows.put(tx, new Row(id, id, "word ".repeat(40 * id)));
        });
        return rows;
    }

    /** Empties the table as a process does that dies before it has zeroed memory. */
    private static void empty(Tidepool pool) {
        pool.changes(new TableChanges(pool.sessions()) {
            @Override
            void clean(Catalog catalog) {
                // The process is dead.
            }
        });
        pool.truncate("rows");
    }

    private static Tidepool open(Fabric fabric) {
        return PoolAccess.open(fabric, new PoolOptions("ford", 2, 2, 2 << 20, 8, 64 * 1024), Protocols.named("ford"));
    }
}
