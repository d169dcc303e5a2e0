package tidepool.workload;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tidepool.Tidepool;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.fabric.shm.ShmFabric;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.RowKey;
import tidepool.spi.PoolAccess;
import tidepool.store.Catalog;
import tidepool.store.ContentAudit;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RowAudit;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.store.VersionsCheck;

/**
 * A check of every byte of a pool without running transactions. Each object must be whole, visible and unlocked, each
 * key in one place, also while rows of a table move to another layout, all replicas equal, every version that a row
 * keeps whole, indexes and rows in agreement, every coordinator's log area free except those of the checking session,
 * and no lock file may remain of a session that ended.
 *
 * @param objects number of objects that were checked, each on all replicas
 * @param present number of objects that hold a value
 * @param problems faults in words; at most a hundred
 */
public record QuiescentPoolCheck(long objects, long present, List<String> problems) {
    private static final int MAX_PROBLEMS = 100;

    public QuiescentPoolCheck {
        problems = List.copyOf(problems);
    }

    /** Checks all tables of the pool on all replicas. Waits for the reads. */
    public static QuiescentPoolCheck of(Tidepool pool) {
        return new Walk(PoolAccess.fabric(pool), PoolAccess.roster(pool), pool.sessionNumber()).run();
    }

    /** Checks a pool that no session has open. */
    public static QuiescentPoolCheck of(Fabric fabric) {
        return new Walk(fabric, null, 0).run();
    }

    public boolean holds() {
        return problems.isEmpty();
    }

    /** One pass over a whole pool. */
    private static final class Walk {
        private final Fabric fabric;
        private final Roster roster;
        private final int own;
        private final List<String> problems = new ArrayList<>();
        private final RowAudit rows = new RowAudit();
        private final Map<String, Set<RowKey>> keys = new HashMap<>(); // of each table, with its predecessor
        private long objects;
        private long present;

        /** @param own the session of the checker */
        Walk(Fabric fabric, Roster roster, int own) {
            this.fabric = fabric;
            this.roster = roster;
            this.own = own;
        }

        QuiescentPoolCheck run() {
            try (Session session = fabric.attach()) {
                Protocol protocol = Protocols.named(Catalog.protocolOf(fabric, session));
                Catalog catalog = Catalog.open(fabric, session, options(protocol), null, roster)
                        .withRows(protocol::rows);
                for (int c = 0; c < catalog.coordinators(); c++) {
                    int owner = catalog.ownerOf(c);
                    if (owner != 0 && owner != own) problem("coordinator " + c + " still belongs to session " + owner);
                }
                try (Lane lane = session.lane()) {
                    for (TableLayout table : catalog.tables()) walk(table, catalog, lane);
                }
                rows.problems().forEach(this::problem);
                for (int other : fabric.control(0).sessions())
                    if (other != session.number() && fabric.isDead(other))
                        problem("dead session " + other + " is not forgotten");
            }
            if (fabric instanceof ShmFabric shm) lockFiles(shm);
            return new QuiescentPoolCheck(objects, present, problems);
        }

        private static PoolOptions options(Protocol protocol) {
            PoolOptions usual = PoolOptions.defaults();
            return new PoolOptions(
                    protocol.name(),
                    usual.replicas(),
                    usual.partitions(),
                    usual.partitionBytes(),
                    usual.coordinators(),
                    usual.logSlotBytes());
        }

        private void walk(TableLayout table, Catalog catalog, Lane lane) {
            rows.add(table);
            Set<RowKey> known = keys.computeIfAbsent(table.currentName(), _ -> new HashSet<>());
            for (TableLayout.Area area : table.areas()) walk(table, area, catalog, lane, known);
        }

