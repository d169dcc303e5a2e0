package tidepool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tidepool.base.Id128;
import tidepool.base.LayoutTable;
import tidepool.base.Words;
import tidepool.fabric.shm.PoolInspection;
import tidepool.fabric.shm.PoolLayout;
import tidepool.memory.NodeInspection;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionLayout;
import tidepool.store.CatalogImageReader;
import tidepool.store.RowReport;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;

/** Prints pools and their files, and counts their faults. */
final class PoolReport {
    private final PrintWriter out;
    private final PoolInspection pool;
    private int faults;

    PoolReport(PrintWriter out, PoolInspection pool) {
        this.out = out;
        this.pool = pool;
    }

    /** Returns the number of faults found so far. */
    int faults() {
        return faults;
    }

    void pool() throws IOException {
        out.println("pool " + pool.path());
        if (pool.fault() != null) fault(pool.fault());
        MemorySegment superblock = pool.map(pool.superblockFile());
        if (superblock != null) out.print(LayoutTable.values(PoolLayout.SUPERBLOCK, superblock, 0));
        if (pool.options() != null) out.println("          " + pool.options());
        for (int node = 0; node < pool.nodes(); node++) node(node);
        if (pool.nodes() > 0) tables();
    }

    /** Prints the tables in the catalog of the first node, and how their rows are laid out in memory. */
    private void tables() throws IOException {
        MemorySegment whole = pool.map(pool.region(0, 0));
        if (whole == null || NodeInspection.faultOfRegion(whole, 0) != null) return; // reported above
        CatalogImageReader catalog = CatalogImageReader.of(whole.asSlice(Words.plain(whole, RegionLayout.DATA)));
        if (catalog == null) return;
        out.println();
        try {
            List<TableLayout> tables = catalog.tables();
            out.println("tables of protocol " + catalog.protocol() + (tables.isEmpty() ? ": none" : ""));
            for (TableLayout table : tables) {
                out.println("  " + RowReport.of(table));
                out.printf(
                        Locale.ROOT,
                        "    %s; in each partition %,d bytes: %,d buckets of %d, %,d for overflow%n",
                        table.schema(),
                        table.bytes(),
                        table.bucketRoom(),
                        table.slots(),
                        table.overflowRoom());
                if (table.isBefore())
                    out.printf(
                            Locale.ROOT,
                            "    its rows move to table %s, which has another layout; if no program is at it,"
                                    + " table alter without a change goes on%n",
                            table.currentName());
                if (table.hasGrown()) out.printf(Locale.ROOT, "    it has grown: %d areas%n", table.areaCount());
            }
        } catch (StoreException e) {
            fault(e.getMessage());
        }
    }

    private void node(int node) throws IOException {
        out.println();
        out.println("node " + node);
        MemorySegment meta = pool.map(pool.meta(node));
        if (meta == null) fault("a file of the pool is missing or empty: " + pool.meta(node));
        else meta(meta, node);
    }

    /** Prints the meta memory of a node of a pool, or of a file by itself if the number is negative. */
    void meta(MemorySegment meta, int number) throws IOException {
        String wrong = NodeInspection.faultOfNode(meta, number);
        if (wrong != null) fault(wrong);
        out.print(LayoutTable.values(NodeLayout.HEADER, meta, 0));
        if (meta.byteSize() < NodeLayout.BYTES) return;
        long holder = Words.acquire(meta, NodeLayout.CONTROL_LOCK);
        out.println("  control lock  " + (holder == 0 ? "free" : "held by session " + holder + ", " + life(holder)));
        long count = Words.acquire(meta, NodeLayout.REGION_COUNT);
        if (count >= 0 && count <= NodeLayout.REGIONS) regions(meta, number, (int) count);
        sessions(meta);
    }

    private void regions(MemorySegment meta, int node, int count) throws IOException {
        out.println("  regions       " + (count == 0 ? "none" : count));
        for (int i = 0; i < count; i++) {
            long entry = NodeLayout.region(i);
            long state = Words.acquire(meta, entry + NodeLayout.REGION_STATE);
            Id128 capability = new Id128(
                    Words.plain(meta, entry + NodeLayout.REGION_CAPABILITY_HIGH),
                    Words.plain(meta, entry + NodeLayout.REGION_CAPABILITY_LOW));
            long bytes = Words.plain(meta, entry + NodeLayout.REGION_BYTES);
            out.printf(
                    Locale.ROOT,
                    "    %3d  %-6s  %,15d bytes  capability %s%n",
                    i,
                    regionState(state),
                    bytes,
                    capability);
            if (node >= 0 && NodeLayout.isLive(state)) regionOf(node, i, bytes);
        }
    }

