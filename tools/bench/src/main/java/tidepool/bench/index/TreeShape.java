package tidepool.bench.index;

import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.schema.IndexKeys;
import tidepool.schema.IndexSchema;
import tidepool.spi.PoolAccess;
import tidepool.store.IndexNodeLayout;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/**
 * The shape of the tree of an index in which no transaction writes.
 *
 * @param levels number of levels; a root that is a leaf is one
 * @param leaves number of leaves
 * @param entries number of entries in them
 * @param capacity number of entries for which one leaf has room
 */
record TreeShape(int levels, long leaves, long entries, int capacity) {
    /** Reads all nodes of the first index of a table, and waits for them. */
    static TreeShape of(Tidepool pool, TableLayout table) {
        IndexSchema index = table.schema().indexes().getFirst();
        int width = IndexKeys.of(table.schema(), index).width();
        TableLayout nodes = PoolAccess.layoutsWithParts(pool, table).stream()
                .filter(each -> each.name().endsWith(".index"))
                .findFirst()
                .orElseThrow();
        Walk walk = new Walk(nodes, width);
        long first = IndexNodeLayout.root(index.number());
        int levels = 0;
        try (Worker worker = pool.worker()) {
            while (first != 0) {
                walk.beginLevel();
                for (walk.node = first; walk.node != 0; walk.node = walk.next) {
                    worker.read(walk);
                    walk.take();
                }
                first = walk.firstChild;
                levels++;
            }
        }
        return new TreeShape(levels, walk.leaves, walk.entries, IndexNodeLayout.leafCapacity(width));
    }

    /** Returns the part of the room in leaves that has entries, in percent. */
    double fill() {
        return 100.0 * entries / (leaves * capacity);
    }

    /**
     * Reads one node in each transaction, level by level and each level from its first node to the right: a leaf that
     * was split lately may have no separator yet.
     */
    private static final class Walk implements Worker.Work {
        private final TableLayout nodes;
        private final int width;
        private long node;
        private long next;
        private int count;
        private long child; // the first one; 0 in leaves
        private long firstChild;
        private long leaves;
        private long entries;

        Walk(TableLayout nodes, int width) {
            this.nodes = nodes;
            this.width = width;
        }

        void beginLevel() {
            firstChild = 0;
            leaves = 0;
            entries = 0;
        }

        @Override
        public boolean run(Txn txn) {
            int access = txn.read(nodes, node);
            if (!txn.execute()) return false;
            if (!txn.found(access)) throw new IllegalStateException("a node of the index is missing: " + node);
            long at = txn.value(access);
            count = IndexNodeLayout.entries(txn.memory(), at);
            next = IndexNodeLayout.isLast(txn.memory(), at) ? 0 : IndexNodeLayout.next(txn.memory(), at);
            child = IndexNodeLayout.level(txn.memory(), at) == 0
                    ? 0
                    : IndexNodeLayout.child(txn.memory(), at, width, 0);
            return true;
        }

        /** Counts the node that was read. */
        void take() {
            leaves++;
            entries += count;
            if (firstChild == 0) firstChild = child;
        }
    }
}
