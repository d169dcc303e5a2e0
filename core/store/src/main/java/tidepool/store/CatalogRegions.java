package tidepool.store;

import java.util.HashSet;
import java.util.Set;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.NodeControl;

/**
 * The regions of all nodes. A step of a roster change gives every node those that the roster says, and frees the
 * others.
 */
final class CatalogRegions {
    private final Catalog catalog;
    private final Fabric fabric;
    private final CatalogCopies copies;
    private final CatalogWords words;

    CatalogRegions(Catalog catalog, Fabric fabric, CatalogCopies copies) {
        this.catalog = catalog;
        this.fabric = fabric;
        this.copies = copies;
        this.words = copies.first();
    }

    void layOut() {
        Placement target = catalog.placement();
        long logBytes = catalog.coordinators() * LogLayout.areaBytes(catalog.logSlotBytes())
                + catalog.logHeap().bytes();
        for (int node = 0; node < copies.count(); node++) {
            CatalogWords own = copies.at(node);
            NodeControl control = fabric.control(node);
            if (!catalog.isLaidOut(node)) {
                // POWER_LOSSES comes first: a later session does not set it once there is a log region.
                own.put(CatalogLayout.POWER_LOSSES, control.powerLosses());
                own.put(CatalogLayout.LOG_REGION, CatalogFormat.create(control, logBytes));
            }
            for (int p = 0; p < target.partitions(); p++) {
                boolean has = own.get(CatalogLayout.partitionRegion(p)) != 0;
                if (target.holds(node, p) == has) continue;
                long made = has ? 0 : CatalogFormat.create(control, catalog.partitionBytes());
                own.put(CatalogLayout.partitionRegion(p), has ? 0 : made | CatalogLayout.UNFLUSHED);
            }
            own.flush();
            giveBack(node);
        }
        copies.equalize(CatalogLayout.MAGIC_AT, CatalogLayout.STATE - CatalogLayout.MAGIC_AT);
        copies.equalize(CatalogLayout.PROTOCOL, CatalogLayout.POWER_LOSSES - CatalogLayout.PROTOCOL);
        copies.equalize(CatalogLayout.NEXT_OFFSET);
        copies.equalize(CatalogLayout.NEXT_OUTCOME);
        copies.equalize(CatalogLayout.CHECKSUM);
        copies.equalize(CatalogLayout.LOG_HEAP_BLOCKS);
        copies.equalize(CatalogLayout.outcome(0), CatalogLayout.OUTCOMES * 2L * Words.BYTES);
        copies.equalize(CatalogLayout.table(0), words.get(CatalogLayout.TABLE_COUNT) * CatalogLayout.TABLE_BYTES);
        copies.equalize(CatalogLayout.CHANGE, CatalogLayout.CHANGE_BYTES);
        copies.equalize(CatalogLayout.TABLE_COUNT);
        copies.flush();
        for (int node = 1; node < copies.count(); node++) copies.at(node).put(CatalogLayout.STATE, CatalogLayout.READY);
        copies.flush();
    }

    /** Restores the words that a catalog has on all nodes at one node, from another node. */
    void restore(int source, int node) {
        long bytes = copies.at(source).get(CatalogLayout.PARTITION_BYTES);
        if (copies.at(node).get(CatalogLayout.PARTITION_BYTES) != bytes)
            catalog.catalogChanges().announceSize(copies.at(source), copies.at(node), bytes);
        copies.copy(source, node, CatalogLayout.VERSION_AT, Words.BYTES);
        copies.copy(source, node, CatalogLayout.CHECKSUM, Words.BYTES);
        copies.copy(source, node, CatalogLayout.PROTOCOL, CatalogLayout.POWER_LOSSES - CatalogLayout.PROTOCOL);
        copies.copy(source, node, CatalogLayout.NEXT_OFFSET, Words.BYTES);
        copies.copy(source, node, CatalogLayout.LOG_HEAP_BLOCKS, Words.BYTES);
        copies.copy(source, node, CatalogLayout.NEXT_OUTCOME, Words.BYTES);
        copies.copy(source, node, CatalogLayout.outcome(0), CatalogLayout.OUTCOMES * 2L * Words.BYTES);
        long tables = copies.at(source).get(CatalogLayout.TABLE_COUNT);
        copies.copy(source, node, CatalogLayout.table(0), tables * CatalogLayout.TABLE_BYTES);
        copies.copy(source, node, CatalogLayout.CHANGE, CatalogLayout.CHANGE_BYTES);
        copies.copy(source, node, CatalogLayout.TABLE_COUNT, Words.BYTES);
        if (node == Catalog.NODE) {
            // Counters that only this node keeps may have been higher. The versions cached there may be too old.
            words.add(CatalogLayout.HISTORY_CLOCK, 1L << 32);
            words.put(CatalogLayout.VCACHE_KIND, 0);
        }
        copies.at(node).flush();
    }

    /** Frees every region that no word names, after making the words persistent. Only with the catalog lock. */
    void freeUnnamed() {
        for (int node = 0; node < copies.count(); node++) {
            if (catalog.flush().isDurable()) persistWords(node);
            giveBack(node);
        }
    }

    /** Another session may have written these words and not flushed them. */
    private void persistWords(int node) {
        for (int p = 0; p < catalog.placement().partitions(); p++)
            if (catalog.placement().holds(node, p)) copies.at(node).persist(CatalogLayout.partitionRegion(p));
    }

    /**
     * Frees every region that no word of a node's catalog names: regions that the node no longer holds, and regions
     * whose creator failed before it recorded them. The words are persistent by now. Otherwise a word could come back
     * after a loss of power and name a freed region, and no later roster change could succeed.
     */
    private void giveBack(int node) {
        // The regions are listed before the words are read. A revoked session fails to read the words, so it cannot
        // free regions that another session has made since.
        Id128[] there = fabric.control(node).regions();
        Set<Long> named = new HashSet<>();
        for (long word : catalog.regions(node)) named.add(word & CatalogLayout.UNFLUSHED - 1);
        if (node == Catalog.NODE && words.get(CatalogLayout.VCACHE_KIND) == Catalog.SHARED_VCACHE)
            named.add(words.get(CatalogLayout.VCACHE_REGION));
        for (int i = 1; i < there.length; i++)
            if (there[i] != null && !named.contains((long) i))
                CatalogCopies.freeUnlessGone(fabric.control(node), there[i]);
    }
}
