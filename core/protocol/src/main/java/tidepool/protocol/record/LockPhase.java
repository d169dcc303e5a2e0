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
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;

/**
 * The lock phase: decides what to lock, takes the locks, and examines what they protect (§4.2). Inserts and deletes
 * also lock the head of the first bucket of their chain. All inserts and deletes of the keys of that chain contend
 * there.
 */
final class LockPhase {
    private final RecordTxn txn;
    private final WriteSet writes;
    private final Round round;
    private final MemorySegment memory;
    private final boolean early;

    /** Inserts that take free buckets whose heads are being locked. */
    private final Access[] takers;

    private int taken;

    LockPhase(RecordTxn txn, WriteSet writes, Round round, MemorySegment memory, boolean early) {
        takers = new Access[txn.room().objects()];
        this.early = early;
        this.txn = txn;
        this.writes = writes;
        this.round = round;
        this.memory = memory;
    }

    /** Whether records to write are locked when they are read, and not only at commit. */
    boolean isEarly() {
        return early;
    }

    /**
     * Decides which objects an access locks. Returns false if the attempt was aborted.
     *
     * @param locksReads whether records that are only read are locked too
     */
    boolean plan(Access a, boolean locksReads) {
        if (a.before != null) return planAgain(a);
        if (a.isInsert()) return planInsert(a);
        if (!a.found) return true;
        boolean written = a.kind == Access.Kind.UPDATE || a.kind == Access.Kind.PUT || a.kind == Access.Kind.DELETE;
        if (written) planRecord(a);
        else if (locksReads) a.guard = writes.guarded(a);
        return true;
    }

    private void planRecord(Access a) {
        a.record = writes.record(a);
        a.readsFirst = !early;
        noteSeen(a, a.record);
        if (a.kind != Access.Kind.DELETE) return;
        a.head = writes.head(a.table, homeOf(a));
        noteSeen(a, a.head);
    }

    /** Returns the head of the chain of a row that was found. Under the lock, {@link #isItsHead} checks it. */
    private static long homeOf(Access a) {
        if (!a.table.hasGrown()) return a.table.home(a.key);
        if (a.bucketLanded >= 0) return a.chain[0];
        return a.table.isOverflow(a.pointer) ? a.table.home(a.key) : a.table.bucketOf(a.pointer);
    }

    /**
     * Checks, under the lock, that the head of a delete is that of the chain of its key: a split may have moved the key
     * since. Returns false if the attempt was aborted.
     */
    boolean isItsHead(Access a) {
        if (a.kind != Access.Kind.DELETE || a.head == null || !a.head.held) return true;
        long word = Words.plain(memory, a.head.landed + ObjectLayout.CONTENT);
        if (a.table.isHome(a.key, a.head.pointer, word)) {
            a.record.home = a.head.pointer;
            return true;
        }
        a.table.learn(a.head.pointer, word);
        txn.forgetAddress(a);
        return txn.abort(AbortReason.STALE_ADDRESS);
    }

    /** The record is one that an earlier access writes; only its head may be missing. */
    private boolean planAgain(Access a) {
        a.record = a.before.record;
        a.head = a.before.head;
        a.landed = a.record.landed;
        if (a.found && a.pointer != a.record.pointer) return txn.abort(AbortReason.BUCKET_CHANGED);
        if (a.kind != Access.Kind.DELETE || a.head != null) return true;
        a.head = writes.head(a.table, homeOf(a));
        noteSeen(a, a.head);
        if (early || a.head.isRead()) return true;
        a.readsFirst = true; // of the head
        a.landed = -1;
        return true;
    }

    /**
     * The last bucket that the lookup read is still in memory. Its objects are known, as a hint, before their locks are
     * granted.
     */
    private void noteSeen(Access a, WriteTarget t) {
        if (t.asked || a.bucketLanded < 0 || a.chainLength == 0) return;
        long at = (t.pointer - a.chain[a.chainLength - 1]) << 3;
        if (at != 0 && !a.landedWhole) return;
        if (at >= 0 && at < a.table.bucketBytes()) t.seen = a.bucketLanded + BucketFinder.BUCKET + at;
    }

