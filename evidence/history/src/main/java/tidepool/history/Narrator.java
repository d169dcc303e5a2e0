package tidepool.history;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** Turns numbers into sentences. A transaction is named T and the index of its invocation. */
final class Narrator {
    private static final int OPERATIONS_SHOWN = 8;
    private static final int ELEMENTS_SHOWN = 6;
    private static final int ROWS_SHOWN = 12;

    private final History history;
    private final Ops ops;
    private final Transactions transactions;

    Narrator(History history) {
        this.history = history;
        this.ops = history.ops;
        this.transactions = history.transactions;
    }

    /** Returns the transactions of a cycle, then each edge with its reason. */
    String cycle(Graph graph, Cycle cycle) {
        int[] involved = transactions(graph, cycle);
        Set<Integer> keys = new TreeSet<>();
        for (int edge : cycle.edges()) {
            if (graph.fromOp(edge) >= 0) keys.add(ops.key(graph.fromOp(edge)));
            if (graph.toOp(edge) >= 0) keys.add(ops.key(graph.toOp(edge)));
        }
        StringBuilder story = new StringBuilder();
        for (int t : new TreeSet<>(Arrays.stream(involved).boxed().toList())) {
            story.append("  ").append(transaction(t, keys)).append('\n');
        }
        int from = cycle.origin();
        int[] edges = cycle.edges();
        for (int i = 0; i < edges.length; ) {
            int entry = edges[i++];
            int exit = entry;
            while (i < edges.length && graph.kind(edges[i]) == Graph.THROUGH) exit = edges[i++];
            int to = graph.target(exit);
            story.append("    ").append(link(graph, from, entry, exit, to)).append('\n');
            from = to;
        }
        return story.toString();
    }

    /** Returns the transactions of a cycle, in its order. */
    int[] transactions(Graph graph, Cycle cycle) {
        IntColumn involved = new IntColumn();
        involved.add(cycle.origin());
        for (int edge : cycle.edges()) {
            int target = graph.target(edge);
            if (target < transactions.count() && target != cycle.origin()) involved.add(target);
        }
        return involved.toArray();
    }

    /** Whether an anti-dependency of the cycle is that of a row which a range read did not return. */
    boolean hasPhantom(Graph graph, Cycle cycle) {
        for (int edge : cycle.edges()) {
            boolean isAnti = Graph.isAnti(graph.kind(edge));
            if (isAnti && ops.kind(graph.fromOp(edge)) == Ops.RANGE) return true;
        }
        return false;
    }

    private String link(Graph graph, int from, int entry, int exit, int to) {
        String a = name(from);
        String b = name(to);
        int before = graph.fromOp(entry);
        int after = graph.toOp(exit);
        boolean distant = entry != exit;
        return switch (graph.kind(entry)) {
            case Graph.WW ->
                a + " -ww-> " + b + ": " + b + " " + wrote(after) + (distant ? ", somewhere behind " : ", next after ")
                        + a + "'s " + ops.value(before);
            case Graph.WR, Graph.WR_IN_TIME ->
                a + " -wr-> " + b + ": " + b + " " + read(after) + ", where " + a + " " + wrote(before);
            case Graph.RW, Graph.RW_IN_TIME ->
                a + " -rw-> " + b + ": " + a + " " + read(before) + ", and did not see that " + b + " " + wrote(after)
                        + (ops.kind(before) == Ops.RANGE ? "" : distant ? ", somewhere after it" : ", next after it");
            case Graph.PROCESS ->
                a + " -process-> " + b + ": process " + transactions.process(from) + " did the one, then the other";
            default ->
                a + " -realtime-> " + b + ": " + a + " had completed (index " + transactions.completed(from)
                        + ") before " + b + " was invoked (index " + transactions.invoked(to) + ")";
        };
    }

    String name(int transaction) {
        return "T" + transactions.invoked(transaction);
    }

