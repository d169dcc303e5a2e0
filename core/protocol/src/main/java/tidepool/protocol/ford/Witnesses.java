package tidepool.protocol.ford;

import java.util.StringJoiner;
import tidepool.fabric.Fabric;
import tidepool.store.Catalog;
import tidepool.store.Placement;
import tidepool.store.StoreException;

/**
 * The copies of a pool that are believed when it is repaired. A node is <i>doubted</i> if it may hold less than it has
 * acknowledged: its journal was found too short, other nodes remember a later start of it, or it contradicts a copy
 * that is known to be newer. A node is <i>intact</i> if it has lost nothing since the pool was last repaired.
 *
 * <p>The witnesses of a partition are the following copies, and never one on a doubted node:
 * <ol>
 *   <li>the whole copies that were flushed;
 *   <li>if there is none, the whole copies of intact nodes: everything that was reported is in the memory of every
 *       copy;
 *   <li>if there is none, the copies that an unfinished repair has made persistent, because it had only witnesses of
 *       kind 2.
 * </ol>
 */
public final class Witnesses {
    /** Tells whether a copy is flushed before a transaction is reported. */
    interface Flushed {
        boolean is(int partition, int replica);
    }

    private final Fabric fabric;
    private final Catalog catalog;
    private final Placement placement;
    private final Flushed flushed;
    private final boolean[] doubted;
    private final boolean[] intact;

    Witnesses(Fabric fabric, Catalog catalog, Placement placement, Flushed flushed) {
        this.fabric = fabric;
        this.catalog = catalog;
        this.placement = placement;
        this.flushed = flushed;
        this.doubted = new boolean[fabric.nodes()];
        this.intact = new boolean[fabric.nodes()];
        for (int node = 0; node < doubted.length; node++) {
            doubted[node] = catalog.isDoubted(node);
            intact[node] = !doubted[node] && !catalog.hasLostPower(node);
        }
    }

    boolean isDoubted(int node) {
        return doubted[node];
    }

    /** Returns whether the node has lost nothing since the pool was last repaired. */
    boolean isIntact(int node) {
        return intact[node];
    }

    /**
     * Doubts a node because other copies are newer than its own. It is filled from them, also if this repair is cut
     * off.
     */
    void doubt(int node) {
        if (doubted[node]) return;
        fabric.control(node).setDoubted(true);
        doubted[node] = true;
        intact[node] = false;
    }

    /**
     * Returns whether a copy may be compared with others: it holds everything that was reported, unless something is
     * wrong with it.
     */
    boolean isComparable(int partition, int replica) {
        int node = placement.replica(partition, replica);
        return replica < placement.whole(partition)
                && !doubted[node]
                && (flushed.is(partition, replica) || intact[node]);
    }

    boolean is(int partition, int replica) {
        return replica < placement.whole(partition) && is(partition, replica, level(partition));
    }

    /** Returns the first witness of a partition; -1 if there is none. */
    int first(int partition) {
        for (int r = 0; r < placement.whole(partition); r++) if (is(partition, r)) return r;
        return -1;
    }

    /**
     * Returns whether the witnesses of a partition are copies that are not flushed before a transaction is reported.
     */
    boolean areUnflushed(int partition) {
        return level(partition) > 1;
    }

    private int level(int partition) {
        for (int level = 1; level <= 3; level++)
            for (int r = 0; r < placement.whole(partition); r++) if (is(partition, r, level)) return level;
        return 0;
    }

    private boolean is(int partition, int replica, int level) {
        int node = placement.replica(partition, replica);
        if (doubted[node]) return false;
        return switch (level) {
            case 1 -> flushed.is(partition, replica);
            case 2 -> intact[node];
            case 3 -> catalog.isFlushed(node, partition);
            default -> false;
        };
    }

    /** Fails with a message that names nodes and files if some partition has no witness. */
    void require() {
        StringJoiner without = new StringJoiner(", ");
        boolean[] held = new boolean[doubted.length];
        for (int p = 0; p < placement.partitions(); p++) {
            if (first(p) >= 0) continue;
            without.add(String.valueOf(p));
            for (int r = 0; r < placement.whole(p); r++) held[placement.replica(p, r)] = true;
        }
        if (without.length() == 0) return;
        StringJoiner why = new StringJoiner("; ");
        for (int node = 0; node < held.length; node++) {
            String doubt = held[node] ? fabric.control(node).doubt() : null;
            if (doubt != null) why.add(doubt);
            else if (held[node]) why.add("node " + node + " has lost what was not flushed");
        }
        throw new StoreException(
                StoreException.Reason.UNAVAILABLE,
                "no copy of partitions " + without + " is known to have all that was acknowledged: " + why
                        + ". Start a node that has it; or, to go on with what one of them has and lose the"
                        + " rest, stop that"
                        + " node, run ./tidepool pool repair URL DIR --believe on its folder, and start it again");
    }
}
