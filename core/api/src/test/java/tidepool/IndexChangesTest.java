package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.schema.AttributeType;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Schema;
import tidepool.schema.SchemaChange;
import tidepool.spi.PoolAccess;
import tidepool.store.IndexNodes;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.TableHandle;

/** Indexes come and go with the schema of a table. Its rows stay where they are. */
class IndexChangesTest {
    public record Item(@Key long id, int price, int weight) {}

    public record Priced(@Key long id, @Index int price, int weight) {}

    public record Renamed(@Key long id, int cost, int weight) {}

    @Test
    void indexIsAddedWithinAFence() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2")) {
            Table<Item> items = pool.table("items", Item.class, 100);
            pool.transact(tx -> items.put(tx, new Item(1, 2, 3)));
            TableLayout before = PoolAccess.layout(items.handle());
            assertNull(pool.knownTables().indexNodes(before));
            String refusal = assertThrows(IllegalArgumentException.class, () -> pool.table("items", Priced.class))
                    .getMessage();
            assertTrue(refusal.contains("addIndex(\"price\", \"price\")"), refusal);

            pool.alter("items", new SchemaChange().addIndex("price", "price"));
            TableLayout after = PoolAccess.layout(pool.table("items"));
            assertEquals(
                    "items(price:int, weight:int) building index price#1(price)",
                    after.schema().toString());
            assertEquals(before.base(), after.base());
            assertNull(after.before());
            TableLayout nodes = pool.knownTables().indexNodes(after);
            assertEquals("items.index", nodes.name());
            assertEquals(IndexNodes.NODE_BYTES, nodes.valueBytes());
            assertSame(nodes, pool.knownTables().indexNodes(after));
            assertEquals(
                    List.of("items"),
                    pool.tables().stream().map(TableHandle::name).toList());
            assertEquals(new Item(1, 2, 3), pool.read(tx -> items.get(tx, 1)));
            assertEquals(new Priced(1, 2, 3), pool.read(tx -> pool.table("items", Priced.class)
                    .get(tx, 1)));

            // Other names of attributes leave the indexes as they are.
            pool.alter("items", Schema.of("items", Renamed.class));
            assertEquals(
                    "items(cost:int, weight:int) building index price#1(cost)",
                    pool.table("items").schema().toString());
            pool.rename("items", "goods");
            TableLayout goods = PoolAccess.layout(pool.table("goods"));
            assertEquals("goods.index", pool.knownTables().indexNodes(goods).name());
            pool.drop("goods");
            assertThrows(StoreException.class, () -> pool.table("goods"));
            assertEquals(List.of(), pool.knownTables().all());
        }
    }

    /** Both versions of a table whose rows move have the nodes of its indexes. */
    @Test
    void versionsOfATableShareTheNodes() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2")) {
            Table<Priced> items = pool.table("items", Priced.class, 100);
            for (long id = 0; id < 20; id++) {
                Priced item = new Priced(id, 5, 6);
                pool.transact(tx -> items.put(tx, item));
            }
            TableLayout before = PoolAccess.layout(items.handle());
            TableLayout nodes = pool.knownTables().indexNodes(before);
            SchemaChange change = new SchemaChange().widen("weight", AttributeType.LONG);
            new TableMigration(pool, "items").begin(change);
            TableLayout after = pool.knownTables().find("items");
            assertEquals("items.before", after.before().name());
            assertEquals(nodes.id(), pool.knownTables().indexNodes(after).id());
            assertEquals(
                    nodes.id(), pool.knownTables().indexNodes(after.before()).id());
            pool.alter("items", new SchemaChange());
            assertEquals(
                    "items(price:int, weight:long) index price#1(price)",
                    pool.table("items").schema().toString());
            assertEquals(
                    List.of("items", "items.index"),
                    pool.knownTables().all().stream()
                            .map(TableLayout::name)
                            .sorted()
                            .toList());
        }
    }
}