        private void walk(TableLayout table, TableLayout.Area area, Catalog catalog, Lane lane, Set<RowKey> keys) {
            Placement placement = catalog.placement();
            long bytes = area.bytes();
            MemorySegment[] most = new MemorySegment[placement.replicas()];
            Round round = lane.round(1);
            for (int r = 0; r < most.length; r++) most[r] = lane.landing(bytes);
            for (int p = 0; p < placement.partitions(); p++) {
                MemorySegment[] areas = Arrays.copyOf(most, placement.copies(p));
                for (int r = 0; r < areas.length; r++) {
                    int node = placement.replica(p, r);
                    Id128 capability = fabric.control(node).regions()[catalog.partitionRegion(node, p)];
                    Region region = lane.connect(node).open(capability);
                    round.read(region, area.base(), bytes, areas[r], 0).post().await();
                }
                String where = table.name() + " p" + p + (area.base() == table.base() ? "" : " area at " + area.base());
                object(where + " overflow count or size", areas, 0, TableLayout.HEAD_CONTENT, null, null, area);
                for (long b = 0; b < area.buckets(); b++) {
                    long bucket = 64 + b * table.bucketBytes();
                    object(where + " bucket " + b, areas, bucket, TableLayout.HEAD_CONTENT, null, null, area);
                    for (int s = 0; s < table.slots(); s++) {
                        String name = where + " bucket " + b + " slot " + s;
                        object(name, areas, bucket + table.slotOffset(s), table.contentBytes(), table, keys, area);
                    }
                }
            }
        }

        private void object(
                String name,
                MemorySegment[] areas,
                long at,
                long content,
                TableLayout table,
                Set<RowKey> keys,
                TableLayout.Area area) {
            objects++;
            long bodyBytes = ObjectLayout.bodyBytes(content);
            long body = at + ObjectLayout.BODY;
            long lock = Words.plain(areas[0], at + ObjectLayout.LOCK);
            if (TxnId.of(lock) != 0) problem(name + " is locked by " + TxnId.text(lock));
            for (int r = 0; r < areas.length; r++) {
                long version = Words.plain(areas[r], at + ObjectLayout.VERSION);
                if (version < 0) problem(name + " replica " + r + " is not visible: " + TxnId.text(version));
                else if (!ObjectLayout.isWhole(areas[r], body, bodyBytes)) problem(name + " replica " + r + " is torn");
                else if (version != Words.plain(areas[r], body + ObjectLayout.BODY_WRITER))
                    problem(name + " replica " + r + " has another version than its body");
                if (r == 0) continue;
                long from = at + ObjectLayout.VERSION;
                long different =
                        MemorySegment.mismatch(areas[0], from, body + bodyBytes, areas[r], from, body + bodyBytes);
                if (different >= 0) problem(name + " replica " + r + " differs from the primary at byte " + different);
            }
            if (keys == null) return;
            for (int r = 0; r < areas.length; r++) {
                String wrong = VersionsCheck.fault(table, Pointer.of(0, area.base() + at), areas[r], area.base());
                if (wrong != null) problem(name + " replica " + r + " " + wrong);
            }
            if (!ObjectLayout.isPresent(areas[0], body)) return;
            present++;
            RowKey key = table.keyOf(areas[0], body);
            if (!keys.add(key)) problem(name + ": key " + key + " is there twice");
            if (RowAudit.covers(table))
                rows.add(
                        table,
                        key,
                        areas[0],
                        ContentAudit.valueOffset(table, Pointer.of(0, area.base() + at)) - area.base());
        }

        /** Reports lock files of sessions that are not alive. */
        private void lockFiles(ShmFabric shm) {
            Path folder = shm.path().resolve("sessions");
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    String name = file.getFileName().toString();
                    if (!name.endsWith(".lock")) continue;
                    int session = Integer.parseInt(name.substring(0, name.length() - ".lock".length()));
                    if (shm.isDead(session)) problem("the lock file of dead session " + session + " is left");
                }
            } catch (java.io.IOException e) {
                problem("the lock files cannot be listed: " + e.getMessage());
            }
        }

        private void problem(String text) {
            if (problems.size() < MAX_PROBLEMS) problems.add(text);
        }
    }
}
