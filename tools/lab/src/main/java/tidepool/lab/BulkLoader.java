package tidepool.lab;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.sim.SimFabric;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;
import tidepool.workload.measured.RowSink;

/**
 * Writes the initial rows directly into the memory of the nodes, as if one transaction had committed them before all
 * others. Inserts by transactions would take minutes of real time, none of which is measured. It reports the place of
 * each row, so that address caches can begin warm, as they are after the first seconds of a real run.
 */
final class BulkLoader implements RowSink {
    /** Called with the place of each row. */
    interface Found {
        void at(TableLayout table, long key, long pointer);
    }

    private static final long MAX_BYTES = 4096;

    private final List<TableLayout> tables;
    private final Placement placement;
    private final MemorySegment[][] regions;
    private final long writer;
    private final long stamp;
    private final Found found;
    // The body of an object, then its side memory outside the slot, which row makers write. Allocated once.
    private final MemorySegment row = Arena.ofAuto().allocate(2 * MAX_BYTES, Words.BYTES);
    private final MemorySegment body = row.asSlice(0, MAX_BYTES);
    private final MemorySegment side = row.asSlice(MAX_BYTES);
    private final MemorySegment head = Arena.ofAuto().allocate(TableLayout.HEAD_BYTES, Words.BYTES);
    private final long[][] overflows;
    private TableLayout table;
    private long key;

    /**
     * @param writer the id of a transaction that is used by no other
     * @param stamp its commit timestamp, where rows have versions
     */
    BulkLoader(SimFabric fabric, Catalog catalog, List<TableLayout> tables, long writer, long stamp, Found found) {
        this.tables = tables;
        this.placement = catalog.placement();
        this.writer = writer;
        this.stamp = stamp;
        this.found = found;
        this.regions = new MemorySegment[placement.nodes()][placement.partitions()];
        this.overflows = new long[tables.size()][placement.partitions()];
        for (int node = 0; node < regions.length; node++)
            for (int p = 0; p < placement.partitions(); p++)
                if (placement.holds(node, p))
                    regions[node][p] = fabric.memory(node)
                            .region(catalog.partitionRegion(node, p))
                            .data();
    }

    @Override
    public long row(int number, long newKey) {
        end();
        table = tables.get(number);
        key = newKey;
        body.asSlice(0, ObjectLayout.bodyBytes(table.contentBytes())).fill((byte) 0);
        side.fill((byte) 0);
        return FirstVersion.value(table) + (FirstVersion.liesInSideMemory(table) ? MAX_BYTES : 0);
    }

    @Override
    public MemorySegment memory() {
        return row;
    }

    /** Ends the last row. */
    void end() {
        if (table == null) return;
        long bytes = ObjectLayout.bodyBytes(table.contentBytes());
        long sideBytes = FirstVersion.make(table, key, stamp, writer, body, side);
        ObjectLayout.seal(body, 0, bytes, key, ObjectLayout.flags(table.id(), true), writer);
        long place = freeSlot();
        write(place, body, bytes);
        if (sideBytes > 0) writeSide(place, sideBytes);
        found.at(table, key, place);
        table = null;
    }

    private long freeSlot() {
        long bucket = table.home(key);
        MemorySegment memory = regions[placement.primary(Pointer.partition(bucket))][Pointer.partition(bucket)];
        while (true) {
            long at = Pointer.offset(bucket);
            for (int slot = 0; slot < table.slots(); slot++) {
                long slotAt = at + table.slotOffset(slot) + ObjectLayout.BODY;
                Checks.invariant(!ObjectLayout.holds(memory, slotAt, key), "a key is loaded once", key);
                if (!ObjectLayout.isPresent(memory, slotAt)) return bucket + (table.slotOffset(slot) >>> 3);
            }
            long next = Words.plain(memory, at + ObjectLayout.CONTENT);
            bucket = next != Pointer.NOWHERE ? next : chain(bucket);
        }
    }

    /** Appends a new overflow bucket to the last one of a chain. */
    private long chain(long tail) {
        int partition = Pointer.partition(tail);
        long used = overflows[tables.indexOf(table)][partition]++;
        Checks.invariant(used < table.overflow(), "a table has room for its rows", used);
        long bucket = table.overflowBucket(partition, used);
        writeHead(tail, tail, bucket);
        writeHead(table.overflowCount(partition), 0, used + 1);
        return bucket;
    }

    private void writeHead(long place, long headKey, long content) {
        long bytes = ObjectLayout.bodyBytes(TableLayout.HEAD_CONTENT);
        Words.plain(head, ObjectLayout.BODY_CONTENT, content);
        ObjectLayout.seal(head, 0, bytes, headKey, ObjectLayout.flags(table.id(), true), writer);
        write(place, head, bytes);
    }

    private void writeSide(long place, long bytes) {
        int partition = Pointer.partition(place);
        long at = Pointer.offset(table.side(place));
        for (int r = 0; r < placement.replicas(); r++)
            MemorySegment.copy(side, 0, regions[placement.replica(partition, r)][partition], at, bytes);
    }

    private void write(long place, MemorySegment image, long bytes) {
        int partition = Pointer.partition(place);
        long at = Pointer.offset(place);
        for (int r = 0; r < placement.replicas(); r++) {
            MemorySegment to = regions[placement.replica(partition, r)][partition];
            MemorySegment.copy(image, 0, to, at + ObjectLayout.BODY, bytes);
            Words.plain(to, at + ObjectLayout.VERSION, writer);
        }
    }
}