    private boolean planInsert(Access a) {
        a.head = writes.head(a.table, a.chain[0]);
        noteSeen(a, a.head);
        // Every insert and delete writes the head: while the head is unchanged, so is the chain.
        if (!early && !a.head.isRead()) a.head.expected = a.versionSeen;
        // Two inserts that read the chain at different moments may have taken different slots for free.
        if (!early && a.head.expected != a.versionSeen) return txn.abort(AbortReason.BUCKET_CHANGED);
        a.record = freeSlot(a);
        if (a.record == null) {
            if (a.chainLength == Access.MAX_CHAIN) return waitForSplits(a, 0);
            a.overflows = true;
            writes.head(a.table, a.chain[a.chainLength - 1]);
            writes.overflowCount(a.table, Pointer.partition(a.chain[0]));
            a.record = writes.unplaced(a);
        }
        a.record.fresh = true;
        empty(a.record);
        if (a.wideKey != Access.NARROW)
            MemorySegment.copy(memory, a.wideKey, memory, a.record.staged + a.table.keyOffset(), a.table.keyBytes());
        return true;
    }

    private WriteTarget freeSlot(Access a) {
        for (int i = 0; i < a.freeSlots; i++) {
            if (writes.find(a.freeSlot[i]) != null) continue; // another insert of this transaction has it
            a.pointer = a.freeSlot[i];
            WriteTarget slot = writes.record(a);
            noteSeen(a, slot);
            return slot;
        }
        return null;
    }

    /** Asks for every lock whose place is known and that was not asked for yet. Returns false if there is none. */
    boolean post() {
        boolean any = false;
        for (int i = writes.open(); i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            if (t.asked || t.pointer == Pointer.NOWHERE) continue;
            if (!any) txn.lockPreamble().add();
            t.asked = true;
            any = true;
            t.intent = txn.nextIntent(t);
            if (t.isRead() && !t.isHead()) txn.verbs().lockRead(round, t, txn.id(), t.intent);
            else txn.verbs().lock(round, t, txn.id(), t.intent);
        }
        return any;
    }

    /** Reads the chain on which an insert depends once more, after the lock of the head. */
    void readChainAgain(Access a, boolean overwrites) {
        if (!overwrites) a.chainLanded = txn.take(a.table.bucketBytes() * a.chainLength);
        for (int i = 0; i < a.chainLength; i++)
            BucketRead.add(
                    round,
                    txn.primary(a.chain[i]),
                    Pointer.offset(a.chain[i]),
                    a.table,
                    memory,
                    a.chainLanded + i * a.table.bucketBytes());
    }

    /**
     * Reads the bucket from which a row is deleted, after the lock of the first head of its chain: the bucket may
     * become empty.
     */
    void readBucketOf(WriteTarget row, boolean overwrites) {
        long bytes = row.table.bucketBytes();
        long bucket = row.table.bucketOf(row.pointer);
        if (!overwrites) row.bucketLanded = txn.take(bytes);
        BucketRead.add(round, txn.primary(bucket), Pointer.offset(bucket), row.table, memory, row.bucketLanded);
    }

    /** Examines the answers to the locks that were asked for last. Returns false if the attempt was aborted. */
    boolean granted() {
        boolean all = true;
        int open = writes.open();
        for (int i = open; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            if (!t.asked || t.held) continue;
            long found = Words.plain(memory, t.lockFound);
            t.held = txn.verbs().isGranted(found);
            t.isNew = t.held;
            if (t.held) continue;
            txn.blockedBy(found);
            all = false;
        }
        if (!all && !txn.lockWait().await(writes)) return txn.abort(AbortReason.LOCKED);
        for (int i = open; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            if (!t.isNew) continue;
            t.isNew = false;
            if (!take(t)) return false;
        }
        return true;
    }

    /**
     * Examines an object whose lock was just granted: is it as it was read before, or, if it was not read, what is in
     * it?
     */
    private boolean take(WriteTarget t) {
        if (t.isRead() && !t.isHead()) return txn.verbs().isAsRead(t) || txn.abort(AbortReason.VERSION_CHANGED);
        if (t.isRead() && t.version(memory) != t.expected) return txn.abort(AbortReason.BUCKET_CHANGED);
        // The previous holder made it visible before it unlocked, and no other transaction writes while we hold the
        // lock.
        Checks.invariant(t.version(memory) >= 0, "a locked object is visible");
        boolean whole = ObjectLayout.isWhole(memory, t.landed + ObjectLayout.BODY, t.bodyBytes);
        Checks.invariant(whole, "a locked object is whole");
        // The new body starts as a copy of the old one.
        if (!t.fresh) MemorySegment.copy(memory, t.landed + ObjectLayout.BODY, memory, t.staged, t.bodyBytes);
        return true;
    }

