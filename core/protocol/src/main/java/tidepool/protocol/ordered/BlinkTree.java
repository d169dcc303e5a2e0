package tidepool.protocol.ordered;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import tidepool.schema.EightByteKeys;
import tidepool.schema.IndexKeys;
import tidepool.schema.IndexSchema;
import tidepool.store.IndexNodeLayout;
import tidepool.store.TableLayout;

/**
 * An ordered index as one process knows it: its shape, and its inner nodes as they were read last. A cached node is a
 * hint. Only a leaf says which keys it covers, so a search by an old node ends in a wrong leaf, and begins again at the
 * root. Threads share the object.
 */
public final class BlinkTree {
    /** The number of inner nodes that are kept: a hundred leaves each, so those of a tree of some 50 million keys. */
    private static final int CACHED = 1 << 13;

    final TableLayout table;
    final TableLayout nodes;
    final IndexSchema schema;
    final IndexKeys keys;
    final int width;
    final long root;

    /** The generation of tables in which the places of its nodes hold. */
    final int generation;

    private final AtomicReferenceArray<InnerNode> cache = new AtomicReferenceArray<>(CACHED);

    BlinkTree(TableLayout table, TableLayout nodes, IndexSchema schema, int generation) {
        this.generation = generation;
        this.table = table;
        this.nodes = nodes;
        this.schema = schema;
        this.keys = IndexKeys.of(table.schema(), schema);
        this.width = keys.width();
        this.root = IndexNodeLayout.root(schema.number());
    }

    /** Whether entries may be missing, because the rows of before are still being entered. */
    boolean isBuilding() {
        return schema.state() == IndexSchema.State.BUILDING;
    }

    /** Returns a number for a new node, which most likely no node has. */
    long newNode(long txn, int count) {
        return IndexNodeLayout.node(schema.number(), EightByteKeys.hash(txn, count));
    }

    // ---- cached nodes

    private static int place(long node) {
        return (int) EightByteKeys.hash(node, 0) & CACHED - 1;
    }

    InnerNode cached(long node) {
        InnerNode found = cache.get(place(node));
        return found != null && found.number == node ? found : null;
    }

    /** Keeps a node that was read. Of leaves, only the root is kept: then a search need not read it twice. */
    void learn(long node, MemorySegment memory, long at) {
        int level = IndexNodeLayout.level(memory, at);
        if (level == 0 && node != root) return;
        InnerNode known = cached(node);
        if (known != null && known.isAt(memory, at)) return;
        cache.set(place(node), new InnerNode(node, memory, at, width));
    }

    void learn(InnerNode node) {
        cache.set(place(node.number), node);
    }

    void forget(long node) {
        int place = place(node);
        InnerNode found = cache.get(place);
        if (found != null && found.number == node) cache.compareAndSet(place, found, null);
    }

    /**
     * Finds the leaf that most likely covers a key, without a read.
     *
     * @param isBelow whether the leaf with the greatest key below this one is wanted
     * @param key null for the greatest key of all
     */
    void guess(Guess into, byte[] key, int from, boolean isBelow) {
        into.parent = null;
        into.isLeaf = false;
        into.node = root;
        InnerNode node = cached(root);
        for (int hops = 0; node != null && hops < Guess.MAX_HOPS; hops++) {
            if (node.level == 0) {
                into.isLeaf = true;
                return;
            }
            if (node.isLeftOf(key, from, isBelow)) {
                into.node = node.next;
                into.parent = null;
            } else {
                into.entry = node.entryFor(key, from, isBelow);
                into.node = node.child(into.entry);
                into.parent = node;
                into.isLeaf = node.level == 1;
                if (into.isLeaf) return;
            }
            node = cached(into.node);
        }
    }

    /** A leaf that was found by cached nodes, or the node at which the cached ones end. */
    static final class Guess {
        static final int MAX_HOPS = 32;

        long node;

        /** Whether the node was a leaf when its parent was read. */
        boolean isLeaf;

        /** Its cached parent, and its place there; null if it was found by a neighbour, or is the root. */
        InnerNode parent;

        int entry;
    }
}
