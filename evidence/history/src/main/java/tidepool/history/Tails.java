package tidepool.history;

import java.util.Arrays;

/**
 * The versions after the end of the known chain of each key, and for each key a gate that leads to all of them: a
 * transaction that read or wrote the last version of the chain comes before each of them.
 *
 * <p>A transaction that itself has a version there would form a cycle with itself and is left out. Nothing is lost: a
 * transaction that had read the last version and then wrote is the next in the chain, unless another anomaly was found
 * already.
 */
final class Tails {
    private static final int NONE = -1;

    private final Graph.Builder graph;
    private final int[] gates;
    /** Pairs of key and transaction that have a version after the chain. */
    private final LongIntMap members = new LongIntMap();

    Tails(int keys, Graph.Builder graph) {
        this.graph = graph;
        gates = new int[keys];
        Arrays.fill(gates, NONE);
    }

    /** Adds a write. */
    void add(int key, int transaction, int write) {
        if (gates[key] == NONE) gates[key] = graph.gate();
        members.put(member(key, transaction), write);
        graph.edge(gates[key], transaction, Graph.THROUGH, -1, write);
    }

    /** Adds an edge from a transaction to all versions after the chain of the key. */
    void enter(int key, int transaction, int kind, int op) {
        if (gates[key] == NONE || members.get(member(key, transaction)) != LongIntMap.ABSENT) return;
        graph.edge(transaction, gates[key], kind, op, -1);
    }

    private static long member(int key, int transaction) {
        return (long) key << 32 | transaction;
    }
}
