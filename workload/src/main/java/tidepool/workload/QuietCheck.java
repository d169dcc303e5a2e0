package tidepool.workload;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
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
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.TableInfo;
import tidepool.store.TxnId;

/**
 * Looks at every byte of a pool in which nobody works: each object whole, visible and unlocked, all replicas equal, every
 * coordinator's place free but those of the one who looks, and no lock file of a session that ended.
 *
 * @param objects how many objects were looked at, each on all replicas
 * @param present how many of them hold a value
 * @param problems what is not as it should be, in words; at most a hundred
 */
public record QuietCheck(long objects, long present, List<String> problems) {
    private static final int MOST_PROBLEMS = 100;

    public QuietCheck {
        problems = List.copyOf(problems);
    }

    /** Walks all tables of the pool over all replicas. Waits. */
    public static QuietCheck of(Tidepool pool) {
        return new Walk(pool.fabric(), pool.roster(), pool.sessionNumber()).run();
    }

    /** The same for a pool that nobody has open. */
    public static QuietCheck of(Fabric fabric) {
        return new Walk(fabric, null, 0).run();
    }

    public boolean holds() {
        return problems.isEmpty();
    }

    /** One look at a whole pool. */
    private static final class Walk {
        private final Fabric fabric;
        private final Roster roster;
        private final int own;
        private final List<String> problems = new ArrayList<>();
        private long objects;
        private long present;

        /** @param own the session of the one who looks */
        Walk(Fabric fabric, Roster roster, int own) {
            this.fabric = fabric;
            this.roster = roster;
            this.own = own;
        }

        QuietCheck run() {
            try (Session session = fabric.attach()) {
                Catalog catalog = Catalog.open(fabric, session, PoolOptions.defaults(), null, roster);
                for (int c = 0; c < catalog.coordinators(); c++) {
                    int owner = catalog.ownerOf(c);
                    if (owner != 0 && owner != own) problem("coordinator " + c + " still belongs to session " + owner);
                }
                try (Lane lane = session.lane()) {
                    for (TableInfo table : catalog.tables()) walk(table, catalog, lane);
                }
                for (int other : fabric.control(0).sessions())
                    if (other != session.number() && fabric.isDead(other))
                        problem("dead session " + other + " is not forgotten");
            }
            if (fabric instanceof ShmFabric shm) lockFiles(shm);
            return new QuietCheck(objects, present, problems);
        }

        private void walk(TableInfo table, Catalog catalog, Lane lane) {
            Placement placement = catalog.placement();
            Set<Long> keys = new HashSet<>();
            long bytes = table.areaBytes();
            MemorySegment[] most = new MemorySegment[placement.replicas()];
            Round round = lane.round(1);
            for (int r = 0; r < most.length; r++) most[r] = lane.landing(bytes);
            for (int p = 0; p < placement.partitions(); p++) {
                MemorySegment[] areas = Arrays.copyOf(most, placement.copies(p));
                for (int r = 0; r < areas.length; r++) {
                    int node = placement.replica(p, r);
                    Id128 capability = fabric.control(node).regions()[catalog.partitionRegion(node, p)];
                    Region region = lane.connect(node).open(capability);
                    round.read(region, table.base(), bytes, areas[r], 0).post().await();
                }
                String where = table.name() + " p" + p;
                object(where + " overflow count", areas, 0, TableInfo.HEAD_CONTENT, null);
                for (long b = 0; b < table.buckets() + table.overflow(); b++) {
                    long bucket = 64 + b * table.bucketBytes();
                    object(where + " bucket " + b, areas, bucket, TableInfo.HEAD_CONTENT, null);
                    for (int s = 0; s < table.slots(); s++) {
                        String name = where + " bucket " + b + " slot " + s;
                        object(name, areas, bucket + table.slotOffset(s), table.contentBytes(), keys);
                    }
                }
            }
        }

        private void object(String name, MemorySegment[] areas, long at, long content, Set<Long> keys) {
            objects++;
            long bodyBytes = ObjectLayout.bodyBytes(content);
            long body = at + ObjectLayout.BODY;
            long lock = Words.plain(areas[0], at + ObjectLayout.LOCK);
            if (lock != 0) problem(name + " is locked by " + TxnId.text(lock));
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
            if (keys == null || !ObjectLayout.isPresent(areas[0], body)) return;
            present++;
            long key = Words.plain(areas[0], body + ObjectLayout.BODY_KEY);
            if (!keys.add(key)) problem(name + ": key " + key + " is there twice");
        }

        /** Those that are left must be of sessions that live. */
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
            if (problems.size() < MOST_PROBLEMS) problems.add(text);
        }
    }
}
