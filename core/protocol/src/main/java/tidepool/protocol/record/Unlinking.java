package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
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
 * The return of overflow buckets that a transaction empties. They leave their chains and become the first free ones, as
 * a part of the transaction. {@code docs/decisions/0018-overflow-buckets.md} says which transactions may run in
 * between.
 *
 * <pre>
 *   before   … -> previous -> bucket -> next …        count: first free f
 *   after    … -> previous -> next …                  count: first free bucket -> f
 * </pre>
 *
 * The transaction holds the lock of the first head of each of these chains, because it deletes a row there. No other
 * transaction inserts into the chain or deletes from it meanwhile: its pointers and PRESENT flags do not change.
 */
final class Unlinking {
    /** The maximum number of objects that a bucket adds to the write set: its head, the head before it, the count. */
    private static final int OBJECTS = 3;

    private final RecordTxn txn;
    private final WriteSet writes;
    private final LockPhase locks;
    private final Round round;
    private final MemorySegment memory;

    /** A deleted row of each bucket that becomes empty. */
    private final WriteTarget[] emptied;

    /** The buckets of these rows. */
    private final TxnKeyIndex known;

    private int count;

    Unlinking(RecordTxn txn, WriteSet writes, LockPhase locks, Round round, MemorySegment memory) {
        this.txn = txn;
        this.emptied = new WriteTarget[txn.room().objects() / 2];
        this.known = new TxnKeyIndex(emptied.length);
        this.writes = writes;
        this.locks = locks;
        this.round = round;
        this.memory = memory;
    }

    /**
     * Unlinks every bucket that the write set empties. All locks are held. Waits for further locks. Returns false if
     * the attempt was aborted.
     */
    boolean run() {
        find();
        if (count == 0) return true;
        for (int i = 0; i < count; i++) {
            long previous = previous(emptied[i]);
            if (previous == Pointer.NOWHERE) return txn.abort(AbortReason.BUCKET_CHANGED);
            writes.head(emptied[i].table, previous);
            writes.head(emptied[i].table, bucket(emptied[i]));
            writes.overflowCount(emptied[i].table, Pointer.partition(emptied[i].pointer));
        }
        if (locks.post()) {
            Step.LOCK.on(round).post().await();
            if (!locks.granted()) return false;
        }
        for (int i = 0; i < count; i++) unlink(emptied[i]);
        return true;
    }

    private static long bucket(WriteTarget row) {
        return row.table.bucketOf(row.pointer);
    }

    // ---- emptied buckets

    /** Fills {@link #emptied}, as far as the transaction has room for the additional writes. */
    private void find() {
        if (count > 0) known.clear();
        count = 0;
        readMissing();
        int deleted = writes.count();
        for (int i = 0; i < deleted; i++) {
            WriteTarget t = writes.get(i);
            if (!isDeletedFromOverflow(t) || isKnown(t) || !isEmpty(t)) continue;
            if (count == emptied.length || !txn.hasRoomFor(OBJECTS * (count + 1))) return;
            known.put(bucket(t), 0, count);
            emptied[count++] = t;
        }
    }

    private static boolean isDeletedFromOverflow(WriteTarget t) {
        return t.isRow() && t.written && (t.flags & ObjectLayout.PRESENT) == 0 && t.isInOverflow();
    }

    private boolean isKnown(WriteTarget t) {
        return count > 0 && known.find(bucket(t), 0) >= 0;
    }

    /** Reads the buckets that were not read after the locks of their chains; most were. */
    private void readMissing() {
        boolean any = false;
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            if (!isDeletedFromOverflow(t) || t.bucketLanded >= 0) continue;
            locks.readBucketOf(t, false);
            any = true;
        }
        if (any) Step.LOOKUP.on(round).post().await();
    }

    private boolean isEmpty(WriteTarget deleted) {
        TableLayout table = deleted.table;
        for (int slot = 0; slot < table.slots(); slot++) {
            WriteTarget own = writes.find(bucket(deleted) + (table.slotOffset(slot) >>> 3));
            boolean present = own != null && own.written
                    ? (own.flags & ObjectLayout.PRESENT) != 0
                    : ObjectLayout.isPresent(memory, deleted.bucketLanded + table.slotOffset(slot) + ObjectLayout.BODY);
            if (present) return false;
        }
        return true;
    }

    // ---- unlinking

    /** Returns the bucket that will point to the bucket of a row; NOWHERE if the chain does not contain that bucket. */
    private long previous(WriteTarget row) {
        long bucket = bucket(row);
        long at = row.home;
        for (int i = 0; i < Access.MAX_CHAIN; i++) {
            long next = next(at);
            if (next == bucket) return at;
            if (next == Pointer.NOWHERE || !row.table.isBucket(next)) break;
            at = next;
        }
        return Pointer.NOWHERE;
    }

    /**
     * Returns where a bucket points to; the new pointer, if its head is written. Waits for a READ if the head is not
     * known.
     */
    private long next(long bucket) {
        WriteTarget head = writes.find(bucket);
        if (head != null && head.held) return HeadWord.next(content(head));
        long landed = txn.take(Words.BYTES);
        Step.LOOKUP
                .on(round)
                .read(txn.primary(bucket), Pointer.offset(bucket) + ObjectLayout.CONTENT, Words.BYTES, memory, landed)
                .post()
                .await();
        return HeadWord.next(Words.plain(memory, landed));
    }

    private void unlink(WriteTarget row) {
        TableLayout table = row.table;
        long bucket = bucket(row);
        int partition = Pointer.partition(bucket);
        WriteTarget head = writes.find(bucket);
        WriteTarget before = writes.find(previous(row));
        WriteTarget counted = writes.overflowCount(table, partition);
        Checks.invariant(before != null && before.held, "the head before an empty bucket is locked", bucket);
        long word = content(counted);
        long free = OverflowCount.firstFree(word);
        content(before, HeadWord.withNext(content(before), content(head)));
        content(head, free == OverflowCount.NONE ? Pointer.NOWHERE : txn.freeBucket(table, partition, free));
        head.flags = ObjectLayout.flags(table.id(), false);
        content(counted, OverflowCount.of(OverflowCount.handedOut(word), table.overflowNumber(bucket)));
    }

    private long content(WriteTarget t) {
        return Words.plain(memory, t.staged + ObjectLayout.BODY_CONTENT);
    }

    private void content(WriteTarget t, long word) {
        Words.plain(memory, t.staged + ObjectLayout.BODY_CONTENT, word);
    }
}
