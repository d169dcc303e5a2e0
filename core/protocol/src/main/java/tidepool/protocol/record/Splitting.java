package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.store.HeadWord;
import tidepool.store.ObjectLayout;
import tidepool.store.OverflowCount;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;

/**
 * The split of a bucket, by which a table grows: a transaction of the pool's protocol that writes nothing but places.
 * It deletes the rows that move and inserts them into the new bucket with the same values, so that locks, logs,
 * versions and recovery are those of any transaction. {@code docs/decisions/0031-growth.md} says which transactions may
 * run in between.
 *
 * <pre>
 *   reads    size, count of overflow buckets; then, each in the bracket of a lookup, the old chain and the new bucket
 *   writes   per row that moves: its slot, a slot of the new bucket;   both heads: depth + 1;   size + 1
 * </pre>
 */
final class Splitting {
    /** The result of an attempt. */
    enum Result {
        /** A bucket was split. */
        SPLIT,
        /** The partition has room: no split is needed. */
        ENOUGH,
        /** A split, or an insert, needs an area that the table does not have, or that is not known here. */
        NO_AREA,
        /** Another transaction was in the way, or the split is too large. */
        GIVEN_UP
    }

    /**
     * A partition grows when it has handed out more than one overflow bucket for this number of first buckets. A table
     * with as many rows as it was made for has fewer, and keeps its size.
     */
    private static final int BUCKETS_PER_OVERFLOW = 5;

    /** A partition of few buckets first uses the overflow buckets that every table is made with. */
    private static final int FEW_BUCKETS = 15;

    private static final long SAMPLES = 2L * Words.BYTES;

    private final RecordTxn txn;
    private final BucketScan scan;
    private final WriteSet writes;
    private final Round round;
    private final MemorySegment memory;

    private TableLayout table; // null in other transactions
    private int partition;
    private long size;
    private long handedOut;
    private int depth;
    private WriteTarget source;
    private WriteTarget target;
    private WriteTarget counted;
    private int moved;

    Splitting(RecordTxn txn, BucketScan scan, WriteSet writes, Round round, MemorySegment memory) {
        this.txn = txn;
        this.scan = scan;
        this.writes = writes;
        this.round = round;
        this.memory = memory;
    }

    /** Called when a transaction begins. */
    void clear() {
        if (table != null) table = null;
        moved = 0;
    }

    // ---- plan

    /**
     * Reads what the split needs, and declares it. Waits for the memory nodes. Returns {@link Result#SPLIT} if all is
     * declared.
     *
     * @param expected the overflow buckets that will be handed out, if these are more than are handed out now
     */
    Result plan(TableLayout ofTable, int ofPartition, long expected) {
        if (!ofTable.hasGrown()) {
            if (isEnough(ofTable, ofPartition, expected)) return Result.ENOUGH;
            txn.learnAreas(ofTable);
            if (!ofTable.hasGrown()) return Result.NO_AREA;
        }
        if (isEnough(ofTable, ofPartition, expected)) return Result.ENOUGH;
        if (size >= ofTable.bucketRoom()) return Result.NO_AREA;
        depth = ofTable.depthOfNextSplit(size);
        long from = ofTable.firstBucket(ofPartition, ofTable.nextSplit(size));
        long to = ofTable.firstBucket(ofPartition, size);
        if (!txn.mayWrite(ofTable, ofPartition)) return Result.GIVEN_UP;
        if (!scan.read(ofTable, from, to)) return Result.GIVEN_UP;
        if (!isAsExpected()) {
            txn.abort(AbortReason.BUCKET_CHANGED);
            return Result.GIVEN_UP;
        }
        table = ofTable;
        partition = ofPartition;
        source = head(from, 0);
        target = head(to, 1);
        counted = writes.size(table, partition);
        moved = scan.declareMoves(table, depth);
        return hasOverflow() ? Result.SPLIT : Result.GIVEN_UP;
    }

