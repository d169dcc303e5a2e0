package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.store.HeadWord;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;

/**
 * The lookup of keys by reading the chain of their bucket; one round for each bucket of the longest chain.
 *
 * <pre>
 *   READ head.VER -> READ bucket -> READ head.LOCK -> READ head.VER        per key, over one link
 * </pre>
 *
 * A found address is only a hint; it is checked when the record is read. "Not found" is a result, so it must hold at
 * one moment: no transaction inserted into or deleted from the bucket while it was read. The two samples of the head's
 * version and the lock between them prove that. Without this bracket, a key that moves to a slot already passed is
 * missed.
 */
final class BucketFinder {
    private static final int MAX_TRIES = 32;
    private static final long PAUSE_NANOS = 1_000;

    /** The maximum number of first buckets that are read for a key in one try; a table has fewer depths. */
    private static final int MAX_HOPS = 40;

    /** Where the bucket lies in the landing buffer of an access, after the samples around it. */
    static final long BUCKET = 4 * Words.BYTES;

    private final RecordTxn txn;
    private final Round round;
    private final MemorySegment memory;

    BucketFinder(RecordTxn txn, Round round, MemorySegment memory) {
        this.txn = txn;
        this.round = round;
        this.memory = memory;
    }

    /**
     * Resolves every access that has no address yet. Waits for the bucket reads. Returns false if the attempt was
     * aborted.
     */
    boolean resolve(Access[] accesses, int from, int to) {
        for (int tries = 0; ; tries++) {
            boolean any = false;
            for (int i = from; i < to; i++) if (!accesses[i].resolved) any |= start(accesses[i]);
            if (!any) return true;
            boolean more = true;
            while (more) {
                Step.LOOKUP.on(round).post().await();
                more = false;
                for (int i = from; i < to; i++) if (!accesses[i].resolved) more |= follow(accesses[i]);
            }
            if (!txn.isActive()) return false;
            boolean busy = false;
            for (int i = from; i < to; i++) busy |= !accesses[i].resolved;
            if (!busy) return true;
            // Another transaction is changing a bucket. If this one holds locks, waiting could be a deadlock with
            // itself.
            if (txn.holdsLocks() || tries == MAX_TRIES) return txn.abort(AbortReason.BUCKET_BUSY);
            Waiting.pause(PAUSE_NANOS << Math.min(tries, 8));
        }
    }

    private boolean start(Access a) {
        a.hops = 0;
        return start(a, a.table.home(a.key));
    }

    private boolean start(Access a, long home) {
        Region region = txn.primary(home);
        a.chainLength = 1;
        a.chain[0] = home;
        a.freeSlots = 0;
        a.deletedSlot = Pointer.NOWHERE;
        if (a.bucketLanded < 0) a.bucketLanded = txn.take(BUCKET + a.table.bucketBytes());
        long offset = Pointer.offset(home);
        round.read(region, offset + ObjectLayout.VERSION, Words.BYTES, memory, a.bucketLanded);
        readBucket(a, region, offset, region, offset);
        return true;
    }

    private void readBucket(Access a, Region region, long offset, Region headRegion, long headOffset) {
        a.landedWhole = !a.table.hasWideSlots() || a.kind != Access.Kind.READ && txn.doLookupsSeeRows();
        if (a.landedWhole) BucketRead.addWhole(round, region, offset, a.table, memory, a.bucketLanded + BUCKET);
        else BucketRead.add(round, region, offset, a.table, memory, a.bucketLanded + BUCKET);
        round.read(headRegion, headOffset + ObjectLayout.LOCK, Words.BYTES, memory, a.bucketLanded + Words.BYTES)
                .read(
                        headRegion,
                        headOffset + ObjectLayout.VERSION,
                        Words.BYTES,
                        memory,
                        a.bucketLanded + 2 * Words.BYTES);
    }

