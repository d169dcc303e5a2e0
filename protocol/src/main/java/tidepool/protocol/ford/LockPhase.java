package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.protocol.AbortReason;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.StoreException;
import tidepool.store.TableInfo;

/**
 * Decides what to lock, takes the locks, and looks again behind them (§4.2). Inserts and deletes also lock the head of
 * the first bucket of their chain, in which all inserts and deletes of those keys meet.
 */
final class LockPhase {
    private final FordTxn txn;
    private final WriteSet writes;
    private final Round round;
    private final MemorySegment memory;

    LockPhase(FordTxn txn, WriteSet writes, Round round, MemorySegment memory) {
        this.txn = txn;
        this.writes = writes;
        this.round = round;
        this.memory = memory;
    }

    /** Decides which objects an access locks. */
    void plan(Access a) {
        switch (a.kind) {
            case READ -> {}
            case UPDATE -> {
                if (a.found) a.record = writes.record(a);
            }
            case PUT -> {
                if (a.found) a.record = writes.record(a);
                else planInsert(a);
            }
            case INSERT -> {
                if (!a.found) planInsert(a);
            }
            case DELETE -> {
                if (!a.found) return;
                a.record = writes.record(a);
                writes.head(a.table, a.table.home(a.key));
            }
        }
    }

    private void planInsert(Access a) {
        writes.head(a.table, a.chain[0]);
        for (int i = 0; i < a.freeSlots; i++) {
            if (writes.find(a.freeSlot[i]) != null) continue; // another insert of ours has it
            a.pointer = a.freeSlot[i];
            a.record = writes.record(a);
            return;
        }
        a.overflows = true;
        writes.head(a.table, a.chain[a.chainLength - 1]);
        writes.overflowCount(a.table, Pointer.partition(a.chain[0]));
    }

    /** What an insert depends on is read again behind the lock of the head. */
    void readChainAgain(Access a) {
        a.chainLanded = txn.take(a.table.bucketBytes() * a.chainLength);
        for (int i = 0; i < a.chainLength; i++)
            round.read(
                    txn.primary(a.chain[i]),
                    Pointer.offset(a.chain[i]),
                    a.table.bucketBytes(),
                    memory,
                    a.chainLanded + i * a.table.bucketBytes());
    }

    /** Looks at the answers to the locks from {@code first} on. False if the attempt was aborted. */
    boolean granted(int first) {
        boolean all = true;
        for (int i = first; i < writes.count(); i++) {
            Target t = writes.get(i);
            long found = Words.plain(memory, t.lockFound);
            t.held = found == 0;
            if (t.held) continue;
            txn.blockedBy(found);
            all = false;
        }
        if (!all) return txn.refuse(AbortReason.LOCKED);
        for (int i = first; i < writes.count(); i++) {
            Target t = writes.get(i);
            // The holder before us made it visible before it unlocked, and nobody writes while we hold the lock.
            Checks.invariant(t.version(memory) >= 0, "a locked object is visible");
            boolean whole = ObjectLayout.isWhole(memory, t.landed + ObjectLayout.BODY, t.bodyBytes);
            Checks.invariant(whole, "a locked object is whole");
            // The new body starts as the old one.
            MemorySegment.copy(memory, t.landed + ObjectLayout.BODY, memory, t.staged, t.bodyBytes);
        }
        return true;
    }

    /** Behind the locks: is what was found, or not found, still so? False if the attempt was aborted. */
    boolean confirm(Access a) {
        if (a.isInsert()) return stillAbsent(a) || txn.refuse(AbortReason.BUCKET_CHANGED);
        if (!a.writes()) return true;
        long body = a.record.landed + ObjectLayout.BODY;
        if (!txn.verbs().leadsTo(memory, body, a.key)) {
            txn.forgetAddress(a);
            return txn.refuse(AbortReason.STALE_ADDRESS);
        }
        txn.rememberAddress(a);
        a.landed = a.record.landed;
        if (a.kind == Access.Kind.DELETE) a.record.flags = ObjectLayout.flags(a.table.id(), false);
        return true;
    }

    private boolean stillAbsent(Access a) {
        TableInfo table = a.table;
        for (int i = 0; i < a.chainLength; i++) {
            long bucket = a.chainLanded + i * table.bucketBytes();
            long next = Words.plain(memory, bucket + ObjectLayout.CONTENT);
            if (next != (i + 1 < a.chainLength ? a.chain[i + 1] : Pointer.NOWHERE)) return false;
            for (int slot = 0; slot < table.slots(); slot++) {
                long body = bucket + table.slotOffset(slot) + ObjectLayout.BODY;
                if (ObjectLayout.holds(memory, body, a.key)) return false;
                boolean ours = a.chain[i] + (table.slotOffset(slot) >>> 3) == a.pointer;
                if (ours && ObjectLayout.isPresent(memory, body)) return false;
            }
        }
        if (a.record != null) empty(a.record);
        return true;
    }

    /** Inserts that found no free slot take a new bucket; its address is known only behind the lock of the count. */
    boolean overflow(Access[] accesses, int from, int to) {
        int first = writes.count();
        for (int i = from; i < to; i++) if (accesses[i].overflows) placeInNewBucket(accesses[i]);
        if (writes.count() == first) return true;
        txn.postLocks(first);
        round.post().await();
        if (!granted(first)) return false;
        for (int i = from; i < to; i++) if (accesses[i].overflows) empty(accesses[i].record);
        return true;
    }

    private void placeInNewBucket(Access a) {
        int partition = Pointer.partition(a.chain[0]);
        Target count = writes.overflowCount(a.table, partition);
        Target tail = writes.head(a.table, a.chain[a.chainLength - 1]);
        long bucket = Words.plain(memory, tail.staged + ObjectLayout.BODY_CONTENT);
        if (bucket == Pointer.NOWHERE) {
            long used = Words.plain(memory, count.staged + ObjectLayout.BODY_CONTENT);
            if (used >= a.table.overflow()) throw full(a.table, partition);
            bucket = a.table.overflowBucket(partition, used);
            Words.plain(memory, count.staged + ObjectLayout.BODY_CONTENT, used + 1);
            Words.plain(memory, tail.staged + ObjectLayout.BODY_CONTENT, bucket);
        }
        // Otherwise another insert of ours has just put this bucket at the end of the chain.
        int slot = 0;
        while (slot < a.table.slots() && writes.find(bucket + (a.table.slotOffset(slot) >>> 3)) != null) slot++;
        if (slot == a.table.slots()) throw txn.tooLarge("inserts into one new bucket", slot);
        a.pointer = bucket + (a.table.slotOffset(slot) >>> 3);
        a.record = writes.record(a);
    }

    /** A new record starts with a value of zeros, whatever a deleted one left there. */
    private void empty(Target t) {
        memory.asSlice(t.staged, t.bodyBytes).fill((byte) 0);
    }

    private StoreException full(TableInfo table, int partition) {
        txn.refuse(AbortReason.ROLLED_BACK);
        return new StoreException(
                StoreException.Reason.FULL,
                "table " + table.name() + " is full: all " + table.overflow() + " overflow buckets of partition "
                        + partition + " are used");
    }
}
