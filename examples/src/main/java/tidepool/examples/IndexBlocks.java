package tidepool.examples;

import java.time.Instant;
import java.util.List;
import tidepool.KeyRange;
import tidepool.Table;
import tidepool.TableIndex;
import tidepool.Tidepool;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Ordered;
import tidepool.schema.SchemaChange;
import tidepool.schema.Unique;

/** The blocks of Java in {@code docs/guide/indexes.md}. A test runs them. */
public final class IndexBlocks {
    private IndexBlocks() {}

    @Ordered
    @Index(
            name = "by_customer",
            on = {"customer", "placed"})
    record Purchase(
            @Key long id,
            long customer,
            Instant placed,
            @Unique @Length(12) String code,
            long amount) {}

    static void scans(Tidepool pool) {
        Table<Purchase> purchases = pool.table("purchases", Purchase.class);
        TableIndex<Purchase> byCustomer = purchases.index("by_customer");
        pool.transact(tx -> {
            long sum = 0;
            for (Purchase each : purchases.scan(tx, KeyRange.from(17).to(42))) sum += each.amount();
            List<Purchase> newest =
                    byCustomer.scan(tx, KeyRange.of(7L)).reversed().limit(10).toList();
            Purchase last = byCustomer.last(tx, KeyRange.of(7L));
            Purchase byCode = purchases.index("code").get(tx, "A-1009");
            System.out.println(sum + " " + newest.size() + " " + last.id() + " " + byCode.id());
        });
    }

    static List<KeyRange> ranges() {
        KeyRange some = KeyRange.from(17).to(42); // 17 <= key < 42
        KeyRange more = KeyRange.from(17).through(42); // 17 <= key <= 42
        KeyRange berlin = KeyRange.of("Berlin"); // all entries whose first column is "Berlin"
        return List.of(some, more, berlin);
    }

    static void changes(Tidepool pool) {
        pool.alter("purchases", new SchemaChange().addIndex("by_amount", "amount"));
        pool.alter("purchases", new SchemaChange().dropIndex("by_amount"));
    }

    /** Fills the table that the blocks read. */
    static void fill(Tidepool pool) {
        Table<Purchase> purchases = pool.table("purchases", Purchase.class);
        pool.transact(tx -> {
            for (long id = 1; id <= 50; id++)
                purchases.insert(tx, new Purchase(id, id % 10, Instant.ofEpochSecond(id), "A-" + (1000 + id), id));
        });
    }
}
