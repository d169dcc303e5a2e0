package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;

/**
 * Scans all objects of a pool after a loss of power, when every open transaction is resolved. The scan removes all
 * marks, because they belong to committed transactions, and all locks, because they have no owner. It rebuilds each
 * replica that is not in {@link Witnesses} from one that is. It compares every object, because such a replica may hold
 * versions older than the reported ones.
 */
public class RestartScan {
    /** About this many bytes are read at once. */
    private static final long PIECE_BYTES = 64 * 1024;

    private final PoolRegions pool;
    private final Placement placement;
    private final Lane lane;
    private final Witnesses witnesses;
    private final Set<Long> logged;
    private final Round round;
    private MemorySegment good;
    private MemorySegment other;
    private int marks;
    private int rebuilt;

    /** @param logged transactions of which a log was found: their marks are expected */
    protected RestartScan(PoolRegions pool, Lane lane, Witnesses witnesses, Set<Long> logged) {
        this.pool = pool;
        this.placement = pool.placement();
        this.lane = lane;
        this.witnesses = witnesses;
        this.logged = logged;
        this.round = lane.round(1);
    }

    /**
     * Returns the number of marks of which no log was found. They belong to transactions that had committed and whose
     * release was lost.
     */
    int marks() {
        return marks;
    }

    /** Returns the number of pieces of replicas that are not believed and differed from the witnesses. */
    int rebuilt() {
        return rebuilt;
    }

    void run(List<TableLayout> tables) {
        for (TableLayout table : tables) {
            int atOnce = (int) Math.max(1, PIECE_BYTES / table.bucketBytes());
            long max = Math.max(64, atOnce * table.bucketBytes());
            good = lane.landing(max);
            other = lane.landing(max);
            for (int partition = 0; partition < placement.partitions(); partition++) {
                for (TableLayout.Area area : table.areas()) {
                    repair(table, Pointer.of(partition, area.base()), 0);
                    for (long first = 0; first < area.buckets(); first += atOnce)
                        repair(table, Pointer.of(partition, area.firstBucket() + first * table.bucketBytes()), (int)
                                Math.min(atOnce, area.buckets() - first));
                }
            }
        }
    }

    /**
     * Repairs the given number of buckets from {@code pointer} on. 0 stands for the object at the beginning of an
     * area, which lies there alone.
     */
    private void repair(TableLayout table, long pointer, int buckets) {
        long bytes = buckets == 0 ? TableLayout.HEAD_BYTES : buckets * table.bucketBytes();
        int partition = Pointer.partition(pointer);
        int source = witnesses.first(partition);
        Region region = pool.replica(pointer, source);
        read(region, pointer, bytes, good);
        if (clean(table, pointer, buckets, good, source)) write(region, pointer, bytes);
        for (int r = 0; r < placement.copies(partition); r++) {
            if (r == source) continue;
            region = pool.replica(pointer, r);
            read(region, pointer, bytes, other);
            if (isSame(bytes)) continue;
            if (witnesses.is(partition, r)) {
                clean(table, pointer, buckets, other, r);
                if (!isSame(bytes))
                    throw new StoreException(
                            StoreException.Reason.CORRUPT,
                            "replicas " + source + " and " + r + " differ from " + Pointer.text(pointer)
                                    + " on, and both were flushed");
                write(region, pointer, bytes);
            } else {
                makeAnew(region, pointer, bytes);
            }
        }
    }

    /** Overwrites a piece of a replica that is not believed with the piece of a witness. */
    protected void makeAnew(Region region, long pointer, long bytes) {
        rebuilt++;
        write(region, pointer, bytes);
    }

    private boolean isSame(long bytes) {
        return MemorySegment.mismatch(good, 0, bytes, other, 0, bytes) < 0;
    }

    private void read(Region region, long pointer, long bytes, MemorySegment landing) {
        round.read(region, Pointer.offset(pointer), bytes, landing, 0).post().await();
    }

    private void write(Region region, long pointer, long bytes) {
        round.write(region, Pointer.offset(pointer), bytes, good, 0).post().await();
    }

    // ---- landed objects

    /** Removes marks and locks. Returns whether there were any. */
    private boolean clean(TableLayout table, long pointer, int buckets, MemorySegment memory, int replica) {
        if (buckets == 0) return cleanObject(memory, 0, TableLayout.HEAD_CONTENT, pointer, replica);
        boolean changed = false;
        for (int bucket = 0; bucket < buckets; bucket++) {
            long at = bucket * table.bucketBytes();
            changed |= cleanObject(memory, at, TableLayout.HEAD_CONTENT, pointer, replica);
            for (int slot = 0; slot < table.slots(); slot++)
                changed |= cleanObject(memory, at + table.slotOffset(slot), table.contentBytes(), pointer, replica);
        }
        return changed;
    }

    private boolean cleanObject(MemorySegment memory, long at, long contentBytes, long pointer, int replica) {
        long lock = Words.plain(memory, at + ObjectLayout.LOCK);
        long version = Words.plain(memory, at + ObjectLayout.VERSION);
        long body = at + ObjectLayout.BODY;
        boolean sound = ObjectLayout.isWhole(memory, body, ObjectLayout.bodyBytes(contentBytes))
                && Words.plain(memory, body + ObjectLayout.BODY_WRITER) == TxnId.of(version);
        if (!sound)
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "object " + Pointer.text(pointer + (at >>> 3)) + " is torn on replica " + replica
                            + ", and no log has what it was; its version is " + TxnId.text(version));
        if (version < 0 && !logged.contains(TxnId.of(version))) marks++;
        Words.plain(memory, at + ObjectLayout.LOCK, 0);
        Words.plain(memory, at + ObjectLayout.VERSION, TxnId.of(version));
        return lock != 0 || version < 0;
    }
}
