package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.ReplicaFill;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;

/**
 * A filler of incomplete copies of a partition while transactions run. Transactions write these copies like all others.
 *
 * <pre>
 *   look    READ a piece of the primary, READ this piece of the new copy: an object that is equal and unmarked on both
 *           stays equal, because its next writer writes both
 *   lock    of objects that differ: WRITE intent -> CAS LOCK -> READ VER and body, on the primary
 *   copy    WRITE VER and body, on the new copy alone
 *   free    WRITE LOCK=0
 * </pre>
 *
 * If a slot has a side block of its own, the block is compared and copied with the slot.
 *
 * <p>While the filler holds the lock, no transaction writes the object. Otherwise the copy could overwrite a later
 * image. A crash leaves locks without a log, which recovery frees like all others, and a copy that no session reads or
 * trusts.
 */
public class ReplicaFiller implements ReplicaFill {
    private static final long PIECE_BYTES = 32 * 1024;
    private static final int AT_ONCE = 32;
    private static final long PAUSE_NANOS = 20_000;
    private static final long MAX_PAUSE_NANOS = 64 * PAUSE_NANOS;
    private static final long BLOCKED_PAUSE_NANOS = 8 * PAUSE_NANOS;

    private final RecordCoordinator coordinator;
    private final Catalog catalog;
    protected final PoolRegions pool;
    private final Placement placement;
    private final Lane lane;
    protected final Round round;
    protected final MemorySegment found;
    protected MemorySegment ours;
    private MemorySegment theirs;
    private MemorySegment ourSides;
    private MemorySegment theirSides;
    private MemorySegment side;
    protected MemorySegment image;
    private final LockWords lockWords;
    private long holder;
    private long copied;

    public ReplicaFiller(RecordCoordinator coordinator, Catalog catalog) {
        this(coordinator, catalog, LockWords.WHOLE);
    }

    /** @param coordinator the coordinator whose place and log area are used; it runs no transactions meanwhile */
    public ReplicaFiller(RecordCoordinator coordinator, Catalog catalog, LockWords lockWords) {
        this.lockWords = lockWords;
        this.coordinator = coordinator;
        this.catalog = catalog;
        this.pool = coordinator.pool();
        this.placement = pool.placement();
        this.lane = coordinator.lane();
        this.round = lane.round(3 * AT_ONCE);
        this.found = lane.landing(AT_ONCE * (long) Words.BYTES);
    }

    @Override
    public boolean isBroken() {
        return coordinator.isBroken();
    }

    @Override
    public long copied() {
        return copied;
    }

    /** If it is cut off, it may hold locks, which are left to the recoverer of its session. */
    @Override
    public void fill(int partition, Progress progress) {
        boolean done = false;
        try {
            fillAll(partition, progress);
            done = true;
        } finally {
            if (!done) coordinator.markBroken("filling was cut off");
        }
    }

    private void fillAll(int partition, Progress progress) {
        long total = 0;
        // Areas that tables get from now on need no filling: they are zero on all copies, and are written on all.
        List<TableLayout> tables = catalog.tables();
        for (TableLayout table : tables) total += table.bytes();
        long done = 0;
        for (TableLayout table : tables) {
            int atOnce = (int) Math.max(1, PIECE_BYTES / table.bucketBytes());
            long max = Math.max(64, atOnce * table.bucketBytes());
            ours = room(ours, max);
            theirs = room(theirs, max);
            long sides = (long) atOnce * table.slots() * table.format().sideStride();
            if (sides > 0) {
                ourSides = room(ourSides, sides);
                theirSides = room(theirSides, sides);
                side = room(side, AT_ONCE * table.format().sideBytes());
            }
            image = room(image, AT_ONCE * table.recordBytes());
            for (TableLayout.Area area : table.areas()) {
                fill(table, Pointer.of(partition, area.base()), 0, progress);
                for (long first = 0; first < area.buckets(); first += atOnce) {
                    int count = (int) Math.min(atOnce, area.buckets() - first);
                    long at = area.firstBucket() + first * table.bucketBytes();
                    fill(table, Pointer.of(partition, at), count, progress);
                    progress.at(done + (first + count) * table.bucketBytes(), total);
                }
                done += area.bytes();
            }
        }
        if (catalog.flush().isDurable()) flush(partition);
    }

    private MemorySegment room(MemorySegment memory, long bytes) {
        return memory == null || memory.byteSize() < bytes ? lane.landing(bytes) : memory;
    }

    /** Fills {@code buckets} buckets from a pointer on; 0 buckets stands for the object at the beginning of an area. */
    private void fill(TableLayout table, long pointer, int buckets, Progress progress) {
        int partition = Pointer.partition(pointer);
        long bytes = buckets == 0 ? TableLayout.HEAD_BYTES : buckets * table.bucketBytes();
        for (int copy = placement.whole(partition); copy < placement.copies(partition); copy++) {
            long pause = PAUSE_NANOS;
            while (!isFilled(table, pointer, buckets, bytes, copy)) {
                Waiting.pause(pause);
                pause = Math.min(2 * pause, MAX_PAUSE_NANOS);
                if (pause > BLOCKED_PAUSE_NANOS) progress.blocked();
            }
        }
    }

