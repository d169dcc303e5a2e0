package tidepool.protocol.ordered;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import tidepool.store.IndexNodeLayout;
import tidepool.store.StoreException;
import tidepool.txn.RangeScan;
import tidepool.txn.Txn;

/**
 * A B-link tree within one attempt. Nodes are rows, so this class only says which rows are read and written.
 *
 * <pre>
 *   change    UPDATE leaf, in the round of the row if cached nodes lead to it    +0 trips
 *             a leaf that is full: INSERT of its right neighbour                 +2 trips, once in half a leaf
 *   scan      READ of the leaves that a cached parent names, together            1 trip
 *             READ of their rows, together                                       1 trip
 * </pre>
 *
 * The one rule: a leaf says which keys it covers, and has all of these keys. Whatever led to it is a hint. If the leaf
 * does not cover the key, the search goes to the right neighbour, or begins again at the root and reads every node.
 *
 * <p>A split is part of the transaction that needs the room, so it happens with it or not at all. The separator in the
 * parent is added by a transaction of its own, {@link BlinkUpkeep}; until then a search takes one more step to the
 * right.
 */
public class BlinkIndex implements OrderedIndex {
    static final int MAX_HOPS = 64;

    /** Steps to the right in one search: a process may have died that owed the separators of a large transaction. */
    static final int MAX_STEPS = 1 << 16;

    protected final BlinkTree tree;
    final BlinkUpkeep upkeep;
    private Txn txn;
    private final BlinkTree.Guess guess = new BlinkTree.Guess();

    // ---- nodes that this attempt makes
    private int made;
    private long[] changed = new long[8]; // nodes whose content this attempt has changed
    private int changes;
    private Growth[] growing = new Growth[4];
    private int growths;

    private int lifts;
    final SplitNodes splits;

    // ---- what is owed after a commit
    private BlinkUpkeep.Task[] owed = new BlinkUpkeep.Task[4];
    private int owes;

    private BlinkScan scan;

    /** A split, or the growth of the root, whose new node is declared. */
    private static final class Growth {
        long full;
        long fresh;
        int fullAccess;
        int freshAccess;
        boolean isRoot;
        byte[] key; // that of the entry which has found no room
    }

    protected BlinkIndex(BlinkTree tree, BlinkUpkeep upkeep) {
        this.tree = tree;
        this.upkeep = upkeep;
        this.splits = new SplitNodes(tree.width);
    }

    /** Begins another attempt. */
    void begin(Txn attempt) {
        txn = attempt;
        made = 0;
        changes = 0;
        growths = 0;
        owes = 0;
        splits.clear();
        lifts = 0;
        if (scan == null) scan = new BlinkScan(this);
        scan.begin(attempt);
    }

    // ---- changes

    @Override
    public void expect(byte[] key, int from) {
        tree.guess(guess, key, from, false);
        if (guess.isLeaf) txn.update(tree.nodes, guess.node);
    }

    @Override
    public Answer change(EntryChange c) {
        while (true) {
            if (c.access == EntryChange.NONE) find(c);
            if (!txn.isExecuted(c.access)) return Answer.AGAIN;
            if (c.makesRoot) {
                c.makesRoot = false;
                if (!txn.found(c.access)) {
                    IndexNodeLayout.makeRoot(txn.memory(), txn.value(c.access), tree.schema.number());
                    changed(tree.root);
                }
                again(c, tree.root, true);
                continue;
            }
            if (!finishGrowth()) return Answer.AGAIN;
            if (!txn.found(c.access)) {
                if (c.node == tree.root) {
                    if (c.kind != EntryChange.Kind.ENTER) return isEmptyTree(c);
                    c.access = txn.insert(tree.nodes, tree.root);
                    c.isLocked = true;
                    c.makesRoot = true;
                    continue;
                }
                if (!fromRoot(c)) return hopeless();
                continue;
            }
            MemorySegment memory = txn.memory();
            long at = txn.value(c.access);
            if (!isNode(memory, at)) {
                if (!fromRoot(c)) return hopeless();
                continue;
            }
            if (c.fromLeft && !arrive(c, memory, at)) {
                if (!fromRoot(c)) return hopeless();
                continue;
            }
            if (IndexNodeLayout.level(memory, at) > 0) {
                if (!descend(c, memory, at)) return hopeless();
                continue;
            }
            learn(c.node, memory, at);
            if (looksAtRange() && IndexNodeLayout.isBefore(memory, at, c.key, c.from, tree.width)) {
                if (!right(c, memory, at)) return hopeless();
                continue;
            }
            if (looksAtRange() && !IndexNodeLayout.covers(memory, at, c.key, c.from, tree.width)) {
                if (!fromRoot(c)) return hopeless();
                continue;
            }
            if (!c.isLocked) {
                again(c, c.node, true);
                continue;
            }
            if (!c.mayChange) return Answer.DONE;
            Answer answer = apply(c, memory, at);
            if (answer != null) return answer;
        }
    }

