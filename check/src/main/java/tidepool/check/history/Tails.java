package tidepool.check.history;

import java.util.Arrays;

/**
 * The versions behind the known chain of each key, and the gates that lead to them.
 *
 * <p>Whoever read or wrote the last version of the chain comes before each of them, except before itself. So the members
 * stand in a row with one gate forward and one backward for each: an outsider enters at the first and reaches all, a
 * member enters beside itself, in both directions.
 *
 * <pre>
 *   forward    F0 -> F1 -> F2        outsider -> F0
 *              |     |     |         member 1 -> F2, B0
 *   members    0     1     2
 *              |     |     |
 *   backward   B0 &lt;- B1 &lt;- B2
 * </pre>
 */
final class Tails {
    private static final int NONE = -1;

    private final Graph.Builder graph;
    /** The newest member of each key; a member is a transaction with all its writes behind the chain. */
    private final int[] newestOfKey;

    private final IntColumn older = new IntColumn();
    private final IntColumn newer = new IntColumn();
    private final IntColumn members = new IntColumn();
    private final IntColumn forward = new IntColumn();
    private final IntColumn backward = new IntColumn();
    private final int[] oldestOfKey;
    private final int[] cursorOfKey;

    Tails(int keys, Graph.Builder graph) {
        this.graph = graph;
        newestOfKey = new int[keys];
        oldestOfKey = new int[keys];
        Arrays.fill(newestOfKey, NONE);
        Arrays.fill(oldestOfKey, NONE);
        cursorOfKey = oldestOfKey.clone();
    }

    /** Takes in a write; those of one transaction must come one after the other. */
    void add(int key, int transaction, int write) {
        int before = newestOfKey[key];
        if (before != NONE && members.at(before) == transaction) return;
        int member = members.size();
        members.add(transaction);
        older.add(before);
        newer.add(NONE);
        forward.add(graph.gate());
        backward.add(graph.gate());
        newestOfKey[key] = member;
        graph.edge(forward.at(member), transaction, Graph.THROUGH, -1, write);
        graph.edge(backward.at(member), transaction, Graph.THROUGH, -1, write);
        if (before == NONE) {
            oldestOfKey[key] = member;
        } else {
            newer.set(before, member);
            graph.edge(forward.at(before), forward.at(member), Graph.THROUGH, -1, -1);
            graph.edge(backward.at(member), backward.at(before), Graph.THROUGH, -1, -1);
        }
    }

    /** Draws an edge from a transaction to all versions behind the chain of the key; transactions come in their order. */
    void enter(int key, int transaction, int kind, int op) {
        int oldest = oldestOfKey[key];
        if (oldest == NONE) return;
        int member = memberBefore(key, transaction);
        if (members.at(member) != transaction) {
            graph.edge(transaction, forward.at(oldest), kind, op, -1);
            return;
        }
        if (older.at(member) != NONE) graph.edge(transaction, backward.at(older.at(member)), kind, op, -1);
        if (newer.at(member) != NONE) graph.edge(transaction, forward.at(newer.at(member)), kind, op, -1);
    }

    /** The last member that is not behind the transaction, or else the first; looks at each member once in all calls. */
    private int memberBefore(int key, int transaction) {
        if (cursorOfKey[key] == NONE) cursorOfKey[key] = oldestOfKey[key];
        int next = newer.at(cursorOfKey[key]);
        while (next != NONE && members.at(next) <= transaction) {
            cursorOfKey[key] = next;
            next = newer.at(next);
        }
        return cursorOfKey[key];
    }
}
