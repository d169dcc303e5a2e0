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
    private static final int NONE = -1;
    private static final int MAX_HOPS = 64;

    /** Steps to the right in one search: a process may have died that owed the separators of a large transaction. */
    private static final int MAX_STEPS = 1 << 16;

    /** Leaves that are half full on average are split; a scan reads as many leaves as it is likely to need. */
    private static final int USUAL_FILL = 2;

    /** The maximum number of leaves that a scan reads in one round. */
    private static final int MAX_LEAVES = 32;

    protected final BlinkTree tree;
    private final BlinkUpkeep upkeep;
    private Txn txn;
    private final BlinkTree.Guess guess = new BlinkTree.Guess();

    // ---- nodes that this attempt makes
    private int made;
    private long[] changed = new long[8]; // nodes whose content this attempt has changed
    private int changes;
    private Growth[] growing = new Growth[4];
    private int growths;

    // ---- what is owed after a commit
    private BlinkUpkeep.Task[] owed = new BlinkUpkeep.Task[4];
    private int owes;
    // ---- the nodes that this attempt's splits have made, in the order of their lows
    private byte[][] splitKeys = new byte[4][];
    private long[] splitNodes = new long[4];
    private int splits;
    private int lifts;

    // ---- the scan under way
    private final long[] leaves = new long[MAX_LEAVES];
    private final int[] reads = new int[MAX_LEAVES];
    private int count;
    private int next;
    private int hops;
    private boolean isExact;
    private boolean isScanning;
    private boolean isFromLeft; // the node was reached from its left neighbour, which had no separator
    private int steps;
    private final byte[] bound;

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
        this.bound = new byte[tree.width];
    }

    /** Begins another attempt. */
    void begin(Txn attempt) {
        txn = attempt;
        made = 0;
        changes = 0;
        growths = 0;
        owes = 0;
        splits = 0;
        lifts = 0;
        isScanning = false;
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
            if (IndexNodeLayout.isBefore(memory, at, c.key, c.from, tree.width)) {
                if (!right(c, memory, at)) return hopeless();
                continue;
            }
            if (!IndexNodeLayout.covers(memory, at, c.key, c.from, tree.width)) {
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
        int own = level == 0 ? ownNodeFor(c.key, c.from) : NONE;
        if (own != NONE && IndexNodeLayout.compare(memory, high, splitKeys[own], 0, tree.width) <= 0) {
            again(c, splitNodes[own], true);
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

    private void oweSeparator(MemorySegment memory, long at, long node) {
        if (isChanged(node)) return;
        int level = IndexNodeLayout.level(memory, at) + 1;
        owe(BlinkUpkeep.Task.separator(tree, level, keyAt(memory, IndexNodeLayout.low(at)), node));
    }

    /** Returns the last node of this attempt's splits that begins at a key or before it; NONE if there is none. */
    private int ownNodeFor(byte[] key, int from) {
        int low = 0;
        int high = splits;
        while (low < high) {
            int middle = low + high >>> 1;
            if (IndexNodeLayout.compare(splitKeys[middle], 0, key, from, tree.width) <= 0) low = middle + 1;
            else high = middle;
        }
        return low - 1;
    }

    private void addSplit(byte[] key, long node) {
        int at = ownNodeFor(key, 0) + 1;
        if (splits == splitNodes.length) {
            splitKeys = Arrays.copyOf(splitKeys, 2 * splits);
            splitNodes = Arrays.copyOf(splitNodes, 2 * splits);
        }
        System.arraycopy(splitKeys, at, splitKeys, at + 1, splits - at);
        System.arraycopy(splitNodes, at, splitNodes, at + 1, splits - at);
        splitKeys[at] = key;
        splitNodes[at] = node;
        splits++;
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
        g.fresh = tree.newNode(txn.id(), made++);
        g.freshAccess = txn.insert(tree.nodes, g.fresh);
    }

    /** Fills new nodes that were inserted. Returns false if another number is tried for one. */
    private boolean finishGrowth() {
        boolean all = true;
        for (int i = 0; i < growths; i++) {
            Growth g = growing[i];
            if (!txn.isExecuted(g.freshAccess)) {
                all = false;
            } else if (txn.found(g.freshAccess)) {
                freshNode(g); // the number was taken
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
        addSplit(low, g.fresh);
        owe(BlinkUpkeep.Task.separator(tree, 1, low, g.fresh));
    }

    /** Splits a node. Planted bugs override it. */
    protected void split(MemorySegment memory, long full, long fresh, long freshNode, int first, byte[] low) {
        IndexNodeLayout.split(memory, full, fresh, freshNode, first, low, 0, tree.width);
    }

    // ---- scans

    @Override
    public Answer scan(RangeScan scan) {
        if (!isScanning) {
            isScanning = true;
            isExact = false;
            isFromLeft = false;
            hops = 0;
            steps = 0;
            scan.beginPage();
            declareLeaves(scan);
        }
        while (true) {
            if (next == count) declareLeaves(scan);
            if (!txn.isExecuted(reads[next])) return Answer.AGAIN;
            Answer answer = take(scan);
            if (answer == null) continue;
            isScanning = false;
            return answer;
        }
    }

    /** Declares reads of the leaves that most likely have the rest of the page, from the position of the scan on. */
    private void declareLeaves(RangeScan scan) {
        byte[] key = scan.position();
        count = 0;
        next = 0;
        if (isExact) {
            declare(tree.root);
            return;
        }
        tree.guess(guess, key, 0, scan.isReversed());
        declare(guess.node);
        if (!guess.isLeaf || guess.parent == null) return;
        int usual = Math.max(1, IndexNodeLayout.leafCapacity(tree.width) / USUAL_FILL);
        int more = Math.min(MAX_LEAVES - 1, (scan.wanted() - scan.rows()) / usual);
        int step = scan.isReversed() ? -1 : 1;
        for (int entry = guess.entry + step; more > 0; entry += step, more--) {
            if (entry < 0 || entry >= guess.parent.entries() || isBeyond(scan, entry)) return;
            declare(guess.parent.child(entry));
        }
    }

    /** Whether a leaf has no key of the range, as far as its parent tells. */
    private boolean isBeyond(RangeScan scan, int entry) {
        if (!scan.isReversed()) return scan.high() != null && guess.parent.compare(entry, scan.high(), 0) >= 0;
        return entry + 1 < guess.parent.entries() && guess.parent.compare(entry + 1, scan.low(), 0) <= 0;
    }

    private void declare(long node) {
        leaves[count] = node;
        reads[count++] = txn.read(tree.nodes, node);
    }

    /** Reads only this node next. Returns null. */
    private Answer only(long node) {
        count = 0;
        next = 0;
        declare(node);
        return ++hops > MAX_HOPS ? hopeless() : null;
    }

    private Answer toTheRight(MemorySegment memory, long at, byte[] key) {
        upkeep.counts.steps.increment();
        boolean isLeaf = IndexNodeLayout.level(memory, at) == 0;
        int own = !isLeaf ? NONE : key == null ? splits - 1 : ownNodeFor(key, 0);
        long high = IndexNodeLayout.high(at, tree.width);
        boolean isOwn = own != NONE && IndexNodeLayout.compare(memory, high, splitKeys[own], 0, tree.width) <= 0;
        count = 0;
        next = 0;
        declare(isOwn ? splitNodes[own] : IndexNodeLayout.next(memory, at));
        isFromLeft = !isOwn;
        return ++steps > MAX_STEPS ? hopeless() : null;
    }

    private Answer scanFromRoot() {
        isFromLeft = false;
        tree.forget(leaves[next]);
        tree.forget(tree.root);
        upkeep.counts.searches.increment();
        isExact = true;
        return only(tree.root);
    }

    /** Takes the entries of the next leaf that has landed. Returns null if the page goes on. */
    private Answer take(RangeScan scan) {
        int access = reads[next];
        long node = leaves[next];
        if (!txn.found(access)) {
            if (node != tree.root) return scanFromRoot();
            scan.endScan(); // an index without a root is empty
            return Answer.DONE;
        }
        MemorySegment memory = txn.memory();
        long at = txn.value(access);
        if (!isNode(memory, at)) return scanFromRoot();
        learn(node, memory, at);
        byte[] key = scan.position();
        boolean isBackwards = scan.isReversed();
        if (isFromLeft) oweSeparator(memory, at, node);
        isFromLeft = false;
        if (isLeftOf(memory, at, key, isBackwards)) return toTheRight(memory, at, key);
        if (!holds(memory, at, key, isBackwards)) return scanFromRoot();
        if (IndexNodeLayout.level(memory, at) > 0) return only(childFor(memory, at, key, isBackwards));
        isExact = false;
        hops = 0; // each leaf brings the scan further
        steps = 0;
        return isBackwards ? takeBackwards(scan, memory, at) : takeForwards(scan, memory, at);
    }

    /** Whether the keys that are wanted lie to the right of all that the node covers. */
    private boolean isLeftOf(MemorySegment memory, long at, byte[] key, boolean isBelow) {
        if (IndexNodeLayout.isLast(memory, at)) return false;
        if (key == null) return true;
        int order = IndexNodeLayout.compare(memory, IndexNodeLayout.high(at, tree.width), key, 0, tree.width);
        return isBelow ? order < 0 : order <= 0;
    }

    /** Whether a node, which is not too far to the left, covers the key, or the keys just below it. */
    private boolean holds(MemorySegment memory, long at, byte[] key, boolean isBelow) {
        if (key == null) return true;
        int order = IndexNodeLayout.compare(memory, IndexNodeLayout.low(at), key, 0, tree.width);
        return isBelow ? order < 0 || isFirst(memory, at) : order <= 0;
    }

    private boolean isFirst(MemorySegment memory, long at) {
        for (int i = 0; i < tree.width; i += Long.BYTES)
            if (memory.get(java.lang.foreign.ValueLayout.JAVA_LONG, IndexNodeLayout.low(at) + i) != 0) return false;
        return true;
    }

    private long childFor(MemorySegment memory, long at, byte[] key, boolean isBelow) {
        int entries = IndexNodeLayout.entries(memory, at);
        int entry = entries - 1;
        if (key != null) {
            entry = IndexNodeLayout.search(memory, at, key, 0, tree.width);
            if (isBelow || !IndexNodeLayout.has(memory, at, entry, key, 0, tree.width)) entry--;
        }
        return IndexNodeLayout.child(memory, at, tree.width, Math.max(0, entry));
    }

    private Answer takeForwards(RangeScan scan, MemorySegment memory, long at) {
        int width = tree.width;
        int entry = IndexNodeLayout.search(memory, at, scan.position(), 0, width);
        int entries = IndexNodeLayout.entries(memory, at);
        byte[] end = scan.high();
        for (; entry < entries; entry++) {
            if (isFull(scan)) return endPage(scan);
            long key = IndexNodeLayout.key(at, 0, width, entry);
            if (end != null && IndexNodeLayout.compare(memory, key, end, 0, width) >= 0) return endScan(scan);
            add(scan, memory, key);
        }
        boolean isOver = IndexNodeLayout.isLast(memory, at)
                || end != null && IndexNodeLayout.compare(memory, IndexNodeLayout.high(at, width), end, 0, width) >= 0;
        if (isOver) return endScan(scan);
        if (isFull(scan)) return endPage(scan);
        IndexNodeLayout.copyKey(memory, IndexNodeLayout.high(at, width), scan.position(), 0, width);
        long neighbour = IndexNodeLayout.next(memory, at);
        if (next + 1 < count && leaves[next + 1] == neighbour) next++;
        else return missing(scan, neighbour);
        return null;
    }

    /** The next leaf is another one than the parent said: it was split, or the parent ends here. */
    private Answer missing(RangeScan scan, long neighbour) {
        if (next + 1 < count) return only(neighbour);
        declareLeaves(scan);
        return leaves[0] == neighbour ? null : only(neighbour);
    }

    private Answer takeBackwards(RangeScan scan, MemorySegment memory, long at) {
        int width = tree.width;
        byte[] end = scan.position();
        int entry =
                end == null ? IndexNodeLayout.entries(memory, at) : IndexNodeLayout.search(memory, at, end, 0, width);
        while (--entry >= 0) {
            if (isFull(scan)) return endPage(scan);
            long key = IndexNodeLayout.key(at, 0, width, entry);
            if (IndexNodeLayout.compare(memory, key, scan.low(), 0, width) < 0) return endScan(scan);
            add(scan, memory, key);
        }
        boolean isOver = isFirst(memory, at)
                || IndexNodeLayout.compare(memory, IndexNodeLayout.low(at), scan.low(), 0, width) <= 0;
        if (isOver) return endScan(scan);
        if (isFull(scan)) return endPage(scan);
        IndexNodeLayout.copyKey(memory, IndexNodeLayout.low(at), bound, 0, width);
        scan.goOnBelow(bound);
        next++; // a leaf that is not the left neighbour is noticed by what it covers
        return null;
    }

    private static boolean isFull(RangeScan scan) {
        return scan.rows() == scan.wanted();
    }

    private void add(RangeScan scan, MemorySegment memory, long key) {
        IndexNodeLayout.copyKey(memory, key, scan.entries(), scan.rows() * tree.width, tree.width);
        scan.add();
    }

    private static Answer endPage(RangeScan scan) {
        scan.endPage();
        return Answer.DONE;
    }

    private static Answer endScan(RangeScan scan) {
        scan.endScan();
        return Answer.DONE;
    }

    // ---- shared

    private boolean isNode(MemorySegment memory, long at) {
        return IndexNodeLayout.index(memory, at) == tree.schema.number()
                && IndexNodeLayout.isSound(memory, at, tree.width);
    }

    /** Keeps an inner node as a hint, unless this attempt has changed it: it may not commit. */
    private void learn(long node, MemorySegment memory, long at) {
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

    private void owe(BlinkUpkeep.Task task) {
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
        upkeep.counts.leafSplits.add(splits);
        upkeep.counts.lifts.add(lifts);
    }

    /** The search does not end. Nodes of different moments can cause that; the tree itself cannot. */
    private Answer hopeless() {
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
