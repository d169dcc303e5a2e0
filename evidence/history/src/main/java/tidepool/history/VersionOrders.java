package tidepool.history;

import java.util.Arrays;

/**
 * Derives which transactions took effect, which version each write replaced, and which version each read saw.
 *
 * <h2>Idea</h2>
 *
 * Lists and registers lead to one structure. A key begins with no version; from there a <em>chain</em> of versions is
 * known without gaps, because each version says which one it replaced. A list gives its chain by its longest read, a
 * register by the previous versions of its writes. A version whose predecessor is not known comes <em>after the end of
 * the chain</em>: the chain has no gap in which it could be.
 *
 * <pre>
 *   INITIAL -> a -> b -> c (last)  ...  x, y: predecessor UNKNOWN, in any order, but after c
 * </pre>
 *
 * A transaction that reads a version of a key and then writes the key is taken to replace what it read, if it does not
 * say otherwise. Each level that is checked promises this, so a contradiction that follows from it refutes the level.
 */
final class VersionOrders {
    static final int INITIAL = -1;
    static final int UNKNOWN = -2;
    /** The predecessor of an element that was seen, but only in a list that contradicts the longest one. */
    static final int CONTRADICTED = -3;

    static final int NONE = -1;

    private final History history;
    private final Ops ops;
    private final Transactions transactions;
    private final boolean[] committed;
    private final int[] earlier;
    private final int[] predecessors;
    private final int[] successors;
    private final int[] sources;
    private final int[] firsts;
    private final int[] lasts;
    private final boolean[] chained;
    private final boolean[] inferred;
    private final int[][] writers;
    private final int[] agreed;
    private Presence presence;

    VersionOrders(History history) {
        this.history = history;
        this.ops = history.ops;
        this.transactions = history.transactions;
        int count = ops.count();
        this.earlier = filled(count, NONE);
        this.predecessors = filled(count, UNKNOWN);
        this.successors = filled(count, NONE);
        this.sources = filled(count, UNKNOWN);
        this.firsts = filled(history.keys.count(), NONE);
        this.lasts = filled(history.keys.count(), INITIAL);
        this.chained = new boolean[count];
        this.inferred = new boolean[count];
        this.writers = new int[history.branches.count()][];
        this.agreed = new int[history.branches.count()];

        linkOperationsOfOneKey();
        findWritersOfElements();
        committed = new TookEffect(history, writers).committed();
        orderLists();
        findSources();
        extendLists();
        orderRegisters();
    }

