package tidepool.protocol.ordered;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import tidepool.store.IndexNodeLayout;
import tidepool.txn.Outcome;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * What transactions owe to B-link trees after their commit: separators in parents, and merges of leaves that are nearly
 * empty. Each task is a small transaction of its own, tried once. A task that is lost, because its process died or
 * others were faster, is found again by the next search that goes to the right, or the next delete.
 *
 * <pre>
 *   separator   READ root … parent, READ child, UPDATE parent                   a full parent is split instead
 *   merge       READ root … parent, READ both leaves, UPDATE parent and left leaf, DELETE right leaf
 * </pre>
 *
 * A separator in a parent leads to a node that exists and begins with the separator. So a merge removes it in the same
 * transaction, and a separator is added only while its child is read.
 */
public class BlinkUpkeep {
    private static final int MAX_TASKS = 4096;
    private static final int MAX_HOPS = 64;

    private final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    final IndexCounts counts;

    protected BlinkUpkeep(IndexCounts counts) {
        this.counts = counts;
    }

    /** A task. */
    static final class Task {
        private enum Kind {
            SEPARATOR,
            MERGE
        }

        private final Kind kind;
        private final BlinkTree tree;
        private final int level; // of the parent
        private final byte[] key;
        private final long child;

        private Task(Kind kind, BlinkTree tree, int level, byte[] key, long child) {
            this.kind = kind;
            this.tree = tree;
            this.level = level;
            this.key = key;
            this.child = child;
        }

        /** Adds the separator of a node to its parent. */
        static Task separator(BlinkTree tree, int level, byte[] key, long child) {
            return new Task(Kind.SEPARATOR, tree, level, key, child);
        }

        /** Merges the leaf that covers a key with a neighbour. */
        static Task merge(BlinkTree tree, byte[] key) {
            return new Task(Kind.MERGE, tree, 1, key, 0);
        }
    }

    /** Adds a task, unless there are too many: then a later search adds it again. */
    void add(Task task) {
        if (waiting.get() >= MAX_TASKS) return;
        waiting.incrementAndGet();
        tasks.add(task);
    }

    /** Returns whether there is a task. */
    public boolean isWaiting() {
        return waiting.get() > 0;
    }

    /** Returns how many tasks there are. */
    public int waiting() {
        return waiting.get();
    }

    /** Takes the next task; null if another thread was faster. */
    Task take() {
        Task task = tasks.poll();
        if (task != null) waiting.decrementAndGet();
        return task;
    }

    /**
     * Carries out the next task in an attempt that has just begun, and ends the attempt. Waits for the memory nodes.
     *
     * @param generation that of the tables which the attempt knows: tasks of earlier ones are dropped, because the
     *     memory of their nodes may be that of other tables now
     */
    public void run(Txn txn, int generation) {
        Task task = take();
        if (task == null || task.tree.generation != generation) {
            txn.rollback();
            return;
        }
        Run run = new Run(txn, task);
        boolean isDone = task.kind == Task.Kind.SEPARATOR ? run.addSeparator() : run.merge();
        if (!isDone) {
            txn.rollback();
        } else if (txn.commit() == Outcome.COMMITTED) {
            run.count(counts);
            run.learn();
            if (run.next != null) add(run.next);
            if (run.again) add(task);
        }
    }

    // ---- what planted bugs override

    /** Whether a separator is added only while its child is there. */
    protected boolean looksAtChild() {
        return true;
    }

    /** Whether a merge compares the neighbours that the parent names with the one that the left leaf names. */
    protected boolean looksAtNeighbour() {
        return true;
    }

    /** Whether a merge removes the separator of the right leaf. */
    protected boolean removesSeparator() {
        return true;
    }

    /** Declares that the right one of two leaves goes. */
    protected int end(Txn txn, TableHandle nodes, long leaf) {
        return txn.delete(nodes, leaf);
    }

    /** One task in one attempt. */
    private final class Run {
        private final Txn txn;
        private final Task task;
        private final BlinkTree tree;
        private final int width;
        private long node;
        private int access;
        private Task next;
        private boolean again;
        private boolean isLift;
        private InnerNode[] changed = {};