    /**
     * Examines the bucket that has landed. Returns true if the chain continues and its next READ was added to the
     * round.
     */
    private boolean follow(Access a) {
        TableLayout table = a.table;
        long bucket = a.bucketLanded + BUCKET;
        long pointer = a.chain[a.chainLength - 1];
        if (a.chainLength == 1) {
            a.bracketVersion = Words.plain(memory, a.bucketLanded);
            a.bracketStamp = Words.plain(memory, bucket + TableLayout.HEAD_BYTES);
            a.bracketHead = Words.plain(memory, bucket + ObjectLayout.CONTENT);
        }
        for (int slot = 0; slot < table.slots(); slot++) {
            long body = bucket + table.slotOffset(slot) + ObjectLayout.BODY;
            boolean present = (Words.plain(memory, body + ObjectLayout.BODY_FLAGS) & ObjectLayout.PRESENT) != 0;
            long place = pointer + (table.slotOffset(slot) >>> 3);
            boolean isOfKey =
                    Words.plain(memory, body + ObjectLayout.BODY_KEY) == a.key && a.isKeyOf(txn.verbs(), memory, body);
            if (present && isOfKey) {
                a.pointer = place;
                a.found = true;
                a.resolved = true;
                return false;
            }
            boolean written = Words.plain(memory, body + ObjectLayout.BODY_WRITER) != 0;
            if (!present && written && isOfKey) a.deletedSlot = place;
            if (!present && a.freeSlots < Access.MAX_FREE && txn.verbs().mayTake(memory, body))
                a.freeSlot[a.freeSlots++] = place;
        }
        if (a.chainLength == 1 && !txn.verbs().isHome(table, a.key, pointer, a.bracketHead)) return goElsewhere(a);
        long next = HeadWord.next(Words.plain(memory, bucket + ObjectLayout.CONTENT));
        if (next != Pointer.NOWHERE) {
            if (a.chainLength == Access.MAX_CHAIN) {
                if (!bracketHolds(a)) return false; // a bucket has left the chain, and now points elsewhere
                throw new StoreException(
                        StoreException.Reason.CORRUPT,
                        "a chain of table " + table.name() + " has more than " + a.chainLength + " buckets: bucket "
                                + Pointer.text(pointer));
            }
            if (!isInTable(table, next) || Pointer.partition(next) != Pointer.partition(pointer)) {
                if (!bracketHolds(a)) return false; // torn: read everything again
                throw new StoreException(
                        StoreException.Reason.CORRUPT, "bucket " + Pointer.text(pointer) + " points to no bucket");
            }
            a.chain[a.chainLength++] = next;
            Region region = txn.primary(next);
            long home = a.chain[0];
            readBucket(a, region, Pointer.offset(next), txn.primary(home), Pointer.offset(home));
            return true;
        }
        if (!bracketHolds(a)) return false;
        if (!txn.visibility().isAbsent(a, a.bracketStamp)) {
            a.found = txn.isActive();
            a.pointer = a.deletedSlot;
            a.resolved = true;
            return false;
        }
        a.found = false;
        a.pointer = Pointer.NOWHERE;
        a.witness = a.chain[0];
        a.versionSeen = a.bracketVersion;
        a.resolved = true;
        return false;
    }

    /**
     * Continues in the bucket to which a split has moved the key. Returns false if the head is not that of one moment:
     * everything is read again.
     */
    private boolean goElsewhere(Access a) {
        if (!bracketHolds(a) || a.hops++ == MAX_HOPS) return false;
        long bucket = a.chain[0];
        a.table.learn(bucket, a.bracketHead);
        long instead = a.table.homeInstead(a.key, bucket, a.bracketHead);
        if (instead == Pointer.NOWHERE) {
            txn.learnAreas(a.table);
            instead = a.table.homeInstead(a.key, bucket, a.bracketHead);
        }
        if (instead == Pointer.NOWHERE) throw unknownArea(a.table, bucket);
        return start(a, instead);
    }

    /** The table may have got the area of a bucket since it was asked for. */
    private boolean isInTable(TableLayout table, long next) {
        if (table.isBucket(next)) return true;
        txn.learnAreas(table);
        return table.isBucket(next);
    }

    static StoreException unknownArea(TableLayout table, long bucket) {
        return new StoreException(
                StoreException.Reason.CORRUPT,
                "bucket " + Pointer.text(bucket) + " of table " + table.name()
                        + " was split into an area that the catalog does not have");
    }

    private boolean bracketHolds(Access a) {
        long lock = Words.plain(memory, a.bucketLanded + Words.BYTES);
        long version = Words.plain(memory, a.bucketLanded + 2 * Words.BYTES);
        if (lock != 0) txn.blockedBy(lock);
        else if (version < 0) txn.blockedBy(version);
        return txn.verbs().isStable(a.bracketVersion, lock, version, txn.id());
    }
}
