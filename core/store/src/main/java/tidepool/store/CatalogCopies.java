package tidepool.store;

import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Refusal;

/**
 * The catalog on all memory nodes: region 0 of each. A word that must outlive the loss of a node is written to the
 * first node last. The first node is the one that is read, so a word that is found there is on all nodes.
 */
final class CatalogCopies {
    private final CatalogWords[] all;

    /** Opens the catalogs of all nodes; makes the region on a node that has none. */
    CatalogCopies(Fabric fabric, Lane lane) {
        all = new CatalogWords[fabric.nodes()];
        for (int node = 0; node < all.length; node++) {
            NodeControl control = fabric.control(node);
            if (control.regions().length == 0) {
                Id128 mine = control.createRegion(CatalogLayout.BYTES);
                // Region 0 is the catalog. A session whose region came second frees it.
                if (!mine.equals(region(control, node))) freeUnlessGone(control, mine);
            }
            all[node] = new CatalogWords(lane, lane.connect(node).open(region(control, node)));
        }
    }

    /**
     * Frees a region that no word of the catalog names. Another session may have freed it before: a session frees its
     * own second catalog region, and a formatter frees all regions that it finds.
     */
    static void freeUnlessGone(NodeControl control, Id128 capability) {
        try {
            control.freeRegion(capability);
        } catch (FabricException e) {
            if (e.refusal() != Refusal.KEY) throw e;
        }
    }

    /**
     * Returns the catalog region of a node. A node can die after its region was made and come back with nothing. The
     * pool is opened again then.
     */
    private static Id128 region(NodeControl control, int node) {
        Id128[] regions = control.regions();
        if (regions.length == 0)
            throw FabricException.unavailable(
                    "a memory node lost its regions while its catalog was opened: node=" + node);
        return regions[0];
    }

    CatalogWords first() {
        return all[0];
    }

    CatalogWords at(int node) {
        return all[node];
    }

    int count() {
        return all.length;
    }

    void put(long offset, long word) {
        for (int node = all.length - 1; node >= 0; node--) all[node].put(offset, word);
    }

    void flush() {
        for (CatalogWords words : all) words.flush();
    }

    /** Writes the bytes in the first node's landing memory to all copies. */
    void putLanded(long offset, long bytes) {
        for (int node = all.length - 1; node >= 0; node--)
            all[node]
                    .round
                    .write(all[node].region, offset, bytes, first().landing, 0)
                    .post()
                    .await();
    }

    /** Makes a range of every other copy equal to that of the first node. */
    void equalize(long offset, long bytes) {
        for (long done = 0; done < bytes; done += CatalogWords.LANDING_BYTES) {
            long piece = Math.min(bytes - done, CatalogWords.LANDING_BYTES);
            first().round
                    .read(first().region, offset + done, piece, first().landing, 0)
                    .post()
                    .await();
            for (int node = 1; node < all.length; node++)
                all[node]
                        .round
                        .write(all[node].region, offset + done, piece, first().landing, 0)
                        .post()
                        .await();
        }
    }

    /** Makes a range of one copy equal to that of another. */
    void copy(int source, int node, long offset, long bytes) {
        for (long done = 0; done < bytes; done += CatalogWords.LANDING_BYTES) {
            long piece = Math.min(bytes - done, CatalogWords.LANDING_BYTES);
            CatalogWords from = all[source];
            from.read(offset + done, piece);
            all[node]
                    .round
                    .write(all[node].region, offset + done, piece, from.landing, 0)
                    .post()
                    .await();
        }
    }

    /** Makes a single word of every other copy equal to that of the first node. */
    void equalize(long offset) {
        equalize(offset, Words.BYTES);
    }
}
