package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Nullable;
import tidepool.schema.SchemaChange;
import tidepool.schema.Unique;

/** Two rows of one transaction are as unique as those of two, and an index on rows that are there is so as well. */
class UniqueIndexTest {
    record Plain(@Key long id, @Nullable @Length(12) String code, long count) {}

    record Item(@Key long id, @Nullable @Unique @Length(12) String code, long count) {}

    private static final int ROWS = 200;

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    private static Tidepool open(String protocol) {
        return Tidepool.open("mem:?nodes=2&replicas=2&memory=16m&coordinators=16&protocol=" + protocol);
    }

    private static void fill(Tidepool pool, Table<Plain> items) {
        for (int from = 0; from < ROWS; from += 20) {
            int first = from;
            pool.transact(tx -> {
                for (int id = first; id < first + 20; id++)
                    items.insert(tx, new Plain(id, id % 10 == 0 ? null : "code" + id, 0));
            });
        }
    }

    /** The index has neither row yet when both are looked for. */
    @ParameterizedTest
    @MethodSource("protocols")
    void twoRowsOfOneTransactionAreRefused(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Item> items = pool.table("items", Item.class);
            assertThrows(
                    DuplicateKeyException.class,
                    () -> pool.transact(tx -> {
                        items.insert(tx, new Item(1, "same", 0));
                        items.insert(tx, new Item(2, "same", 0));
                    }));
            assertThrows(
                    DuplicateKeyException.class,
                    () -> pool.transact(tx -> {
                        for (int id = 0; id < 100; id++)
                            items.insert(tx, new Item(id, "code" + (id == 90 ? 10 : id), 0));
                    }));
            assertEquals(0, items.stream().count());
            pool.transact(tx -> {
                for (int id = 0; id < 100; id++) items.insert(tx, new Item(id, id < 10 ? null : "code" + id, 0));
            });
            assertEquals(
                    100,
                    pool.read(tx -> items.index("code").scan(tx, KeyRange.all()).keys())
                            .size());
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void indexOfRowsThatAreAlikeIsNotMade(String protocol) {
        for (long other : new long[] {8, ROWS - 1, ROWS + 50}) { // within a batch, and in another one
            try (Tidepool pool = open(protocol)) {
                Table<Plain> items = pool.table("items", Plain.class);
                fill(pool, items);
                pool.transact(tx -> items.put(tx, new Plain(other, "code7", 0)));
                SchemaChange change = new SchemaChange().addUnique("code", "code");
                String refusal = assertThrows(DuplicateKeyException.class, () -> pool.alter("items", change))
                        .getMessage();
                assertTrue(refusal.contains("was not made, because two rows have the same values"), refusal);
                assertEquals(List.of(), pool.table("items").schema().indexes());
                pool.transact(tx -> items.delete(tx, other));
                pool.alter("items", change);
                assertEquals(
                        7,
                        pool.read(tx -> pool.table("items", Item.class)
                                        .index("code")
                                        .get(tx, "code7"))
                                .id());
            }
        }
    }

    /** A row that a transaction has entered meanwhile is met again: it is not another row with its values. */
    @ParameterizedTest
    @MethodSource("protocols")
    void rowsThatWereEnteredMeanwhileAreNotTakenForOthers(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Plain> items = pool.table("items", Plain.class);
            fill(pool, items);
            new TableMigration(pool, "items").begin(new SchemaChange().addUnique("code", "code"));
            pool.transact(tx -> items.insert(tx, new Plain(1_000, "code1000", 0)));
            pool.transact(tx -> items.put(tx, new Plain(7, "another", 0)));
            pool.transact(tx -> items.put(tx, new Plain(7, "code7", 1)));
            pool.alter("items", new SchemaChange());
            Table<Item> now = pool.table("items", Item.class);
            assertEquals(
                    ROWS + 1,
                    pool.read(tx -> now.index("code").scan(tx, KeyRange.all()).keys())
                            .size());
            assertEquals(
                    1_000,
                    pool.read(tx -> now.index("code").get(tx, "code1000")).id());
            assertThrows(DuplicateKeyException.class, () -> pool.transact(tx -> now.put(tx, new Item(8, "code7", 0))));
        }
    }
}
