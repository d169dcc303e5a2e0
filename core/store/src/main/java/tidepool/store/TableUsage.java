package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.schema.UpdateProfile;
import tidepool.store.motor.TupleLayout;

/**
 * The usage of the slots of a table, counted on the primaries. It is exact while no transaction writes; otherwise slots
 * that are being written are left out. Cells of tuples tell which attributes the last updates of each row have changed:
 * a sample of the updates, without any counting while transactions run. Every row contributes as many updates as its
 * tuple keeps, however often it was changed before.
 */
public final class TableUsage {
    private final TableLayout table;
    private long buckets;
    private long rows;
    private long tombstones;
    private long empty;
    private long torn;
    private long overflowBuckets;
    private long freeBuckets;
    private long chains;
    private long idleBuckets;
    private long versions;
    private long barBytes;
    private final Map<Long, Long> updates = new TreeMap<>();

    private TableUsage(TableLayout table) {
        this.table = table;
    }

    /**
     * Counts the first {@code max} buckets of each partition; overflow buckets in use follow the others. Waits for the
     * reads.
     *
     * @param session that lives; it gets one more lane, which is closed again
     */
    public static TableUsage of(Session session, Catalog catalog, TableLayout table, long max) {
        TableUsage usage = new TableUsage(table);
        catalog.learnAreas(table);
        Lane lane = session.lane();
        try {
            Round round = lane.round(1);
            MemorySegment landing = lane.landing(Math.max(TableLayout.HEAD_BYTES, table.bucketBytes()));
            Placement placement = catalog.placement();
            for (int p = 0; p < placement.partitions(); p++) {
                int node = placement.primary(p);
                Id128 region = session.fabric().control(node).regions()[catalog.partitionRegion(node, p)];
                usage.count(round, lane.connect(node).open(region), landing, max);
            }
        } finally {
            lane.close();
        }
        return usage;
    }

    private void count(Round round, Region region, MemorySegment landing, long max) {
        round.read(region, table.base(), TableLayout.HEAD_BYTES, landing, 0)
                .post()
                .await();
        long overflowed = OverflowCount.handedOut(Words.plain(landing, ObjectLayout.CONTENT));
        long size = size(round, region, landing);
        chains += size;
        long left = max;
        for (long bucket = 0; bucket < size && left > 0; bucket++, left--)
            countBucket(round, region, landing, table.firstBucket(0, bucket), false);
        for (long i = 0; i < overflowed && left > 0; i++, left--)
            countBucket(round, region, landing, table.overflowBucket(0, i), true);
    }

    /** Returns the number of first buckets of a partition. */
    private long size(Round round, Region region, MemorySegment landing) {
        if (!table.hasGrown()) return table.buckets();
        long at = Pointer.offset(table.sizeObject(0));
        round.read(region, at, TableLayout.HEAD_BYTES, landing, 0).post().await();
        return Math.max(table.buckets(), Words.plain(landing, ObjectLayout.CONTENT));
    }

    private void countBucket(Round round, Region region, MemorySegment landing, long pointer, boolean overflow) {
        round.read(region, Pointer.offset(pointer), table.bucketBytes(), landing, 0)
                .post()
                .await();
        buckets++;
        long before = rows;
        for (int slot = 0; slot < table.slots(); slot++) count(landing, table.slotOffset(slot));
        if (!overflow) return;
        if (isFree(landing)) freeBuckets++;
        else overflowBuckets++;
        if (!isFree(landing) && rows == before) idleBuckets++;
    }

    /**
     * Returns whether an overflow bucket that has landed was given back. The head of a bucket that was never used has
     * no writer.
     */
    private static boolean isFree(MemorySegment bucket) {
        return Words.plain(bucket, ObjectLayout.BODY + ObjectLayout.BODY_WRITER) != 0
                && !ObjectLayout.isPresent(bucket, ObjectLayout.BODY);
    }

    private void count(MemorySegment memory, long object) {
        long body = object + ObjectLayout.BODY;
        if (!ObjectLayout.isWhole(memory, body, ObjectLayout.bodyBytes(table.contentBytes()))) {
            torn++;
            return;
        }
        if (ObjectLayout.isPresent(memory, body)) rows++;
        else if (Words.plain(memory, body + ObjectLayout.BODY_WRITER) != 0) tombstones++;
        else empty++;
        if (!table.format().kind().equals(TupleLayout.KIND)) return;
        for (int i = 0; i < table.format().versions(); i++) {
            long cell = TupleLayout.cell(object + ObjectLayout.CONTENT, i);
            if (TupleLayout.stamp(memory, cell) == 0) continue;
            versions++;
            long delta = TupleLayout.deltaBytes(memory, cell);
            barBytes += delta;
            if (delta > 0) updates.merge(TupleLayout.bitmap(memory, cell), 1L, Long::sum);
        }
    }

    /** Returns the buckets that were counted, of all partitions. */
    public long buckets() {
        return buckets;
    }

    /** Returns the first buckets of all partitions, counted or not. */
    public long chains() {
        return chains;
    }

    /** Returns the slots that hold a row. */
    public long rows() {
        return rows;
    }

    /** Returns the slots whose row was deleted; they are free for new rows. */
    public long tombstones() {
        return tombstones;
    }

    /** Returns the slots that were never used. */
    public long empty() {
        return empty;
    }

    /** Returns the slots that were being written. */
    public long torn() {
        return torn;
    }

    /** Returns the overflow buckets that are in chains, of all partitions, among those that were counted. */
    public long overflowBuckets() {
        return overflowBuckets;
    }

    /** Returns the overflow buckets that were in chains and were given back. */
    public long freeBuckets() {
        return freeBuckets;
    }

    /** Returns the overflow buckets that are in chains and hold no row. */
    public long idleBuckets() {
        return idleBuckets;
    }

    /** Returns the cells that are not empty. */
    public long versions() {
        return versions;
    }

    /** Returns the bytes of the deltas that cells refer to. */
    public long barBytes() {
        return barBytes;
    }

    /** Returns the updates that the cells record, most frequent first; null if there are none. */
    public UpdateProfile updates() {
        if (updates.isEmpty()) return null;
        List<UpdateProfile.Kind> kinds = new ArrayList<>();
        updates.forEach((attributes, count) -> kinds.add(new UpdateProfile.Kind(attributes, count)));
        kinds.sort((a, b) -> Long.compare(b.weight(), a.weight()));
        return UpdateProfile.sampled(kinds);
    }

    /** Returns the counts in one line. */
    @Override
    public String toString() {
        String text = "table=" + table.name() + " rows=" + rows + " tombstones=" + tombstones + " empty=" + empty
                + " torn=" + torn + " buckets=" + buckets + " overflowBuckets=" + overflowBuckets + " freeBuckets="
                + freeBuckets + " idleBuckets=" + idleBuckets;
        return versions == 0 ? text : text + " versions=" + versions + " barBytes=" + barBytes;
    }
}