    /** Whether a change asks its leaf for the keys that it covers. Planted bugs override it. */
    protected boolean looksAtRange() {
        return true;
    }

    /** Changes the leaf. Returns null if another node is to be looked at. */
    private Answer apply(EntryChange c, MemorySegment memory, long at) {
        int entry = IndexNodeLayout.search(memory, at, c.key, c.from, tree.width);
        boolean has = IndexNodeLayout.has(memory, at, entry, c.key, c.from, tree.width);
        switch (c.kind) {
            case LEAVE -> {
                if (!has) return c.isLenient ? done(c) : damaged(c, "misses the entry of a row");
                IndexNodeLayout.remove(memory, at, entry, tree.width);
                changed(c.node);
                int left = IndexNodeLayout.entries(memory, at);
                if (left < IndexNodeLayout.leafCapacity(tree.width) / 3 && c.node != tree.root)
                    owe(BlinkUpkeep.Task.merge(tree, Arrays.copyOfRange(c.key, c.from, c.from + tree.width)));
                return done(c);
            }
            case CHECK -> {
                return check(c, memory, at, entry);
            }
            default -> {
                if (has) return c.isLenient ? done(c) : damaged(c, "has an entry without its row");
                int entries = IndexNodeLayout.entries(memory, at);
                if (entries == IndexNodeLayout.leafCapacity(tree.width)) {
                    grow(c);
                    return Answer.AGAIN;
                }
                IndexNodeLayout.insert(memory, at, entry, c.key, c.from, tree.width, 0);
                changed(c.node);
                return done(c);
            }
        }
    }

    /** Looks for an entry of another row with the same columns, from the first one on that is not smaller. */
    private Answer check(EntryChange c, MemorySegment memory, long at, int entry) {
        int prefix = tree.keys.prefixWidth();
        for (int i = entry; i < IndexNodeLayout.entries(memory, at); i++) {
            if (IndexNodeLayout.has(memory, at, i, c.key, c.own, tree.width)) continue; // its row was entered before
            c.isTaken = hasPrefix(memory, IndexNodeLayout.key(at, 0, tree.width, i), c, prefix);
            return done(c);
        }
        boolean mayContinue = !IndexNodeLayout.isLast(memory, at)
                && hasPrefix(memory, IndexNodeLayout.high(at, tree.width), c, prefix);
        if (!mayContinue || !looksAtNeighbours()) return done(c);
        // Entries with these columns would be in the neighbour, so that one is locked, too.
        System.arraycopy(keyAt(memory, IndexNodeLayout.high(at, tree.width)), 0, c.key, c.from, tree.width);
        return right(c, memory, at) ? null : hopeless();
    }

    /** Whether a look for other rows goes on in the next leaf. Planted bugs override it. */
    protected boolean looksAtNeighbours() {
        return true;
    }

    private static boolean hasPrefix(MemorySegment memory, long at, EntryChange c, int bytes) {
        return MemorySegment.mismatch(memory, at, at + bytes, MemorySegment.ofArray(c.key), c.from, c.from + bytes) < 0;
    }

    private static Answer done(EntryChange c) {
        c.isDone = true;
        return Answer.DONE;
    }

    private Answer isEmptyTree(EntryChange c) {
        return c.kind == EntryChange.Kind.CHECK || c.isLenient || !c.mayChange
                ? doneIfAllowed(c)
                : damaged(c, "misses the entry of a row");
    }

    private static Answer doneIfAllowed(EntryChange c) {
        if (c.mayChange) c.isDone = true;
        return Answer.DONE;
    }

    /** Chooses the first node that is read: a leaf, to be locked at once, or the node at which cached ones end. */
    private void find(EntryChange c) {
        tree.guess(guess, c.key, c.from, false);
        again(c, guess.node, guess.isLeaf);
    }

