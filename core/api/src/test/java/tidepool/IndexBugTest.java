package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.protocol.ordered.BlinkIndex;
import tidepool.protocol.ordered.BlinkTree;
import tidepool.protocol.ordered.BlinkUpkeep;
import tidepool.protocol.ordered.IndexedTxn;
import tidepool.protocol.ordered.OrderedIndexes;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Ordered;
import tidepool.schema.Unique;
import tidepool.store.StoreException;

/** Bugs that are planted in the maintenance of indexes are noticed by scans that are compared with the rows. */
class IndexBugTest {
    @Ordered
    record Item(
            @Key long id,
            @Index int group,
            @Unique @Length(8) String code) {}

    /** The planted bugs. */
    enum Bug {
        ENTRY_NOT_MOVED(indexes -> new Planted(indexes) {
            @Override
            protected BlinkIndex newIndex(BlinkTree tree, BlinkUpkeep upkeep) {
                return new BlinkIndex(tree, upkeep) {
                    @Override
                    protected void split(
                            MemorySegment memory, long full, long fresh, long node, int first, byte[] low) {
                        super.split(memory, full, fresh, node, first + 1, low);
                    }
                };
            }
        }),
        OLD_ENTRY_KEPT_ON_UPDATE(indexes -> new Planted(indexes) {
            @Override
            protected boolean removesOldEntries() {
                return false;
            }
        }),
        OWN_WRITES_NOT_FLUSHED(indexes -> new Planted(indexes) {
            @Override
            protected boolean flushBeforeScan() {
                return execute();
            }
        }),
        UNIQUE_LOOKS_AT_ONE_LEAF(indexes -> new Planted(indexes) {
            @Override
            protected BlinkIndex newIndex(BlinkTree tree, BlinkUpkeep upkeep) {
                return new BlinkIndex(tree, upkeep) {
                    @Override
                    protected boolean looksAtNeighbours() {
                        return false;
                    }
                };
            }
        });

        private final Function<OrderedIndexes, IndexedTxn> planted;

        Bug(Function<OrderedIndexes, IndexedTxn> planted) {
            this.planted = planted;
        }
    }

    private static class Planted extends IndexedTxn {
        Planted(OrderedIndexes indexes) {
            super(indexes);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isNoticed(Bug bug) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&memory=32m")) {
            pool.indexedTxns(bug.planted);
            assertFalse(differences(pool).isEmpty(), bug + " is not noticed");
        }
    }

    @Test
    void nothingIsNoticedWithoutABug() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&memory=32m")) {
            assertEquals(List.of(), differences(pool));
        }
    }

    /** Fills a table whose indexes are split, changes and deletes rows, and compares. Returns what is wrong. */
    private static List<String> differences(Tidepool pool) {
        List<String> wrong = new ArrayList<>();
        Table<Item> items = pool.table("items", Item.class, 2000);
        try {
            for (long id = 0; id < 400; id++) {
                Item item = new Item(id * 7 % 400, (int) (id % 5), "c" + id * 7 % 400);
                pool.transact(tx -> items.insert(tx, item));
            }
            pool.transact(tx -> {
                for (long id = 0; id < 400; id += 9) items.put(tx, new Item(id, 9, "c" + id));
                int moved = items.index("group").scan(tx, KeyRange.of(9)).keys().size();
                if (moved != 45) wrong.add("a transaction sees " + moved + " of its 45 entries");
            });
            List<Item> rows = items.stream()
                    .sorted((a, b) -> Long.compare(a.id(), b.id()))
                    .toList();
            List<Item> scanned = pool.read(tx -> items.scan(tx, KeyRange.all()).toList());
            if (!rows.equals(scanned)) wrong.add("rows and their order differ");
            int entries = pool.read(
                            tx -> items.index("group").scan(tx, KeyRange.all()).keys())
                    .size();
            if (entries != rows.size()) wrong.add(entries + " entries for " + rows.size() + " rows");
            for (long id = 0; id < 400; id++)
                if (isTakenTwice(pool, items, "c" + id)) wrong.add("c" + id + " is there twice");
        } catch (TidepoolException | StoreException e) {
            wrong.add(e.getMessage());
        }
        return wrong;
    }

    private static boolean isTakenTwice(Tidepool pool, Table<Item> items, String code) {
        try {
            pool.transact(tx -> items.insert(tx, new Item(5000 + code.hashCode(), 1, code)));
            return true;
        } catch (DuplicateKeyException e) {
            return false;
        }
    }
}