    /**
     * Checks, under the locks, that keys found are still there and absent keys still absent. Returns false if the
     * attempt was aborted.
     */
    boolean confirm(Access a) {
        if (!isItsHead(a)) return false;
        if (a.before != null) return true;
        if (a.isInsert()) return stillAbsent(a) || txn.abort(AbortReason.BUCKET_CHANGED);
        WriteTarget t = a.guard != null ? a.guard : a.record;
        if (t == null) return true;
        long body = t.landed + ObjectLayout.BODY;
        if (!txn.verbs().leadsTo(memory, body, a.key) || !a.isKeyOf(txn.verbs(), memory, body)) {
            txn.forgetAddress(a);
            return txn.abort(AbortReason.STALE_ADDRESS);
        }
        txn.rememberAddress(a);
        a.landed = t.landed;
        if (a.guard != null) {
            a.witness = a.pointer;
            a.versionSeen = t.version(memory);
            return true;
        }
        if (a.kind == Access.Kind.DELETE) a.record.flags = ObjectLayout.flags(a.table.id(), false);
        return true;
    }

    private boolean stillAbsent(Access a) {
        TableLayout table = a.table;
        for (int i = 0; i < a.chainLength; i++) {
            long bucket = a.chainLanded + i * table.bucketBytes();
            long next = i + 1 < a.chainLength ? a.chain[i + 1] : Pointer.NOWHERE;
            long word = Words.plain(memory, bucket + ObjectLayout.CONTENT);
            // The depth of the first head says which keys belong to the chain.
            long seen = i > 0 ? next : HeadWord.withNext(a.bracketHead, next);
            if (!txn.verbs().isSameHead(seen, word)) return false;
            for (int slot = 0; slot < table.slots(); slot++) {
                long body = bucket + table.slotOffset(slot) + ObjectLayout.BODY;
                if (ObjectLayout.holds(memory, body, a.key) && a.isKeyOf(txn.verbs(), memory, body)) return false;
                boolean ours = a.chain[i] + (table.slotOffset(slot) >>> 3) == a.pointer;
                if (ours && ObjectLayout.isPresent(memory, body)) return false;
            }
        }
        return true;
    }

    /**
     * Places inserts that found no free slot into another bucket. The address of that bucket is known only under the
     * lock of the count. The free bucket after it is known only under the lock of its head. Therefore a second bucket
     * of a partition is taken in another trip.
     */
    boolean overflow(Access[] accesses, int from, int to) {
        while (true) {
            taken = 0;
            for (int i = from; i < to; i++)
                if (accesses[i].overflows && accesses[i].record.pointer == Pointer.NOWHERE)
                    if (!placeInNewBucket(accesses[i])) return false;
            if (!post()) return true;
            Step.LOCK.on(round).post().await();
            if (!granted()) return false;
            for (int i = 0; i < taken; i++) takeFromFree(takers[i]);
        }
    }

    /** Returns false if the attempt was aborted. */
    private boolean placeInNewBucket(Access a) {
        int partition = Pointer.partition(a.chain[0]);
        WriteTarget count = writes.overflowCount(a.table, partition);
        WriteTarget tail = writes.head(a.table, a.chain[a.chainLength - 1]);
        for (int length = a.chainLength; ; length++) {
            if (length == Access.MAX_CHAIN)
                return waitForSplits(
                        a, OverflowCount.handedOut(Words.plain(memory, count.staged + ObjectLayout.BODY_CONTENT)));
            long word = Words.plain(memory, tail.staged + ObjectLayout.BODY_CONTENT);
            long bucket = HeadWord.next(word);
            if (bucket == Pointer.NOWHERE) {
                bucket = freeBucket(a, count, partition);
                if (bucket == Pointer.NOWHERE) return txn.isActive(); // in the next trip
                Words.plain(memory, tail.staged + ObjectLayout.BODY_CONTENT, HeadWord.withNext(word, bucket));
            }
            // Otherwise another insert of this transaction has just put this bucket at the end of the chain.
            int slot = 0;
            while (slot < a.table.slots() && writes.find(bucket + (a.table.slotOffset(slot) >>> 3)) != null) slot++;
            if (slot < a.table.slots()) {
                a.pointer = bucket + (a.table.slotOffset(slot) >>> 3);
                writes.place(a.record, a.pointer);
                return true;
            }
            // Its inserts have filled that bucket. The next one follows it, once the head of that bucket is locked.
            tail = writes.head(a.table, bucket);
            if (!tail.held) return true;
        }
    }

