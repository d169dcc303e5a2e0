package tidepool.endurance;

import java.util.ArrayList;
import java.util.List;
import tidepool.fabric.Session;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.sim.SimFabric;
import tidepool.store.Catalog;
import tidepool.store.TableLayout;
import tidepool.store.TableUsage;

/**
 * Count of the memory of a pool and of its coordinators, at a moment at which all strands rest.
 *
 * @param poolBytes of all regions on all memory nodes
 * @param usage content of the slots of the table
 * @param landingBytes that all coordinators have asked for
 * @param places of their address caches
 */
public record MemoryCensus(long poolBytes, TableUsage usage, long landingBytes, long places) {
    static MemoryCensus of(
            SimFabric fabric,
            Session session,
            Catalog catalog,
            TableLayout table,
            List<RecordCoordinator> coordinators) {
        long pool = 0;
        for (int node = 0; node < fabric.nodes(); node++)
            pool += fabric.memory(node).statistics().totalBytes();
        long landing = 0;
        long places = 0;
        for (RecordCoordinator each : coordinators) {
            landing += each.lane().landingBytes();
            places += each.addresses(table).places();
        }
        return new MemoryCensus(pool, TableUsage.of(session, catalog, table, Long.MAX_VALUE), landing, places);
    }

    /** Returns descriptions of what is wrong; empty if nothing is. */
    List<String> faults(MemoryCensus first, TableLayout table, long rows, long overflow) {
        List<String> faults = new ArrayList<>();
        same(faults, "bytes of the pool", first.poolBytes, poolBytes);
        same(faults, "rows", rows, usage.rows());
        same(faults, "slots that are torn", 0, usage.torn());
        atMost(faults, "overflow buckets", overflow, usage.overflowBuckets());
        same(faults, "overflow buckets without a row", 0, usage.idleBuckets());
        same(faults, "buckets looked at", first.usage.buckets(), usage.buckets());
        same(faults, "slots", usage.buckets() * table.slots(), usage.rows() + usage.tombstones() + usage.empty());
        long used = usage.rows() + usage.tombstones();
        atMost(faults, "versions", used * table.format().versions(), usage.versions());
        atMost(faults, "bytes of deltas", used * table.format().sideBytes(), usage.barBytes());
        same(faults, "bytes of landing memory", first.landingBytes, landingBytes);
        same(faults, "places for addresses", first.places, places);
        return faults;
    }

    private static void same(List<String> faults, String what, long expected, long found) {
        if (expected != found) faults.add(what + ": " + found + ", not " + expected);
    }

    private static void atMost(List<String> faults, String what, long max, long found) {
        if (found > max) faults.add(what + ": " + found + ", more than " + max);
    }
}
