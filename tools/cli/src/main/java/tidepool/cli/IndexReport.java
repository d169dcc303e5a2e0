package tidepool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tidepool.base.Words;
import tidepool.fabric.shm.PoolInspection;
import tidepool.memory.NodeInspection;
import tidepool.memory.RegionLayout;
import tidepool.schema.IndexKeys;
import tidepool.schema.IndexSchema;
import tidepool.store.CatalogImageReader;
import tidepool.store.CatalogLayout;
import tidepool.store.ContentAudit;
import tidepool.store.IndexNodeLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;

/** Prints the nodes of the indexes of a table, level by level from the root on, by their layout. */
final class IndexReport {
    private static final HexFormat HEX = HexFormat.of();

    /** A node as it lies in memory, in the first copy of its partition. */
    private record Node(long number, MemorySegment memory, long value, long lock) {
        int level() {
            return IndexNodeLayout.level(memory, value);
        }

        byte[] low(int width) {
            return bytes(IndexNodeLayout.low(value), width);
        }

        byte[] high(int width) {
            return bytes(IndexNodeLayout.high(value, width), width);
        }

        private byte[] bytes(long at, int width) {
            return memory.asSlice(at, width).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private final PrintWriter out;
    private final PoolInspection pool;
    private int faults;

    IndexReport(PrintWriter out, PoolInspection pool) {
        this.out = out;
        this.pool = pool;
    }

    /** Returns the number of faults found so far. */
    int faults() {
        return faults;
    }

    /** Prints all indexes of a table. */
    void table(String name) throws IOException {
        MemorySegment first = region(0, 0);
        CatalogImageReader catalog = first == null ? null : CatalogImageReader.of(first);
        if (catalog == null) throw new UserError("no pool was laid out here: " + pool.path());
        List<TableLayout> tables = catalog.tables();
        TableLayout table = find(tables, name);
        TableLayout nodes = find(tables, name + ".index");
        if (table == null) throw new UserError("no such table: " + name);
        if (!table.schema().isIndexed() || nodes == null) {
            out.println("table " + name + " has no indexes");
            return;
        }
        List<Node> all = new ArrayList<>();
        int partitions = (int) Words.plain(first, CatalogLayout.PARTITIONS);
        for (int p = 0; p < partitions; p++) add(nodes, copy(p), all);
        for (IndexSchema index : table.schema().indexes()) index(table, index, all);
    }

    private static TableLayout find(List<TableLayout> tables, String name) {
        return tables.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Returns the part of a region that verbs reach; null if the file is missing or damaged. */
    private MemorySegment region(int node, int number) throws IOException {
        MemorySegment whole = pool.map(pool.region(node, number));
        if (whole == null || NodeInspection.faultOfRegion(whole, number) != null) return null;
        return whole.asSlice(Words.plain(whole, RegionLayout.DATA));
    }

    /** Returns the first copy of a partition that can be read; null if there is none. */
    private MemorySegment copy(int partition) throws IOException {
        for (int node = 0; node < pool.nodes(); node++) {
            MemorySegment catalog = region(node, 0);
            if (catalog == null) continue;
            int number = (int) Words.plain(catalog, CatalogLayout.partitionRegion(partition));
            MemorySegment copy = number == 0 ? null : region(node, number);
            if (copy != null) return copy;
        }
        fault("no copy of partition " + partition + " can be read");
        return null;
    }

    private static void add(TableLayout nodes, MemorySegment copy, List<Node> all) {
        if (copy == null) return;
        for (TableLayout.Area area : nodes.areas()) {
            for (long bucket = 0; bucket < area.buckets(); bucket++) {
                for (int slot = 0; slot < nodes.slots(); slot++) {
                    long at = area.firstBucket() + bucket * nodes.bucketBytes() + nodes.slotOffset(slot);
                    long body = at + ObjectLayout.BODY;
                    if (!ObjectLayout.isPresent(copy, body)) continue;
                    all.add(new Node(
                            nodes.keyOf(copy, body).word(),
                            copy,
                            ContentAudit.valueOffset(nodes, Pointer.of(0, at)),
                            Words.plain(copy, at + ObjectLayout.LOCK)));
                }
            }
        }
    }

    private void index(TableLayout table, IndexSchema index, List<Node> all) {
        int width = IndexKeys.of(table.schema(), index).width();
        List<Node> own = new ArrayList<>();
        List<Node> broken = new ArrayList<>();
        Set<Integer> levels = new HashSet<>();
        long entries = 0;
        for (Node each : all) {
            if (IndexNodeLayout.indexOf(each.number) != index.number()) continue;
            boolean isSound = IndexNodeLayout.isSound(each.memory, each.value, width)
                    && IndexNodeLayout.index(each.memory, each.value) == index.number();
            (isSound ? own : broken).add(each);
            if (!isSound) continue;
            levels.add(each.level());
            if (each.level() == 0) entries += IndexNodeLayout.entries(each.memory, each.value);
        }
        own.sort(Comparator.comparingInt(Node::level)
                .reversed()
                .thenComparing((a, b) -> Arrays.compareUnsigned(a.low(width), b.low(width))));
        out.printf(
                Locale.ROOT,
                "%s: %,d entries of %d bytes, %d levels, %,d nodes; a leaf has room for %d, an inner node for %d%n",
                index,
                entries,
                width,
                levels.size(),
                own.size() + broken.size(),
                IndexNodeLayout.leafCapacity(width),
                IndexNodeLayout.innerCapacity(width));
        TextTable text = new TextTable("  node", "level", "entries", "low", "high", "next", "");
        for (Node each : own) text.row(row(each, width));
        if (!own.isEmpty()) text.print(out::println);
        for (Node each : broken) fault("node " + Long.toHexString(each.number) + " has numbers that no node has");
    }

    private static Object[] row(Node node, int width) {
        long next = IndexNodeLayout.next(node.memory, node.value);
        boolean isLast = IndexNodeLayout.isLast(node.memory, node.value);
        return new Object[] {
            "  " + Long.toHexString(node.number),
            node.level(),
            IndexNodeLayout.entries(node.memory, node.value),
            HEX.formatHex(node.low(width)),
            isLast ? "-" : HEX.formatHex(node.high(width)),
            next == 0 ? "-" : Long.toHexString(next),
            node.lock == 0 ? "" : "locked by " + TxnId.text(node.lock)
        };
    }

    private void fault(String sentence) {
        faults++;
        out.println("  WRONG: " + sentence);
    }
}
