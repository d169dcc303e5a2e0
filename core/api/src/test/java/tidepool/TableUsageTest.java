package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.store.RowReport;
import tidepool.store.TableLayout;
import tidepool.store.TableUsage;
import tidepool.txn.Txn;

/** The rows of a table are counted exactly, and the remaining versions show what was changed. */
class TableUsageTest {
    private static final long ALL = Long.MAX_VALUE;
    private static final Schema SCHEMA = Schema.parse("account(balance:long, owner:long, limit:long)");
    private static final LongField BALANCE = SCHEMA.longField("balance");
    private static final LongField OWNER = SCHEMA.longField("owner");

    @Test
    void rowsAndVersionsAreCounted() {
        try (Tidepool pool = Tidepool.open("mem:?protocol=motor&versions=4&nodes=2&replicas=2&memory=1m")) {
            TableLayout table = PoolAccess.layout(pool.table(SCHEMA, 100));
            for (long key = 1; key <= 10; key++) insert(pool, table, key);
            for (int i = 1; i <= 2; i++) change(pool, table, 1, i, 0);
            change(pool, table, 2, 5, 6);
            pool.transact(tx -> tx.raw().delete(table, 10));

            TableUsage usage = PoolAccess.usage(pool, table, ALL);

            assertEquals(9, usage.rows());
            assertEquals(1, usage.tombstones());
            assertEquals(usage.buckets() * table.slots() - 10, usage.empty());
            assertEquals(0, usage.torn());
            assertEquals(0, usage.overflowBuckets());
            assertEquals(10 + 2 + 1 + 1, usage.versions(), "ten were born, three changed, one deleted");
            assertEquals(2 * (24 + 8) + (24 + 16), usage.barBytes());
            assertEquals("2 balance, 1 balance+owner", usage.updates().text(SCHEMA));
        }
    }

    /** A sample of one pool decides about the table of another: 4 × 2 / 3 = 2 deltas of 8 bytes, 1 of 16. */
    @Test
    void aSampleDecidesAboutTheNextTable() {
        Schema sampled;
        try (Tidepool pool = Tidepool.open("mem:?protocol=motor&versions=4&nodes=1&replicas=1&memory=1m")) {
            TableLayout table = PoolAccess.layout(pool.table(SCHEMA, 100));
            insert(pool, table, 1);
            for (int i = 1; i <= 2; i++) change(pool, table, 1, i, 0);
            change(pool, table, 1, 5, 6);
            sampled = SCHEMA.withUpdates(PoolAccess.usage(pool, table, ALL).updates());
        }
        try (Tidepool pool = Tidepool.open("mem:?protocol=motor&versions=4&nodes=1&replicas=1&memory=1m")) {
            assertEquals(
                    "table account: 4 versions, bar 104 bytes (sampled: 2 × 8 + 1 × 16 bytes of attributes); 352 bytes"
                            + " a row, 14.7 times its value",
                    RowReport.of(PoolAccess.layout(pool.table(sampled, 100))));
        }
    }

    @Test
    void rowsOfOneVersionTellOfNoUpdates() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=1m")) {
            TableLayout table = PoolAccess.layout(pool.table(SCHEMA, 100));
            insert(pool, table, 1);
            change(pool, table, 1, 1, 0);

            TableUsage usage = PoolAccess.usage(pool, table, ALL);

            assertEquals(1, usage.rows());
            assertEquals(0, usage.versions());
            assertNull(usage.updates());
        }
    }

    private static void insert(Tidepool pool, TableLayout table, long key) {
        pool.transact(tx -> tx.raw().insert(table, key));
    }

    private static void change(Tidepool pool, TableLayout table, long key, long balance, long owner) {
        pool.transact(tx -> {
            Txn txn = tx.raw();
            int access = txn.update(table, key);
            tx.execute();
            MemorySegment memory = txn.memory();
            BALANCE.set(memory, txn.value(access), balance);
            OWNER.set(memory, txn.value(access), owner);
        });
    }
}