        Run(Txn txn, Task task) {
            this.txn = txn;
            this.task = task;
            this.tree = task.tree;
            this.width = tree.width;
        }

        /** Counts what has been committed. */
        void count(IndexCounts counts) {
            if (isLift) counts.lifts.increment();
            else if (next != null) counts.innerSplits.increment();
            else if (task.kind == Task.Kind.MERGE) counts.merges.increment();
            else counts.separators.increment();
        }

        /** Keeps the inner nodes that have been committed, so that the next search need not read them. */
        void learn() {
            for (InnerNode each : changed) tree.learn(each);
        }

        private InnerNode image(long number, long at) {
            return new InnerNode(number, txn.memory(), at, width);
        }

        /** Returns false if there is nothing to be done, or the attempt was aborted. */
        boolean addSeparator() {
            if (!walk(task.level) || looksAtChild() && !isChild()) return false;
            access = txn.update(tree.nodes, node);
            if (!txn.execute()) return false;
            MemorySegment memory = txn.memory();
            long at = txn.value(access); // perhaps another image than the one that was read
            if (!isNode(at, task.level) || !IndexNodeLayout.covers(memory, at, task.key, 0, width)) return false;
            int entry = IndexNodeLayout.search(memory, at, task.key, 0, width);
            if (IndexNodeLayout.has(memory, at, entry, task.key, 0, width)) return false;
            if (IndexNodeLayout.entries(memory, at) == IndexNodeLayout.innerCapacity(width)) return split();
            IndexNodeLayout.insert(memory, at, entry, task.key, 0, width, task.child);
            changed = new InnerNode[] {image(node, at)};
            return true;
        }

        /** Whether the child is still there, and begins with the separator. */
        private boolean isChild() {
            int child = txn.read(tree.nodes, task.child);
            if (!txn.execute() || !txn.found(child)) return false;
            long at = txn.value(child);
            return isNode(at, task.level - 1)
                    && IndexNodeLayout.compare(txn.memory(), IndexNodeLayout.low(at), task.key, 0, width) == 0;
        }

        /** Splits a full parent, or moves the content of a full root into a node below it. The task comes again. */
        private boolean split() {
            long fresh = tree.newNode(txn.id(), 0);
            int made = txn.insert(tree.nodes, fresh);
            if (!txn.execute() || txn.found(made)) return false;
            MemorySegment memory = txn.memory();
            long at = txn.value(access);
            long to = txn.value(made);
            again = true;
            if (node == tree.root) {
                IndexNodeLayout.lift(memory, at, to, fresh, width);
                isLift = true;
                changed = new InnerNode[] {image(node, at), image(fresh, to)};
                return true;
            }
            int first = IndexNodeLayout.entries(memory, at) / 2;
            byte[] low = new byte[width];
            IndexNodeLayout.copyKey(memory, IndexNodeLayout.key(at, 1, width, first), low, 0, width);
            IndexNodeLayout.split(memory, at, to, fresh, first, low, 0, width);
            next = Task.separator(tree, task.level + 1, low, fresh);
            changed = new InnerNode[] {image(node, at), image(fresh, to)};
            return true;
        }

        /** Returns false if there is nothing to be merged, or the attempt was aborted. */
        boolean merge() {
            if (!walk(task.level)) return false;
            int entry = leftOf(txn.value(access));
            if (entry < 0) return false;
            boolean mayMerge = mayMerge(entry);
            if (!mayMerge && txn.abortReason() == null && entry > 0 && entry == own(txn.value(access))) {
                // Where rows are deleted in the order of their keys, the right neighbour is full and the left one
                // empty.
                entry--;
                mayMerge = mayMerge(entry);
            }
            if (!mayMerge) return false;
            long left = child(txn.value(access), entry);
            long right = child(txn.value(access), entry + 1);
            int parentAccess = txn.update(tree.nodes, node);
            int leftAccess = txn.update(tree.nodes, left);
            int rightAccess = end(txn, tree.nodes, right);
            // The locked images may be others than those that were read.
            if (!txn.execute() || !txn.found(parentAccess) || !mayMerge(leftAccess, rightAccess, right)) return false;
            long parent = txn.value(parentAccess);
            boolean isSame = isNode(parent, task.level)
                    && entry + 1 < IndexNodeLayout.entries(txn.memory(), parent)
                    && child(parent, entry) == left
                    && child(parent, entry + 1) == right;
            if (!isSame) return false;
            IndexNodeLayout.merge(txn.memory(), txn.value(leftAccess), txn.value(rightAccess), width);
            if (removesSeparator()) IndexNodeLayout.remove(txn.memory(), parent, entry + 1, width);
            changed = new InnerNode[] {image(node, parent)};
            return true;
        }