    /**
     * Whether the new chain gets the overflow buckets that it needs. If there are too few, the split is aborted. Those
     * of the old chain become free only with the split.
     */
    private boolean hasOverflow() {
        long needed = (moved - 1L) / table.slots();
        if (moved == 0 || handedOut + needed <= table.overflowRoom()) return true;
        txn.growth().needOverflow(table, partition, handedOut + needed);
        return txn.abort(AbortReason.TABLE_GROWS);
    }

    private WriteTarget head(long bucket, int chain) {
        WriteTarget head = writes.head(table, bucket);
        head.expected = scan.version(chain);
        return head;
    }

    /** Reads the size and the count of overflow buckets. Returns whether the partition need not grow. */
    private boolean isEnough(TableLayout ofTable, int ofPartition, long expected) {
        long landed = txn.take(SAMPLES);
        read(ofTable.overflowCount(ofPartition), landed);
        boolean grown = ofTable.hasGrown();
        if (grown) read(ofTable.sizeObject(ofPartition), landed + Words.BYTES);
        Step.LOOKUP.on(round).post().await();
        long count = Words.plain(memory, landed);
        size = sizeOf(ofTable, grown ? Words.plain(memory, landed + Words.BYTES) : 0);
        handedOut = OverflowCount.handedOut(count);
        return !isCrowded(Math.max(handedOut, expected), size);
    }

    /** Returns whether a partition of this size should grow, given the overflow buckets that it has handed out. */
    static boolean isCrowded(long handedOut, long size) {
        return handedOut * BUCKETS_PER_OVERFLOW > size + FEW_BUCKETS;
    }

    /** Returns the size from which on a partition that has handed out these overflow buckets is not crowded. */
    static long sizeFor(long handedOut) {
        return Math.max(0, handedOut * BUCKETS_PER_OVERFLOW - FEW_BUCKETS);
    }

    private void read(long pointer, long landing) {
        long at = Pointer.offset(pointer) + ObjectLayout.CONTENT;
        round.read(txn.primary(pointer), at, Words.BYTES, memory, landing);
    }

    private static long sizeOf(TableLayout table, long word) {
        return word == 0 ? table.buckets() : word; // no bucket was split yet
    }

    /** Whether the bucket has the depth that the size says, and the new one was never used. */
    private boolean isAsExpected() {
        return HeadWord.depth(scan.head(0)) == depth && scan.head(1) == 0 && scan.rows(1) == 0;
    }

    // ---- carrying out

    /** Gives the rows that move their values, in their new places. All of them have been read. */
    void copyValues() {
        for (int i = 0; i < moved; i++) {
            Access from = txn.access(2 * i);
            Access to = txn.access(2 * i + 1);
            MemorySegment.copy(memory, txn.valueOf(from), memory, txn.valueOf(to), table.valueBytes());
        }
    }

    /**
     * Changes size and depths, under their locks. Does nothing in a transaction that is no split. Returns false if the
     * attempt was aborted.
     */
    boolean apply() {
        if (table == null) return true;
        long found = sizeOf(table, content(counted));
        boolean same =
                found == size && HeadWord.depth(content(source)) == depth && HeadWord.depth(content(target)) == 0;
        if (!same) return txn.abort(AbortReason.BUCKET_CHANGED); // another session has split this bucket
        deepen(source);
        deepen(target);
        Words.plain(memory, counted.staged + ObjectLayout.BODY_CONTENT, size + 1);
        return true;
    }

    private void deepen(WriteTarget head) {
        long word = HeadWord.of(HeadWord.next(content(head)), depth + 1);
        Words.plain(memory, head.staged + ObjectLayout.BODY_CONTENT, word);
    }

    private long content(WriteTarget t) {
        return Words.plain(memory, t.staged + ObjectLayout.BODY_CONTENT);
    }

    /** Tells a listener what this split is going to write. Everything has been read. */
    void announce(SplitListener to) {
        to.commits(txn.id(), table, source.pointer, source.expected, target.pointer, target.expected);
    }

    /** Called when the split has committed. */
    void committed() {
        table.learnSize(partition, size + 1);
    }
}
