package tidepool.store;

import tidepool.base.Words;
import tidepool.fabric.Fabric;

/**
 * The record of node lives that other nodes have seen; each start of a node begins a new life. Before a session works
 * in a pool, every node has recorded the current life of every other node. A node that returns and does not know a life
 * that another node has recorded has an older journal. It is doubted, even if its journal looks whole.
 */
final class CatalogLives {
    private final Catalog catalog;
    private final Fabric fabric;
    private final CatalogCopies copies;

    CatalogLives(Catalog catalog, Fabric fabric, CatalogCopies copies) {
        this.catalog = catalog;
        this.fabric = fabric;
        this.copies = copies;
    }

    /** Marks nodes as doubted that do not know a recorded life, and records the present lives. */
    void check() {
        int nodes = Math.min(copies.count(), CatalogLayout.LIVES_COUNT);
        long[][] told = new long[nodes][];
        boolean any = false;
        for (int node = 0; node < nodes; node++) {
            told[node] = fabric.control(node).lives();
            any |= told[node].length > 2;
        }
        if (!any) return;
        for (int witness = 0; witness < nodes; witness++) {
            if (!catalog.isLaidOut(witness)) continue;
            CatalogWords own = copies.at(witness);
            own.read(CatalogLayout.life(0), CatalogLayout.life(CatalogLayout.LIVES_COUNT) - CatalogLayout.life(0));
            long[] seen = new long[CatalogLayout.LIVES_COUNT * CatalogLayout.LIFE_WORDS];
            for (int i = 0; i < seen.length; i++) seen[i] = Words.plain(own.landing, i * (long) Words.BYTES);
            boolean changed = false;
            for (int node = 0; node < nodes; node++) {
                if (told[node].length < 3) continue;
                if (node != witness && !knows(told[node], seen))
                    fabric.control(node).setDoubted(true);
                changed |= remember(own, node, told[node], seen);
            }
            if (changed) own.flush();
        }
    }

    /** Returns whether a node knows every recorded life of its own. It may have forgotten old ones. */
    private static boolean knows(long[] told, long[] seen) {
        for (int at = 0; at < seen.length; at += CatalogLayout.LIFE_WORDS) {
            if (seen[at] != told[0] || seen[at + 2] == 0) continue;
            boolean known = seen[at + 1] < told[1];
            for (int i = 1; i + 1 < told.length; i += 2)
                known |= told[i] == seen[at + 1] && told[i + 1] == seen[at + 2];
            if (!known) return false;
        }
        return true;
    }

    private static boolean remember(CatalogWords own, int node, long[] told, long[] seen) {
        int at = node * CatalogLayout.LIFE_WORDS;
        long number = told[told.length - 2];
        long nonce = told[told.length - 1];
        if (seen[at] == told[0] && seen[at + 1] == number && seen[at + 2] == nonce) return false;
        own.put(CatalogLayout.life(node) + 2L * Words.BYTES, 0); // a mixture of two lives is not taken for a life
        own.put(CatalogLayout.life(node), told[0]);
        own.put(CatalogLayout.life(node) + Words.BYTES, number);
        own.put(CatalogLayout.life(node) + 2L * Words.BYTES, nonce);
        return true;
    }
}