    private void again(EntryChange c, long node, boolean locks) {
        c.node = node;
        c.isLocked = locks;
        c.access = locks ? txn.update(tree.nodes, node) : txn.read(tree.nodes, node);
    }

    /** Begins again at the root. Returns false if that was tried often enough. */
    private boolean fromRoot(EntryChange c) {
        tree.forget(c.node);
        tree.forget(tree.root);
        upkeep.counts.searches.increment();
        c.fromLeft = false;
        if (++c.hops > MAX_HOPS) return false;
        again(c, tree.root, false);
        return true;
    }

    private boolean descend(EntryChange c, MemorySegment memory, long at) {
        learn(c.node, memory, at);
        if (++c.hops > MAX_HOPS) return false;
        if (IndexNodeLayout.isBefore(memory, at, c.key, c.from, tree.width)) return right(c, memory, at);
        if (!IndexNodeLayout.covers(memory, at, c.key, c.from, tree.width)) return fromRoot(c);
        int entry = IndexNodeLayout.search(memory, at, c.key, c.from, tree.width);
        if (!IndexNodeLayout.has(memory, at, entry, c.key, c.from, tree.width)) entry--;
        if (entry < 0) return fromRoot(c);
        boolean isLeaf = IndexNodeLayout.level(memory, at) == 1;
        again(c, IndexNodeLayout.child(memory, at, tree.width, entry), isLeaf);
        return true;
    }

    /** Goes to the right neighbour, or to the node nearest to the key that this attempt has made there. */
    private boolean right(EntryChange c, MemorySegment memory, long at) {
        if (++c.steps > MAX_STEPS) return false;
        upkeep.counts.steps.increment();
        int level = IndexNodeLayout.level(memory, at);
        long high = IndexNodeLayout.high(at, tree.width);
        long own = level == 0 ? splits.between(memory, at, c.key, c.from, false) : SplitNodes.NONE;
        if (own != SplitNodes.NONE) {
            again(c, own, true);
            return true;
        }
        if (c.reached.length < tree.width) c.reached = new byte[tree.width];
        IndexNodeLayout.copyKey(memory, high, c.reached, 0, tree.width);
        again(c, IndexNodeLayout.next(memory, at), level == 0);
        c.fromLeft = true;
        return true;
    }

    /**
     * Looks at a node that was reached from its left neighbour, whose separator is missing. Returns false if it does
     * not begin where the neighbour ends: the two are of different moments.
     */
    private boolean arrive(EntryChange c, MemorySegment memory, long at) {
        c.fromLeft = false;
        if (IndexNodeLayout.compare(memory, IndexNodeLayout.low(at), c.reached, 0, tree.width) < 0) return false;
        oweSeparator(memory, at, c.node);
        return true;
    }

    void oweSeparator(MemorySegment memory, long at, long node) {
        if (isChanged(node)) return;
        int level = IndexNodeLayout.level(memory, at) + 1;
        owe(BlinkUpkeep.Task.separator(tree, level, keyAt(memory, IndexNodeLayout.low(at)), node));
    }

    // ---- growth of nodes

    /** Declares the new node that a full leaf needs. */
    private void grow(EntryChange c) {
        for (int i = 0; i < growths; i++) if (growing[i].full == c.node) return;
        if (growths == growing.length) growing = Arrays.copyOf(growing, 2 * growths);
        if (growing[growths] == null) growing[growths] = new Growth();
        Growth g = growing[growths++];
        g.full = c.node;
        g.fullAccess = c.access;
        g.isRoot = c.node == tree.root;
        g.key = Arrays.copyOfRange(c.key, c.from, c.from + tree.width);
        freshNode(g);
    }

    private void freshNode(Growth g) {
        g.fresh = newNode(made++);
        g.freshAccess = txn.insert(tree.nodes, g.fresh);
    }

    /** Returns a number for a new node, which most likely no node has. Planted bugs override it. */
    protected long newNode(int count) {
        return tree.newNode(txn.id(), count);
    }

    /** Whether another node has the number of a new one. Planted bugs override it. */
    protected boolean isTaken(int access) {
        return txn.found(access);
    }

    /** Fills new nodes that were inserted. Returns false if another number is tried for one. */
    private boolean finishGrowth() {
        boolean all = true;
        for (int i = 0; i < growths; i++) {
            Growth g = growing[i];
            if (!txn.isExecuted(g.freshAccess)) {
                all = false;
            } else if (isTaken(g.freshAccess)) {
                freshNode(g);
                all = false;
            } else {
                finish(g);
                growths--;
                growing[i] = growing[growths];
                growing[growths] = g;
                i--;
            }
        }
        return all;
    }

