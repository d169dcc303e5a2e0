package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import tidepool.base.Id128;
import tidepool.clusters.PoolView;
import tidepool.sim.SimFabric;
import tidepool.store.CatalogLayout;
import tidepool.store.Placement;
import tidepool.store.Roster;

/** The check that every node of a pool has the regions that its words name, of the right size, and no others. */
final class PoolRegionsCheck {
    private PoolRegionsCheck() {}

    /** @param roster members that the nodes of the fabric are; null if they never change */
    static void check(SimFabric fabric, Roster roster, long memory) {
        PoolView view = new PoolView(fabric, roster);
        Placement placement = view.placement();
        for (int node = 0; node < fabric.nodes(); node++) {
            int named = 2; // catalog and log
            for (int p = 0; p < placement.partitions(); p++) {
                if (!placement.holds(node, p)) continue;
                named++;
                int number = (int) view.catalogWord(node, CatalogLayout.partitionRegion(p));
                long bytes = fabric.memory(node).region(number).dataBytes();
                assertTrue(bytes >= memory, "partition " + p + " of node " + node + " has " + bytes + " of " + memory);
            }
            int live = 0;
            for (Id128 each : fabric.memory(node).capabilities()) if (each != null) live++;
            assertEquals(named, live, "regions of node " + node);
        }
    }
}
