package tidepool.check.endurance;

import java.util.ArrayList;
import java.util.List;
import tidepool.fabric.Session;
import tidepool.fabric.sim.SimFabric;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.store.Catalog;
import tidepool.store.TableInfo;
import tidepool.store.TableUse;

/**
 * The memory of a pool and of those who use it, at a moment at which everybody rests.
 *
 * @param poolBytes of all regions on all memory nodes
 * @param use what the slots of the table hold
 * @param landingBytes that all coordinators have asked for
 * @param places of their address caches
 */
public record Stock(long poolBytes, TableUse use, long landingBytes, long places) {
    static Stock of(
            SimFabric fabric, Session session, Catalog catalog, TableInfo table, List<RecordCoordinator> coordinators) {
        long pool = 0;
        for (int node = 0; node < fabric.nodes(); node++)
            pool += fabric.memory(node).statistics().totalBytes();
        long landing = 0;
        long places = 0;
        for (RecordCoordinator each : coordinators) {
            landing += each.lane().landingBytes();
            places += each.addresses(table).places();
        }
        return new Stock(pool, TableUse.of(session, catalog, table, Long.MAX_VALUE), landing, places);
    }

    /** What is wrong with it; empty if nothing is. */
    List<String> faults(Stock first, TableInfo table, long rows, long overflow) {
        List<String> faults = new ArrayList<>();
        same(faults, "bytes of the pool", first.poolBytes, poolBytes);
        same(faults, "rows", rows, use.rows());
        same(faults, "slots that are torn", 0, use.torn());
        atMost(faults, "overflow buckets", overflow, use.overflowBuckets());
        same(faults, "overflow buckets without a row", 0, use.idleBuckets());
        same(faults, "buckets looked at", first.use.buckets(), use.buckets());
        same(faults, "slots", use.buckets() * table.slots(), use.rows() + use.tombstones() + use.empty());
        long used = use.rows() + use.tombstones();
        atMost(faults, "versions", used * table.format().versions(), use.versions());
        atMost(faults, "bytes of deltas", used * table.format().sideBytes(), use.barBytes());
        same(faults, "bytes of landing memory", first.landingBytes, landingBytes);
        same(faults, "places for addresses", first.places, places);
        return faults;
    }

    private static void same(List<String> faults, String what, long expected, long found) {
        if (expected != found) faults.add(what + ": " + found + ", not " + expected);
    }

    private static void atMost(List<String> faults, String what, long most, long found) {
        if (found > most) faults.add(what + ": " + found + ", more than " + most);
    }
}
