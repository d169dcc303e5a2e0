package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.schema.AttributeType;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.SchemaChange;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;

/** A table of which some rows have moved to another layout, and some have not, because the change was interrupted. */
final class HalfMoved {
    static final int ROWS = 400;

    record Account(
            @Key long id,
            int balance,
            @Length(1000) String note,
            @Length(150) String title) {}

    /** The interruption. */
    private static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private HalfMoved() {}

    /** Checks the rows of the table {@code accounts}, whichever of them have moved. */
    static void check(Tidepool pool) {
        Set<Account> found = new HashSet<>();
        pool.table("accounts", Account.class).pages(100).perPage().forEach(found::add);
        assertEquals(ROWS, found.size());
        for (int id = 0; id < ROWS; id++)
            assertTrue(found.contains(new Account(id, 10 * id, note(id), title(id))), "row " + id);
    }

    /** Makes the table {@code accounts}. Every tenth note lies in parts, and most titles do when they have moved. */
    static void make(Tidepool pool) {
        Table<Account> accounts = pool.table("accounts", Account.class, ROWS);
        for (int from = 0; from < ROWS; from += 50) {
            int first = from;
            pool.transact(tx -> {
                for (int id = first; id < first + 50; id++)
                    accounts.insert(tx, new Account(id, 10 * id, note(id), title(id)));
            });
        }
        SchemaChange change = new SchemaChange()
                .widen("balance", AttributeType.LONG)
                .widen("title", AttributeType.longstring(1 << 20))
                .add("level", AttributeType.INT, "3");
        assertThrows(
                Interrupted.class,
                () -> pool.alter("accounts", change, (moved, part) -> {
                    assertTrue(moved > 0 && moved < ROWS, "moved=" + moved);
                    assertTrue(part > 0 && part < 1, "part=" + part);
                    throw new Interrupted();
                }));
        assertNotNull(before(pool));
    }

    static String note(int id) {
        return (id + " ").repeat(id % 10 == 0 ? 50 : 2);
    }

    static String title(int id) {
        return ("title " + id + " ").repeat(id % 3 == 0 ? 1 : 12);
    }

    /** Returns the hidden table with the rows that have not moved; null if there is none. */
    static TableLayout before(Tidepool pool) {
        return PoolAccess.layout(pool.table("accounts")).before();
    }

    /** Plants a row that lies in both tables, past the layer that maps accesses. */
    static void plantRowInBoth(Tidepool pool) {
        TableLayout before = before(pool);
        assertNotNull(before);
        pool.transact(tx -> tx.raw().insert(PoolAccess.layout(pool.table("accounts")), 1_000));
        pool.transact(tx -> tx.raw().insert(before, 1_000));
    }
}