        /** Returns the entry of the left one of two neighbours, of which one covers the key; -1 if there is none. */
        private int leftOf(long parent) {
            int entry = own(parent);
            return entry + 1 < IndexNodeLayout.entries(txn.memory(), parent) ? entry : entry - 1;
        }

        /** Returns the entry of the leaf that covers the key. */
        private int own(long parent) {
            int entry = IndexNodeLayout.search(txn.memory(), parent, task.key, 0, width);
            return IndexNodeLayout.has(txn.memory(), parent, entry, task.key, 0, width) ? entry : entry - 1;
        }

        /** Reads the leaves of an entry and of the next one. Returns whether they may be merged, as far as is seen. */
        private boolean mayMerge(int entry) {
            long right = child(txn.value(access), entry + 1);
            int leftAccess = txn.read(tree.nodes, child(txn.value(access), entry));
            int rightAccess = txn.read(tree.nodes, right);
            return txn.execute() && mayMerge(leftAccess, rightAccess, right);
        }

        private long child(long parent, int entry) {
            return IndexNodeLayout.child(txn.memory(), parent, width, entry);
        }

        /** Whether two leaves are neighbours, and hold so little together that the next inserts split nothing. */
        private boolean mayMerge(int leftAccess, int rightAccess, long right) {
            if (!txn.found(leftAccess) || !txn.found(rightAccess)) return false;
            MemorySegment memory = txn.memory();
            long one = txn.value(leftAccess);
            long other = txn.value(rightAccess);
            if (!isNode(one, 0) || !isNode(other, 0)) return false;
            if (looksAtNeighbour() && IndexNodeLayout.next(memory, one) != right) return false;
            int both = IndexNodeLayout.entries(memory, one) + IndexNodeLayout.entries(memory, other);
            return both <= IndexNodeLayout.leafCapacity(width) / 2;
        }

        private boolean isNode(long at, int level) {
            return IndexNodeLayout.index(txn.memory(), at) == tree.schema.number()
                    && IndexNodeLayout.isSound(txn.memory(), at, width)
                    && IndexNodeLayout.level(txn.memory(), at) == level;
        }

        /**
         * Reads the nodes from the root to the one of a level that covers the key. Returns false if there is none, or
         * the attempt was aborted.
         */
        private boolean walk(int level) {
            node = tree.root;
            for (int hops = 0; hops < MAX_HOPS; hops++) {
                access = txn.read(tree.nodes, node);
                if (!txn.execute() || !txn.found(access)) return false;
                MemorySegment memory = txn.memory();
                long at = txn.value(access);
                int found = IndexNodeLayout.level(memory, at);
                if (found < level || !isNode(at, found)) return false;
                tree.learn(node, memory, at);
                if (IndexNodeLayout.isBefore(memory, at, task.key, 0, width)) {
                    node = IndexNodeLayout.next(memory, at);
                    continue;
                }
                if (found == level) return IndexNodeLayout.covers(memory, at, task.key, 0, width);
                int entry = IndexNodeLayout.search(memory, at, task.key, 0, width);
                if (!IndexNodeLayout.has(memory, at, entry, task.key, 0, width)) entry--;
                if (entry < 0) return false;
                node = IndexNodeLayout.child(memory, at, width, entry);
            }
            return false;
        }
    }
}
