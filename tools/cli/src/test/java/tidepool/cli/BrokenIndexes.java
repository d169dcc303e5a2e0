package tidepool.cli;

import java.lang.foreign.MemorySegment;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Words;
import tidepool.schema.Key;
import tidepool.schema.Ordered;
import tidepool.spi.PoolAccess;
import tidepool.store.IndexNodeLayout;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/** Tables whose indexes lack an entry, have one without a row, or have a node that is none. */
final class BrokenIndexes {
    static final int ROWS = 100;

    /** The bytes of an entry: a key that is one long. */
    private static final int WIDTH = 8;

    @Ordered
    record Thing(@Key long id, long count) {}

    /** A change of the leaf that has the smallest keys. */
    private interface Damage {
        void to(MemorySegment memory, long leaf);
    }

    private BrokenIndexes() {}

    /** Makes three tables with two leaves or more, in order. */
    static void make(Tidepool pool) {
        for (String name : new String[] {"lacking", "extra", "damaged"}) {
            Table<Thing> things = pool.table(name, Thing.class, ROWS);
            for (int from = 0; from < ROWS; from += 50) {
                int first = from;
                pool.transact(tx -> {
                    for (int id = first; id < first + 50; id++) things.insert(tx, new Thing(2 * id, id));
                });
            }
        }
    }

    /** Breaks the three indexes, each in its way, past the layer that keeps them in order. */
    static void plant(Tidepool pool) {
        // The second entry of the first leaf is that of row 2.
        plant(pool, "lacking", (memory, leaf) -> IndexNodeLayout.remove(memory, leaf, 1, WIDTH));
        plant(pool, "extra", (memory, leaf) -> {
            byte[] three = {(byte) 0x80, 0, 0, 0, 0, 0, 0, 3};
            IndexNodeLayout.insert(memory, leaf, 2, three, 0, WIDTH, 0);
        });
        plant(pool, "damaged", (memory, leaf) -> Words.plain(memory, leaf, Words.plain(memory, leaf) | 0xffff0000L));
    }

    private static void plant(Tidepool pool, String name, Damage damage) {
        TableLayout nodes = PoolAccess.layoutsWithParts(pool, pool.table(name)).getLast();
        pool.transact(tx -> {
            Txn txn = tx.raw();
            long node = IndexNodeLayout.root(1);
            int access = txn.update(nodes, node);
            tx.execute();
            while (IndexNodeLayout.level(txn.memory(), txn.value(access)) > 0) {
                node = IndexNodeLayout.child(txn.memory(), txn.value(access), WIDTH, 0);
                access = txn.update(nodes, node);
                tx.execute();
            }
            damage.to(txn.memory(), txn.value(access));
        });
    }
}