    private void finish(Growth g) {
        MemorySegment memory = txn.memory();
        long full = txn.value(g.fullAccess);
        long fresh = txn.value(g.freshAccess);
        changed(g.full);
        changed(g.fresh);
        if (g.isRoot) {
            IndexNodeLayout.lift(memory, full, fresh, g.fresh, tree.width);
            tree.forget(tree.root);
            lifts++;
            return;
        }
        int entries = IndexNodeLayout.entries(memory, full);
        boolean isAtEnd = IndexNodeLayout.isLast(memory, full)
                && IndexNodeLayout.compare(
                                memory, IndexNodeLayout.key(full, 0, tree.width, entries - 1), g.key, 0, tree.width)
                        < 0;
        // Keys that only grow leave full leaves.
        int first = isAtEnd ? entries : entries / 2;
        byte[] low = isAtEnd ? g.key : keyAt(memory, IndexNodeLayout.key(full, 0, tree.width, first));
        split(memory, full, fresh, g.fresh, first, low);
        splits.add(low, g.fresh);
        owe(BlinkUpkeep.Task.separator(tree, 1, low, g.fresh));
    }

    /** Splits a node. Planted bugs override it. */
    protected void split(MemorySegment memory, long full, long fresh, long freshNode, int first, byte[] low) {
        IndexNodeLayout.split(memory, full, fresh, freshNode, first, low, 0, tree.width);
    }

    // ---- scans

    @Override
    public Answer scan(RangeScan range) {
        return scan.run(range);
    }

    /** Declares that a scan reads a node. Planted bugs override it. */
    protected int read(long node) {
        return txn.read(tree.nodes, node);
    }

    /** Whether a scan asks a leaf for the keys that it covers. Planted bugs override it. */
    protected boolean scanLooksAtRange() {
        return true;
    }

    // ---- shared with the scan

    boolean isNode(MemorySegment memory, long at) {
        return IndexNodeLayout.index(memory, at) == tree.schema.number()
                && IndexNodeLayout.isSound(memory, at, tree.width);
    }

    /** Keeps an inner node as a hint, unless this attempt has changed it: it may not commit. */
    void learn(long node, MemorySegment memory, long at) {
        if (!isChanged(node)) tree.learn(node, memory, at);
    }

    private boolean isChanged(long node) {
        for (int i = 0; i < changes; i++) if (changed[i] == node) return true;
        return false;
    }

    private void changed(long node) {
        if (isChanged(node)) return;
        if (changes == changed.length) changed = Arrays.copyOf(changed, 2 * changes);
        changed[changes++] = node;
    }

    private byte[] keyAt(MemorySegment memory, long at) {
        byte[] key = new byte[tree.width];
        IndexNodeLayout.copyKey(memory, at, key, 0, tree.width);
        return key;
    }

    /** Whether a task waits for the commit of the attempt that has made it necessary. Planted bugs override it. */
    protected boolean owesAfterCommit() {
        return true;
    }

    private void owe(BlinkUpkeep.Task task) {
        if (!owesAfterCommit()) upkeep.add(task);
        if (owes == owed.length) owed = Arrays.copyOf(owed, 2 * owes);
        owed[owes++] = task;
    }

    @Override
    public void committed() {
        for (int i = 0; i < owes; i++) {
            upkeep.add(owed[i]);
            owed[i] = null;
        }
        owes = 0;
        upkeep.counts.leafSplits.add(splits.count());
        upkeep.counts.lifts.add(lifts);
    }

    /** The search does not end. Nodes of different moments can cause that; the tree itself cannot. */
    Answer hopeless() {
        if (!txn.isConsistent()) return Answer.ABORTED;
        throw new StoreException(
                StoreException.Reason.CORRUPT,
                "a search of index " + tree.schema.name() + " of table " + tree.table.name() + " does not end");
    }

    private Answer damaged(EntryChange c, String what) {
        if (!txn.isConsistent()) return Answer.ABORTED;
        throw new StoreException(
                StoreException.Reason.CORRUPT,
                "index " + tree.schema.name() + " of table " + tree.table.name() + " " + what + ": key="
                        + tree.keys.key(c.key, c.from, tree.table.schema().key().newKey()));
    }
}
