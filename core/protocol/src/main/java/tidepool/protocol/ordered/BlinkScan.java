package tidepool.protocol.ordered;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.protocol.ordered.OrderedIndex.Answer;
import tidepool.store.IndexNodeLayout;
import tidepool.txn.RangeScan;
import tidepool.txn.Txn;

/**
 * The scan of a B-link tree within one attempt. It reads the leaves that a cached parent names in one round, and takes
 * them in their order as far as each begins where the one before it ends.
 */
final class BlinkScan {
    /** Leaves that are half full on average are split; a scan reads as many leaves as it is likely to need. */
    private static final int USUAL_FILL = 2;

    /** The maximum number of leaves that a scan reads in one round. */
    private static final int MAX_LEAVES = 32;

    private final BlinkIndex index;
    private final BlinkTree tree;
    private final BlinkTree.Guess guess = new BlinkTree.Guess();
    private final byte[] bound;
    private Txn txn;

    // ---- the page under way
    private final long[] leaves = new long[MAX_LEAVES];
    private final int[] reads = new int[MAX_LEAVES];
    private int count;
    private int next;
    private int hops;
    private int steps;
    private boolean isExact;
    private boolean isScanning;
    private boolean isFromLeft; // the node was reached from its left neighbour, which had no separator

    BlinkScan(BlinkIndex index) {
        this.index = index;
        this.tree = index.tree;
        this.bound = new byte[tree.width];
    }

    /** Begins another attempt. */
    void begin(Txn attempt) {
        txn = attempt;
        isScanning = false;
    }

    /** Reads the entries of the next page. */
    Answer run(RangeScan scan) {
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
        reads[count++] = index.read(node);
    }

    /** Reads only this node next. Returns null. */
    private Answer only(long node) {
        count = 0;
        next = 0;
        declare(node);
        return ++hops > BlinkIndex.MAX_HOPS ? index.hopeless() : null;
    }

    private Answer toTheRight(MemorySegment memory, long at, byte[] key, boolean isBelow) {
        index.upkeep.counts.steps.increment();
        boolean isLeaf = IndexNodeLayout.level(memory, at) == 0;
        long own = isLeaf ? index.splits.between(memory, at, key, 0, isBelow) : SplitNodes.NONE;
        boolean isOwn = own != SplitNodes.NONE;
        count = 0;
        next = 0;
        declare(isOwn ? own : IndexNodeLayout.next(memory, at));
        isFromLeft = !isOwn;
        return ++steps > BlinkIndex.MAX_STEPS ? index.hopeless() : null;
    }

    private Answer scanFromRoot() {
        isFromLeft = false;
        tree.forget(leaves[next]);
        tree.forget(tree.root);
        index.upkeep.counts.searches.increment();
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
        if (!index.isNode(memory, at)) return scanFromRoot();
        index.learn(node, memory, at);
        byte[] key = scan.position();
        boolean isBackwards = scan.isReversed();
        if (isFromLeft) index.oweSeparator(memory, at, node);
        isFromLeft = false;
        boolean looks = IndexNodeLayout.level(memory, at) > 0 || index.scanLooksAtRange();
        if (looks && isLeftOf(memory, at, key, isBackwards)) return toTheRight(memory, at, key, isBackwards);
        if (looks && !holds(memory, at, key, isBackwards)) return scanFromRoot();
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
            if (memory.get(ValueLayout.JAVA_LONG, IndexNodeLayout.low(at) + i) != 0) return false;
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
}