    /** Returns a line about a transaction; of a long one only the operations on the keys in question. */
    String transaction(int t, Set<Integer> keys) {
        StringBuilder text = new StringBuilder(name(t)).append(" (");
        text.append(history.sources.name(transactions.invokeLine(t))).append(", process ");
        text.append(transactions.process(t)).append(", ").append(outcome(t)).append("):");
        boolean all = transactions.endOp(t) - transactions.firstOp(t) <= OPERATIONS_SHOWN;
        String comma = " ";
        for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
            boolean isOfRows = history.keys.isBucket(ops.key(op)) && ops.bucket(op) == Ops.NO_BUCKET;
            if (isOfRows || ops.isPartOfRange(op))
                continue; // reported with the rows in it, or with the bucket that a split has made
            if (!all && !keys.contains(ops.key(op)) && !keys.contains(ops.bucket(op))) continue;
            text.append(comma).append(operation(op));
            comma = ", ";
        }
        return all ? text.toString() : text.append(", …").toString();
    }

    private String outcome(int t) {
        if (transactions.isUnknown(t)) return "outcome unknown";
        return (transactions.isOk(t) ? "ok at " : "failed at ") + history.sources.name(transactions.completeLine(t));
    }

    private String operation(int op) {
        String key = history.keys.name(ops.key(op));
        return switch (ops.kind(op)) {
            case Ops.APPEND -> "append " + key + " " + ops.value(op);
            case Ops.WRITE, Ops.DELETE -> letter(op) + " " + key + " " + ops.value(op) + previous(op) + changed(op);
            case Ops.RANGE -> "range " + range(op);
            case Ops.ENTRY -> "at " + ops.value(op) + " in " + key;
            case Ops.READ_GONE -> "n " + key + " in " + bucketAt(ops.bucket(op), ops.value(op));
            default -> "r " + key + " " + seen(op);
        };
    }

    private String letter(int op) {
        if (ops.kind(op) == Ops.DELETE) return "d";
        if (history.keys.isBucket(ops.key(op))) return "s";
        return ops.previousKind(op) == Ops.PREVIOUS_ABSENT ? "i" : "w";
    }

    private String changed(int op) {
        if (ops.bucket(op) == Ops.NO_BUCKET) return "";
        return (history.keys.isBucket(ops.key(op)) ? " split from " : " in ") + history.keys.name(ops.bucket(op));
    }

    private String bucketAt(int bucket, long version) {
        String name = history.keys.name(bucket);
        return version == MicroOp.NEVER ? name + ", never written" : name + " at version " + version;
    }

    private String previous(int op) {
        return switch (ops.previousKind(op)) {
            case Ops.PREVIOUS_NONE -> " over null";
            case Ops.PREVIOUS_KNOWN -> " over " + ops.previous(op);
            default -> "";
        };
    }

    /** Returns {@code appended 3 to key 5}. */
    String wrote(int op) {
        String key = key(op);
        if (history.keys.isBucket(ops.key(op)))
            return (ops.bucket(op) == Ops.NO_BUCKET ? "changed " : "made by a split ") + key + " to version "
                    + ops.value(op);
        return switch (ops.kind(op)) {
            case Ops.APPEND -> "appended " + ops.value(op) + " to " + key;
            case Ops.DELETE -> "deleted " + key + " as version " + ops.value(op);
            default ->
                ops.previousKind(op) == Ops.PREVIOUS_ABSENT
                        ? "inserted " + key + " as version " + ops.value(op)
                        : "wrote version " + ops.value(op) + " of " + key;
        };
    }

    /** Returns {@code read key 5 as [1, 2]}. */
    String read(int op) {
        if (ops.kind(op) == Ops.RANGE) return "read the range " + range(op);
        if (ops.kind(op) == Ops.READ_GONE)
            return "did not find " + key(op) + " in " + bucketAt(ops.bucket(op), ops.value(op));
        if (history.keys.isBucket(ops.key(op))) return "saw " + bucketAt(ops.key(op), ops.value(op));
        return "read " + key(op) + " as " + seen(op);
    }

    /** Returns {@code index 3 from 5 through 9 down, limit 2: key 7 at 9 as 12, key 4 at 8}. */
    private String range(int op) {
        Ranges ranges = history.ranges;
        int range = (int) ops.value(op);
        StringBuilder text = new StringBuilder(history.keys.name(ops.key(op)));
        if (ranges.from(range) != Long.MIN_VALUE) text.append(" from ").append(ranges.from(range));
        if (ranges.through(range) != Long.MAX_VALUE) text.append(" through ").append(ranges.through(range));
        if (ranges.isReversed(range)) text.append(" down");
        if (ranges.limit(range) != Long.MAX_VALUE) text.append(", limit ").append(ranges.limit(range));
        boolean isOfKeys = history.keys.number(ops.key(op)) == MicroOp.KEY_ORDER;
        String before = ": ";
        int end = Math.min(ranges.endRow(range), ranges.firstRow(range) + ROWS_SHOWN);
        for (int row = ranges.firstRow(range); row < end; row++) {
            text.append(before).append("key ").append(history.keys.name(ranges.key(row)));
            if (!isOfKeys) text.append(" at ").append(ranges.position(row));
            if (ranges.hasVersion(row)) text.append(" as ").append(ranges.version(row));
            before = ", ";
        }
        if (end < ranges.endRow(range))
            text.append(", … (").append(ranges.endRow(range) - end).append(" more)");
        return ranges.firstRow(range) == end ? text.append(": no row").toString() : text.toString();
    }

    private String seen(int op) {
        return switch (ops.kind(op)) {
            case Ops.READ_LIST -> list(history.branches.at(ops.branch(op)), ops.length(op));
            case Ops.READ_VERSION -> Long.toString(ops.value(op));
            case Ops.READ_NONE -> "null";
            case Ops.READ_ABSENT -> "absent";
            default -> "?";
        };
    }

    /** Returns a list as text. Of a long list only the end is shown, where the newest elements are. */
    private static String list(Branches.Branch branch, int length) {
        StringBuilder text = new StringBuilder("[");
        int from = Math.max(0, length - ELEMENTS_SHOWN);
        if (from > 0) text.append("… ").append(from).append(" more, ");
        for (int i = from; i < length; i++) {
            if (i > from) text.append(", ");
            text.append(branch.at(i));
        }
        return text.append(']').toString();
    }

    /** Returns the lines of a story without a cycle: the transactions, then what is wrong with them. */
    String story(String wrong, int key, int... involved) {
        StringBuilder story = new StringBuilder();
        for (int t : involved) {
            story.append("  ").append(transaction(t, Set.of(key))).append('\n');
        }
        return story.append("    ").append(wrong).append('\n').toString();
    }

    String key(int op) {
        return history.keys.title(ops.key(op));
    }
}