    /** Returns a bucket that is in no chain; NOWHERE if the next one is not known yet, or the attempt was aborted. */
    private long freeBucket(Access a, WriteTarget count, int partition) {
        long word = Words.plain(memory, count.staged + ObjectLayout.BODY_CONTENT);
        long free = OverflowCount.firstFree(word);
        long handedOut = OverflowCount.handedOut(word);
        if (free == OverflowCount.NONE) {
            if (handedOut >= a.table.overflowRoom() && !findOverflow(a.table, partition, handedOut))
                return Pointer.NOWHERE;
            if (Splitting.isCrowded(handedOut + 1, a.table.size(partition)))
                txn.growth().wish(a.table, partition);
            Words.plain(memory, count.staged + ObjectLayout.BODY_CONTENT, OverflowCount.of(handedOut + 1, free));
            return a.table.overflowBucket(partition, handedOut);
        }
        long bucket = txn.freeBucket(a.table, partition, free);
        for (int i = 0; i < taken; i++) if (takers[i].bucket() == bucket) return Pointer.NOWHERE;
        writes.head(a.table, bucket);
        takers[taken++] = a;
        return bucket;
    }

    /** The head of the bucket that an insert takes is locked. It names the free bucket after it. */
    private void takeFromFree(Access a) {
        long bucket = a.bucket();
        WriteTarget head = writes.head(a.table, bucket);
        WriteTarget count = writes.overflowCount(a.table, Pointer.partition(bucket));
        boolean free = !ObjectLayout.isPresent(memory, head.landed + ObjectLayout.BODY)
                && !ObjectLayout.isPresent(memory, a.record.landed + ObjectLayout.BODY);
        Checks.invariant(free, "a free bucket is in no chain and holds nothing", bucket);
        long next = Words.plain(memory, head.staged + ObjectLayout.BODY_CONTENT);
        long word = Words.plain(memory, count.staged + ObjectLayout.BODY_CONTENT);
        if (next != Pointer.NOWHERE && !a.table.isBucket(next)) txn.learnAreas(a.table); // another session freed it
        long firstFree = next == Pointer.NOWHERE ? OverflowCount.NONE : a.table.overflowNumber(next);
        Words.plain(
                memory,
                count.staged + ObjectLayout.BODY_CONTENT,
                OverflowCount.of(OverflowCount.handedOut(word), firstFree));
        Words.plain(memory, head.staged + ObjectLayout.BODY_CONTENT, Pointer.NOWHERE);
    }

    /** Sets the value of a new record to zeros, which overwrites the rest of a deleted record. */
    private void empty(WriteTarget t) {
        // Word by word: a slice to fill would be an object, and the compiler does not always remove it.
        for (long at = 0; at < t.bodyBytes; at += Words.BYTES) Words.plain(memory, t.staged + at, 0);
    }

    /**
     * Looks for overflow buckets in areas that the table may have got since. Without any, the attempt is aborted, and
     * the next one finds a table that has grown. Returns false then.
     */
    private boolean findOverflow(TableLayout table, int partition, long handedOut) {
        txn.learnAreas(table);
        if (handedOut < table.overflowRoom()) return true;
        StoreException refusal = txn.growth().takeRefusal(table);
        if (refusal != null) throw full(table, partition, refusal);
        txn.growth().needOverflow(table, partition, handedOut + 1);
        return txn.abort(AbortReason.TABLE_GROWS);
    }

    /**
     * Aborts an attempt that needs a longer chain than a lookup reads. Otherwise the row would be committed and never
     * found. If the table has few overflow buckets, the keys of the chain have one hash, and splits do not help.
     *
     * @param handedOut the overflow buckets that are handed out, those of this attempt included; 0 if it took none
     */
    private boolean waitForSplits(Access a, long handedOut) {
        int partition = Pointer.partition(a.chain[0]);
        StoreException refusal = txn.growth().takeRefusal(a.table);
        if (refusal != null) throw full(a.table, partition, refusal);
        if (txn.growth().takeNeedless(a.table, partition, handedOut)) {
            txn.giveUp(AbortReason.ROLLED_BACK);
            throw new StoreException(
                    StoreException.Reason.FULL,
                    "table " + a.table.name() + " has too many keys of one hash: a chain has " + Access.MAX_CHAIN
                            + " buckets");
        }
        txn.growth().needSplits(a.table, partition, handedOut);
        return txn.abort(AbortReason.TABLE_GROWS);
    }

    private StoreException full(TableLayout table, int partition, StoreException why) {
        txn.giveUp(AbortReason.ROLLED_BACK);
        return new StoreException(
                StoreException.Reason.FULL,
                "table " + table.name() + " is full: all " + table.overflowRoom() + " overflow buckets of partition "
                        + partition + " are used, and it cannot grow: " + why.getMessage());
    }
}