    private void linkOperationsOfOneKey() {
        int[] newest = filled(history.keys.count(), NONE);
        for (int t = 0; t < transactions.count(); t++) {
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
                int before = newest[ops.key(op)];
                if (before != NONE && transactions.owner(before) == t) earlier[op] = before;
                newest[ops.key(op)] = op;
            }
        }
    }

    private void findWritersOfElements() {
        for (int b = 0; b < writers.length; b++) {
            Branches.Branch branch = history.branches.at(b);
            writers[b] = new int[branch.length()];
            for (int i = 0; i < branch.length(); i++) {
                writers[b][i] = history.versions.find(branch.key, branch.at(i));
            }
        }
    }

    private void orderLists() {
        for (int key = 0; key < lasts.length; key++) {
            int longest = history.branches.longest(key);
            for (int b = history.branches.newest(key); b >= 0; b = history.branches.at(b).older) {
                agreed[b] = history.branches.at(longest).common(history.branches.at(b));
                if (b != longest) contradict(b);
            }
            if (longest >= 0) chain(key, writers[longest]);
        }
    }

    private void contradict(int branch) {
        for (int writer : writers[branch]) {
            if (writer != VersionIndex.NO_WRITE) predecessors[writer] = CONTRADICTED;
        }
    }

    private void chain(int key, int[] elements) {
        int last = INITIAL;
        for (int writer : elements) {
            // Garbage, aborted and repeated elements are anomalies of their own; the order continues after them.
            if (!tookEffect(writer) || chained[writer]) continue;
            predecessors[writer] = last;
            chained[writer] = true;
            if (last == INITIAL) firsts[key] = writer;
            else successors[last] = writer;
            last = writer;
        }
        lasts[key] = last;
    }

    private void findSources() {
        boolean[] deleted = keysThatWereDeleted();
        for (int t = 0; t < committed.length; t++) {
            if (!committed[t]) continue;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
                sources[op] = switch (ops.kind(op)) {
                    case Ops.READ_NONE -> INITIAL;
                    case Ops.READ_ABSENT -> deleted[ops.key(op)] ? UNKNOWN : INITIAL;
                    case Ops.READ_VERSION -> {
                        int writer = version(op, ops.value(op));
                        yield tookEffect(writer) ? writer : UNKNOWN;
                    }
                    case Ops.READ_LIST -> newestThatTookEffect(writers[ops.branch(op)], ops.length(op));
                    default -> UNKNOWN;
                };
            }
        }
    }

    private boolean[] keysThatWereDeleted() {
        boolean[] deleted = new boolean[history.keys.count()];
        for (int op = 0; op < ops.count(); op++) {
            if (ops.kind(op) == Ops.DELETE) deleted[ops.key(op)] = true;
        }
        return deleted;
    }

    private int newestThatTookEffect(int[] elements, int length) {
        for (int i = length - 1; i >= 0; i--) {
            if (tookEffect(elements[i])) return elements[i];
        }
        return INITIAL;
    }

    /** Appends without a reader, by a transaction that had read the end of the chain, are the next of the chain. */
    private void extendLists() {
        for (int t = 0; t < committed.length; t++) {
            if (!committed[t]) continue;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
                if (ops.kind(op) == Ops.APPEND && predecessors[op] == UNKNOWN && hadTheEnd(op)) extend(op);
            }
        }
    }

    private boolean hadTheEnd(int append) {
        int end = lasts[ops.key(append)];
        int before = earlier[append];
        int own = ownWriteBefore(append);
        if (own != NONE) return own == end;
        return before != NONE && agrees(before) && sources[before] == end;
    }

    private void extend(int append) {
        int key = ops.key(append);
        predecessors[append] = lasts[key];
        inferred[append] = true;
        chained[append] = true;
        if (lasts[key] == INITIAL) firsts[key] = append;
        else successors[lasts[key]] = append;
        lasts[key] = append;
    }

    private void orderRegisters() {
        for (int t = 0; t < committed.length; t++) {
            if (!committed[t]) continue;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
                boolean isRegister = ops.kind(op) == Ops.WRITE || ops.kind(op) == Ops.DELETE;
                if (isRegister && ops.previousKind(op) != Ops.PREVIOUS_ABSENT) replace(op);
            }
        }
        if (history.keys.bucketCount() > 0) orderRows();
        for (int key = 0; key < firsts.length; key++) chainRegister(key);
    }

    private void chainRegister(int key) {
        for (int op = firsts[key]; op != NONE && !chained[op]; op = successors[op]) {
            chained[op] = true;
            lasts[key] = op;
        }
    }

    /** The order of a bucket's versions shows when each of its rows was inserted and removed. */
    private void orderRows() {
        for (int key = 0; key < firsts.length; key++) if (history.keys.isBucket(key)) chainRegister(key);
        presence = new Presence(history, this);
        for (int t = 0; t < committed.length; t++) {
            if (!committed[t]) continue;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
                if (ops.kind(op) == Ops.READ_GONE) sources[op] = presence.before(op);
                if (ops.isWrite(op) && ops.previousKind(op) == Ops.PREVIOUS_ABSENT) replace(op);
            }
        }
    }

    private void replace(int write) {
        int replaced = replaced(write);
        predecessors[write] = replaced;
        if (replaced >= 0 && successors[replaced] == NONE) successors[replaced] = write;
        if (replaced == INITIAL && firsts[ops.key(write)] == NONE) firsts[ops.key(write)] = write;
    }

    private int replaced(int write) {
        int own = ownWriteBefore(write);
        if (own != NONE) return own;
        if (ops.previousKind(write) == Ops.PREVIOUS_ABSENT) return presence.before(write);
        if (ops.previousKind(write) == Ops.PREVIOUS_NONE) return INITIAL;
        if (ops.previousKind(write) == Ops.PREVIOUS_KNOWN) {
            int writer = version(write, ops.previous(write));
            return tookEffect(writer) ? writer : UNKNOWN;
        }
        return earlier[write] == NONE ? UNKNOWN : sources[earlier[write]];
    }

    /** Returns the nearest write of the same key before the operation in its own transaction, or {@link #NONE}. */
    int ownWriteBefore(int op) {
        int before = earlier[op];
        while (before != NONE && !ops.isWrite(before)) before = earlier[before];
        return before;
    }

    /** Returns the nearest operation on the same key before this one in the same transaction, or {@link #NONE}. */
    int earlier(int op) {
        return earlier[op];
    }

    /** Returns true if the transaction is ok, or if another transaction has seen one of its writes. */
    boolean isCommitted(int transaction) {
        return committed[transaction];
    }

    /** Returns when the rows were inserted and removed; null if there are no rows. */
    Presence presence() {
        return presence;
    }

    /** Returns true if it is a write, and its transaction took effect. */
    boolean tookEffect(int writer) {
        return writer != VersionIndex.NO_WRITE && committed[transactions.owner(writer)];
    }

    /** Returns the write of the version of the operation's key, or {@link VersionIndex#NO_WRITE}. */
    int version(int op, long value) {
        return history.versions.find(ops.key(op), value);
    }

    /** Returns the write that this write replaced, or {@link #INITIAL}, {@link #UNKNOWN}, {@link #CONTRADICTED}. */
    int predecessor(int write) {
        return predecessors[write];
    }

    /** Returns true if no transaction that read the known chain saw this version, wherever it belongs. */
    boolean isUnseen(int write) {
        return predecessors[write] == UNKNOWN || inferred[write];
    }

    /** Returns the write that replaced the version, or {@link #NONE} if unknown; of {@link #INITIAL}: the first. */
    int successor(int version, int key) {
        return version == INITIAL ? firsts[key] : successors[version];
    }

    /** Returns the write whose version the read saw, or {@link #INITIAL}, {@link #UNKNOWN}. */
    int source(int read) {
        return sources[read];
    }

    /** Returns the last version of the chain that begins with {@link #INITIAL}, or that itself. */
    int last(int key) {
        return lasts[key];
    }

    /** Returns true if the version lies on the chain that begins with {@link #INITIAL}. */
    boolean isChained(int version) {
        return version == INITIAL || version >= 0 && chained[version];
    }

    /** Returns the write of each element of a list, or {@link VersionIndex#NO_WRITE}. */
    int[] writers(int branch) {
        return writers[branch];
    }

    /**
     * Returns false if the read saw a list that contradicts the longest one: then nothing is known of what came after
     * it.
     */
    boolean agrees(int read) {
        return ops.kind(read) != Ops.READ_LIST || ops.length(read) <= agreed[ops.branch(read)];
    }

    /** Returns true for a read that saw a version of the known chain, and so none of the versions after the chain. */
    boolean lacksTail(int op) {
        // A write of the same transaction before the read hides older versions: the read may show that write alone.
        return !ops.isWrite(op)
                && sources[op] != UNKNOWN
                && isChained(sources[op])
                && agrees(op)
                && ownWriteBefore(op) == NONE;
    }

    private static int[] filled(int length, int value) {
        int[] array = new int[length];
        Arrays.fill(array, value);
        return array;
    }
}