    /** Returns false if other transactions held locks: the piece is examined again. */
    private boolean isFilled(TableLayout table, long pointer, int buckets, long bytes, int copy) {
        round.read(pool.primary(pointer), Pointer.offset(pointer), bytes, ours, 0)
                .read(pool.replica(pointer, copy), Pointer.offset(pointer), bytes, theirs, 0);
        long sideBytes = table.format().sideBytes();
        long stride = table.format().sideStride();
        if (buckets > 0 && sideBytes > 0) {
            long first = Pointer.offset(table.side(pointer + (table.slotOffset(0) >>> 3)));
            long all = (long) buckets * table.slots() * stride;
            round.read(pool.primary(pointer), first, all, ourSides, 0)
                    .read(pool.replica(pointer, copy), first, all, theirSides, 0);
        }
        round.post().await();
        List<Long> differ = new ArrayList<>();
        if (buckets == 0) {
            if (!isSame(0, TableLayout.HEAD_BYTES)) differ.add(0L);
            return copyAll(null, pointer, differ, TableLayout.HEAD_BYTES, copy);
        }
        for (int bucket = 0; bucket < buckets; bucket++) {
            long at = bucket * table.bucketBytes();
            if (!isSame(at, TableLayout.HEAD_BYTES)) differ.add(at);
        }
        boolean heads = copyAll(null, pointer, differ, TableLayout.HEAD_BYTES, copy);
        differ.clear();
        for (int bucket = 0; bucket < buckets; bucket++)
            for (int slot = 0; slot < table.slots(); slot++) {
                long at = bucket * table.bucketBytes() + table.slotOffset(slot);
                boolean same = isSame(at, table.recordBytes());
                if (sideBytes > 0) same &= isSideSame((bucket * (long) table.slots() + slot) * stride, sideBytes);
                if (!same) differ.add(at);
            }
        return copyAll(sideBytes > 0 ? table : null, pointer, differ, table.recordBytes(), copy) && heads;
    }

    private boolean isSideSame(long at, long bytes) {
        return MemorySegment.mismatch(ourSides, at, at + bytes, theirSides, at, at + bytes) < 0;
    }

    /** Whether both copies show an equal, unmarked object. Locks exist on the primary alone and are not compared. */
    protected boolean isSame(long at, long bytes) {
        return Words.plain(ours, at + ObjectLayout.VERSION) >= 0
                && MemorySegment.mismatch(
                                ours,
                                at + ObjectLayout.VERSION,
                                at + bytes,
                                theirs,
                                at + ObjectLayout.VERSION,
                                at + bytes)
                        < 0;
    }

    /** @param sides the table whose side blocks are copied too; null if there are none */
    private boolean copyAll(TableLayout sides, long pointer, List<Long> offsets, long bytes, int copy) {
        boolean all = true;
        for (int from = 0; from < offsets.size(); from += AT_ONCE)
            all &= copy(sides, pointer, offsets.subList(from, Math.min(from + AT_ONCE, offsets.size())), bytes, copy);
        return all;
    }

    private boolean copy(TableLayout sides, long pointer, List<Long> offsets, long bytes, int copy) {
        holder = coordinator.nextId();
        lockAndRead(pointer, offsets, bytes, holder);
        if (sides != null) readSides(sides, pointer, offsets);
        int granted = 0;
        for (int i = 0; i < offsets.size(); i++) {
            if (!isGranted(i)) continue;
            granted++;
            if (sides != null) {
                long block = sides.side(pointer + (offsets.get(i) >>> 3));
                long length = sides.format().sideBytes();
                round.write(pool.replica(pointer, copy), Pointer.offset(block), length, side, i * length);
            }
            long at = Pointer.offset(pointer) + offsets.get(i) + ObjectLayout.VERSION;
            round.write(pool.replica(pointer, copy), at, bytes - ObjectLayout.VERSION, image, i * bytes);
        }
        if (granted == 0) return false;
        round.post().await();
        copied += granted;
        free(pointer, offsets);
        return granted == offsets.size();
    }

    private boolean isGranted(int i) {
        return lockWords.holder(Words.plain(found, i * (long) Words.BYTES)) == 0;
    }

    /** Reads the side blocks of slots whose locks were granted. */
    private void readSides(TableLayout table, long pointer, List<Long> offsets) {
        long bytes = table.format().sideBytes();
        boolean any = false;
        for (int i = 0; i < offsets.size(); i++) {
            if (!isGranted(i)) continue;
            long block = Pointer.offset(table.side(pointer + (offsets.get(i) >>> 3)));
            round.read(pool.primary(pointer), block, bytes, side, i * bytes);
            any = true;
        }
        if (any) round.post().await();
    }

    /** Releases the locks that were granted. */
    protected void free(long pointer, List<Long> offsets) {
        for (int i = 0; i < offsets.size(); i++)
            if (isGranted(i)) {
                long at = Pointer.offset(pointer) + offsets.get(i) + ObjectLayout.LOCK;
                lockWords.release(round, pool.primary(pointer), at, holder);
            }
        round.post().await();
    }

    /** Asks for the locks and reads the objects. Waits for the primary. */
    protected void lockAndRead(long pointer, List<Long> offsets, long bytes, long txn) {
        Region primary = pool.primary(pointer);
        int node = placement.primary(Pointer.partition(pointer));
        for (int i = 0; i < offsets.size(); i++) {
            long at = Pointer.offset(pointer) + offsets.get(i);
            round.write(pool.log(node), coordinator.intent(i), pointer + (offsets.get(i) >>> 3));
            lockWords.take(round, primary, at + ObjectLayout.LOCK, txn, found, i * (long) Words.BYTES);
            round.read(primary, at + ObjectLayout.VERSION, bytes - ObjectLayout.VERSION, image, i * bytes);
        }
        round.post().await();
    }

    private void flush(int partition) {
        for (int copy = placement.whole(partition); copy < placement.copies(partition); copy++)
            round.flush(pool.log(placement.replica(partition, copy)).link());
        round.post().await();
        for (int copy = placement.whole(partition); copy < placement.copies(partition); copy++)
            catalog.setFlushed(placement.replica(partition, copy), partition, true);
    }

    @Override
    public void close() {
        coordinator.close();
    }
}