    private void regionOf(int node, int number, long bytes) throws IOException {
        MemorySegment whole = pool.map(pool.region(node, number));
        if (whole == null) {
            fault("a file of the pool is missing or empty: " + pool.region(node, number));
            return;
        }
        if (whole.byteSize() != bytes)
            fault("a file of the pool was cut or is another: bytes=" + whole.byteSize() + " expected=" + bytes + ": "
                    + pool.region(node, number));
        String wrong = NodeInspection.faultOfRegion(whole, number);
        if (wrong == null) extents(whole, "         ");
        else fault(wrong);
    }

    /** Prints the file of a region by itself. */
    void region(MemorySegment whole) {
        String wrong = NodeInspection.faultOfRegion(whole, -1);
        if (wrong != null) fault(wrong);
        out.print(LayoutTable.values(RegionLayout.HEADER, whole, 0));
        if (wrong != null) return;
        out.println("  checksum      right");
        extents(whole, "  ");
    }

    /** Prints the file of a superblock by itself. */
    void superblock(MemorySegment block, Path file) {
        String wrong = PoolInspection.faultOfSuperblock(block, file);
        if (wrong != null) fault(wrong);
        out.print(LayoutTable.values(PoolLayout.SUPERBLOCK, block, 0));
        if (wrong == null) out.println("  checksum      right");
    }

    private void extents(MemorySegment whole, String indent) {
        Map<Integer, long[]> bySession = new TreeMap<>();
        String wrong = NodeInspection.extents(whole, (extent, session) -> {
            long[] sum = bySession.computeIfAbsent(session, none -> new long[2]);
            sum[0]++;
            sum[1] += extent.bytes();
        });
        long data = whole.byteSize() - Words.plain(whole, RegionLayout.DATA);
        long extents = 0;
        long allocated = 0;
        for (long[] sum : bySession.values()) {
            extents += sum[0];
            allocated += sum[1];
        }
        out.printf(
                Locale.ROOT,
                "%sdata %,d bytes: %,d allocated in %d extents, %,d free%n",
                indent,
                data,
                allocated,
                extents,
                data - allocated);
        bySession.forEach((session, sum) -> out.printf(
                Locale.ROOT,
                "%s  %s: %d extents, %,d bytes%n",
                indent,
                session == 0 ? "the pool" : "session " + session,
                sum[0],
                sum[1]));
        if (wrong != null) fault(wrong);
    }

    private void sessions(MemorySegment meta) {
        int found = 0;
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) {
            long at = NodeLayout.session(slot);
            long state = Words.acquire(meta, at + NodeLayout.SESSION_STATE);
            if (state == 0) continue;
            if (found++ == 0) out.println("  sessions");
            out.printf(
                    Locale.ROOT,
                    "    %7d  %-8s  pid %-8d epoch %-6d %s%n",
                    state >>> 8,
                    sessionState(state & 0xff),
                    Words.acquire(meta, at + NodeLayout.SESSION_PID),
                    Words.acquire(meta, at + NodeLayout.SESSION_EPOCH),
                    life(state >>> 8));
        }
        if (found == 0) out.println("  sessions      none");
    }

    private String life(long session) {
        if (session <= 0 || session >= NodeLayout.SESSION_NUMBERS) return "not a session";
        return pool.life((int) session).name().toLowerCase(Locale.ROOT);
    }

    private void fault(String sentence) {
        faults++;
        out.println("  WRONG: " + sentence);
    }

    private static String regionState(long state) {
        if (NodeLayout.isLive(state)) return "live";
        if (NodeLayout.isFreed(state)) return "freed";
        return state == NodeLayout.REGION_UNUSED ? "unused" : "?" + state;
    }

    private static String sessionState(long state) {
        if (state == NodeLayout.SESSION_ATTACHED) return "attached";
        return state == NodeLayout.SESSION_REVOKED ? "revoked" : "?" + state;
    }
}
