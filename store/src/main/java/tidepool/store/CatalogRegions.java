package tidepool.store;

import java.util.HashSet;
import java.util.Set;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.NodeControl;

/** Gives every node what a roster says, and takes back the rest: one step of a change of the roster. */
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
        long logBytes = catalog.coordinators() * LogLayout.areaBytes(catalog.logSlotBytes());
        for (int node = 0; node < copies.count(); node++) {
            CatalogWords own = copies.at(node);
            NodeControl control = fabric.control(node);
            if (!catalog.isLaidOut(node)) {
                // First: whoever comes after us asks no further once there is a log.
                own.put(CatalogLayout.POWER_LOSSES, control.powerLosses());
                own.put(CatalogLayout.LOG_REGION, CatalogFormat.create(control, logBytes));
            }
            for (int p = 0; p < target.partitions(); p++) {
                boolean has = own.get(CatalogLayout.partitionRegion(p)) != 0;
                if (target.holds(node, p) == has) continue;
                long made = has ? 0 : CatalogFormat.create(control, words.get(CatalogLayout.PARTITION_BYTES));
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
        copies.equalize(CatalogLayout.outcome(0), CatalogLayout.OUTCOMES * 2L * Words.BYTES);
        copies.equalize(CatalogLayout.table(0), words.get(CatalogLayout.TABLE_COUNT) * CatalogLayout.TABLE_BYTES);
        copies.equalize(CatalogLayout.TABLE_COUNT);
        copies.flush();
        for (int node = 1; node < copies.count(); node++) copies.at(node).put(CatalogLayout.STATE, CatalogLayout.READY);
        copies.flush();
    }

    /** Gives a node what a catalog has on all nodes, as it is on another one. */
    void restore(int source, int node) {
        copies.copy(source, node, CatalogLayout.PROTOCOL, CatalogLayout.POWER_LOSSES - CatalogLayout.PROTOCOL);
        copies.copy(source, node, CatalogLayout.NEXT_OFFSET, Words.BYTES);
        copies.copy(source, node, CatalogLayout.NEXT_OUTCOME, Words.BYTES);
        copies.copy(source, node, CatalogLayout.outcome(0), CatalogLayout.OUTCOMES * 2L * Words.BYTES);
        long tables = copies.at(source).get(CatalogLayout.TABLE_COUNT);
        copies.copy(source, node, CatalogLayout.table(0), tables * CatalogLayout.TABLE_BYTES);
        copies.copy(source, node, CatalogLayout.TABLE_COUNT, Words.BYTES);
        if (node == Catalog.NODE) {
            // What it alone counts may have been further. Versions may be cached that are older.
            words.add(CatalogLayout.HISTORY_CLOCK, 1L << 32);
            words.put(CatalogLayout.VCACHE_KIND, 0);
        }
        copies.at(node).flush();
    }

    /**
     * Frees every region that no word of a node's catalog names: what it no longer holds, and what somebody made and could not
     * write down. The words are persistent: if one came back that names a region which is gone, no change would get past it.
     */
    private void giveBack(int node) {
        // What there is is asked before the words are read: who has been shut out does not get past them, and so cannot
        // free what another one has made since.
        Id128[] there = fabric.control(node).regions();
        Set<Long> named = new HashSet<>();
        for (long word : catalog.regions(node)) named.add(word & CatalogLayout.UNFLUSHED - 1);
        if (node == Catalog.NODE && words.get(CatalogLayout.VCACHE_KIND) == Catalog.SHARED_VCACHE)
            named.add(words.get(CatalogLayout.VCACHE_REGION));
        for (int i = 1; i < there.length; i++)
            if (there[i] != null && !named.contains((long) i))
                fabric.control(node).freeRegion(there[i]);
    }
}
