package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.RowPage;
import tidepool.protocol.Step;
import tidepool.store.BucketOrder;
import tidepool.store.HeadWord;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;

/**
 * The search for the rows of a page: reads chains of buckets, several in a round, and declares a read of every row.
 *
 * <pre>
 *   READ head.VER -> READ bucket -> READ head.LOCK -> READ head.VER        per chain, over one link
 * </pre>
 *
 * The bracket of {@link BucketFinder} is around each chain: no transaction inserted or deleted there while it was read,
 * so its keys are those of one moment. The rows themselves are then read like those of any transaction. Without a
 * snapshot the head of each chain is validated with its rows. Otherwise a row could be inserted in an early chain, then
 * another one in a later chain, and a page would have only the second. In a snapshot the stamp of the bucket proves
 * that its keys are those of the snapshot.
 */
final class BucketScan {
    private static final int MAX_TRIES = 32;
    private static final long PAUSE_NANOS = 1_000;

    /** The maximum number of chains that are read in one round. */
    private static final int GROUP = 64;

    /** The maximum bytes of first buckets that land in one round. */
    private static final long GROUP_BYTES = 128 << 10;

    /** The maximum bytes of local memory for the rows of several chains. One chain may have more. */
    private static final long ROW_BYTES = 512 << 10;

    private static final long BUCKET = BucketFinder.BUCKET;

    /** A chain of buckets: where its buckets lie in the pool, and where they have landed. */
    private static final class Chain {
        final long[] pointers = new long[Access.MAX_CHAIN];
        final long[] landed = new long[Access.MAX_CHAIN];
        long position;
        long version;
        long head;
        int length;
        int rows;
        boolean settled;
    }

    private final RecordTxn txn;
    private final AccessSet declared;
    private final Round round;
    private final MemorySegment memory;
    private Chain[] chains = new Chain[0]; // made by the first page

    BucketScan(RecordTxn txn, AccessSet declared, Round round, MemorySegment memory) {
        this.txn = txn;
        this.declared = declared;
        this.round = round;
        this.memory = memory;
    }

    /**
     * Declares the reads of a page. Waits for the buckets. Returns false if the attempt was aborted.
     *
     * @param snapshot in which the page is read; or {@link RowPage#NO_SNAPSHOT}
     */
    boolean run(RowPage page, long snapshot) {
        page.clear();
        TableLayout table = page.table;
        int group = Math.clamp(GROUP_BYTES / table.bucketBytes(), 1, GROUP);
        makeChains(group);
        int left = Math.max(1, page.maxChains);
        while (page.next != BucketOrder.END && left > 0) {
            int count = 0;
            for (long at = page.next; count < Math.min(group, left) && at != BucketOrder.END; count++) {
                chains[count].position = at;
                chains[count].pointers[0] = BucketOrder.head(table, at);
                chains[count].settled = false;
                at = BucketOrder.nextExpected(table, at);
            }
            if (!read(table, count, snapshot)) return false;
            for (int i = 0; i < count; i++) {
                // The chain before was split, or the table has grown: what follows it is another chain than expected.
                if (chains[i].position != page.next || !isItsChain(table, chains[i])) break;
                if (!hasRoom(page, chains[i])) return true;
                add(page, chains[i], snapshot);
                page.next = BucketOrder.next(table, chains[i].position, chains[i].head);
                if (page.rows() >= page.wanted) return true;
            }
            left -= count;
        }
        return true;
    }

    /** Whether the chain that was read is the one at its position. Otherwise learns how the table has grown. */
    private boolean isItsChain(TableLayout table, Chain chain) {
        if (BucketOrder.isAt(table, chain.position, chain.pointers[0], chain.head)) return true;
        table.learn(chain.pointers[0], chain.head);
        if (isKnown(table, chain)) return false;
        txn.learnAreas(table);
        if (!isKnown(table, chain)) throw BucketFinder.unknownArea(table, chain.pointers[0]);
        return false;
    }

    private static boolean isKnown(TableLayout table, Chain chain) {
        return BucketOrder.headInstead(table, chain.position, chain.pointers[0], chain.head) != Pointer.NOWHERE;
    }

    // ---- splits

    /**
     * Reads two chains, of which the caller knows the first buckets. Waits for the buckets. Returns false if the
     * attempt was aborted.
     */
    boolean read(TableLayout table, long one, long other) {
        makeChains(2);
        chains[0].pointers[0] = one;
        chains[1].pointers[0] = other;
        for (int i = 0; i < 2; i++) chains[i].settled = false;
        return read(table, 2, RowPage.NO_SNAPSHOT);
    }

    /** Returns the content of the first head of a chain that was read. */
    long head(int chain) {
        return chains[chain].head;
    }

    /** Returns the version of the first head of a chain that was read. */
    long version(int chain) {
        return chains[chain].version;
    }

    int rows(int chain) {
        return chains[chain].rows;
    }

    /**
     * Declares, for each row of the first chain that the split moves, its delete there and its insert into the second
     * chain. Returns the number of such rows.
     */
    int declareMoves(TableLayout table, int depth) {
        Chain from = chains[0];
        int moved = 0;
        for (int i = 0; i < from.length; i++) {
            for (int slot = 0; slot < table.slots(); slot++) {
                long body = from.landed[i] + BUCKET + table.slotOffset(slot) + ObjectLayout.BODY;
                if (!isRow(table, from.landed[i], slot)) continue;
                if (!isMoved(table, Words.plain(memory, body + ObjectLayout.BODY_KEY), depth)) continue;
                Access delete = declared.addMove(Access.Kind.DELETE, table, body);
                delete.pointer = from.pointers[i] + (table.slotOffset(slot) >>> 3);
                delete.found = true;
                lookedUp(delete, from, i);
                Access insert = declared.addMove(Access.Kind.INSERT, table, body);
                lookedUp(insert, chains[1], 0);
                insert.witness = chains[1].pointers[0];
                insert.versionSeen = chains[1].version;
                for (int free = 0; free < table.slots(); free++) offer(insert, table, free);
                moved++;
            }
        }
        return moved;
    }

    private boolean isMoved(TableLayout table, long key, int depth) {
        return txn.verbs().isMoved(table, key, depth);
    }

    private void offer(Access insert, TableLayout table, int slot) {
        long body = chains[1].landed[0] + BUCKET + table.slotOffset(slot) + ObjectLayout.BODY;
        if (insert.freeSlots < Access.MAX_FREE && txn.verbs().mayTake(memory, body))
            insert.freeSlot[insert.freeSlots++] = chains[1].pointers[0] + (table.slotOffset(slot) >>> 3);
    }

    /** Makes an access as if its key had been looked up in a chain, of which the last bucket read is the i-th. */
    private void lookedUp(Access a, Chain chain, int i) {
        System.arraycopy(chain.pointers, 0, a.chain, 0, i + 1);
        a.chainLength = i + 1;
        a.bucketLanded = chain.landed[i];
        a.landedWhole = !a.table.hasWideSlots();
        a.bracketVersion = chain.version;
        a.bracketHead = chain.head;
        a.bracketStamp = Words.plain(memory, chain.landed[0] + BUCKET + TableLayout.HEAD_BYTES);
        a.freeSlots = 0;
        a.resolved = true;
    }

    private void makeChains(int group) {
        if (chains.length == 0) {
            chains = new Chain[GROUP];
            for (int i = 0; i < GROUP; i++) chains[i] = new Chain();
        }
        for (int i = 0; i < group; i++) Arrays.fill(chains[i].landed, -1);
    }

    // ---- chains

    private boolean read(TableLayout table, int count, long snapshot) {
        for (int tries = 0; ; tries++) {
            for (int i = 0; i < count; i++) if (!chains[i].settled) start(table, chains[i]);
            boolean more = true;
            while (more) {
                Step.LOOKUP.on(round).post().await();
                more = false;
                for (int i = 0; i < count; i++) if (!chains[i].settled) more |= follow(table, chains[i]);
            }
            boolean busy = false;
            for (int i = 0; i < count; i++) {
                if (!chains[i].settled) busy = true;
                else if (!isOfSnapshot(chains[i], snapshot)) return txn.abort(AbortReason.SNAPSHOT_TOO_OLD);
            }
            if (!busy) return true;
            if (tries == MAX_TRIES) return txn.abort(AbortReason.BUCKET_BUSY);
            Waiting.pause(PAUSE_NANOS << Math.min(tries, 8));
        }
    }

    /** Whether no transaction has inserted into the chain or deleted from it since the snapshot. */
    private boolean isOfSnapshot(Chain chain, long snapshot) {
        return snapshot == RowPage.NO_SNAPSHOT
                || Words.plain(memory, chain.landed[0] + BUCKET + TableLayout.HEAD_BYTES) <= snapshot;
    }

    private void start(TableLayout table, Chain chain) {
        chain.length = 0;
        chain.rows = 0;
        long home = chain.pointers[0];
        long landing = append(table, chain, home);
        round.read(txn.primary(home), Pointer.offset(home) + ObjectLayout.VERSION, Words.BYTES, memory, landing);
        readBucket(table, chain);
    }

    private long append(TableLayout table, Chain chain, long bucket) {
        int i = chain.length++;
        chain.pointers[i] = bucket;
        if (chain.landed[i] < 0) chain.landed[i] = txn.take(BUCKET + table.bucketBytes());
        return chain.landed[i];
    }

    /** Adds the READs of the last bucket of a chain, and of the end of the bracket. */
    private void readBucket(TableLayout table, Chain chain) {
        long bucket = chain.pointers[chain.length - 1];
        long head = Pointer.offset(chain.pointers[0]);
        Region headRegion = txn.primary(chain.pointers[0]);
        long landing = chain.landed[chain.length - 1];
        BucketRead.add(round, txn.primary(bucket), Pointer.offset(bucket), table, memory, landing + BUCKET);
        round.read(headRegion, head + ObjectLayout.LOCK, Words.BYTES, memory, landing + Words.BYTES)
                .read(headRegion, head + ObjectLayout.VERSION, Words.BYTES, memory, landing + 2 * Words.BYTES);
    }

    /**
     * Examines the bucket that has landed. Returns true if the chain continues and its next READ was added to the
     * round.
     */
    private boolean follow(TableLayout table, Chain chain) {
        long landing = chain.landed[chain.length - 1];
        long word = Words.plain(memory, landing + BUCKET + ObjectLayout.CONTENT);
        if (chain.length == 1) {
            chain.version = Words.plain(memory, landing);
            chain.head = word;
        }
        for (int slot = 0; slot < table.slots(); slot++) if (isRow(table, landing, slot)) chain.rows++;
        long next = HeadWord.next(word);
        if (next == Pointer.NOWHERE) {
            chain.settled = bracketHolds(chain, landing);
            return false;
        }
        long pointer = chain.pointers[chain.length - 1];
        boolean tooLong = chain.length == Access.MAX_CHAIN;
        if (!tooLong && !table.isBucket(next)) txn.learnAreas(table); // the table may have got the area since
        if (!tooLong && table.isBucket(next) && Pointer.partition(next) == Pointer.partition(pointer)) {
            append(table, chain, next);
            readBucket(table, chain);
            return true;
        }
        if (!bracketHolds(chain, landing)) return false; // torn, or a bucket has left the chain: read everything again
        throw new StoreException(
                StoreException.Reason.CORRUPT,
                tooLong
                        ? "a chain of table " + table.name() + " has more than " + chain.length + " buckets: bucket "
                                + Pointer.text(pointer)
                        : "bucket " + Pointer.text(pointer) + " points to no bucket");
    }

    private boolean bracketHolds(Chain chain, long landing) {
        long lock = Words.plain(memory, landing + Words.BYTES);
        long version = Words.plain(memory, landing + 2 * Words.BYTES);
        if (lock != 0) txn.blockedBy(lock);
        else if (version < 0) txn.blockedBy(version);
        return txn.verbs().isStable(chain.version, lock, version, txn.id());
    }

    private boolean isRow(TableLayout table, long landing, int slot) {
        return ObjectLayout.isPresent(memory, landing + BUCKET + table.slotOffset(slot) + ObjectLayout.BODY);
    }

    // ---- declarations

    /** Whether the rest of a page has room for a chain. A chain that a page has for itself is tried in any case. */
    private boolean hasRoom(RowPage page, Chain chain) {
        if (declared.count() == 0) return true;
        int rows = page.rows() + chain.rows;
        return declared.count() + chain.rows + 1 <= RecordTxn.MAX_ACCESSES
                && rows * bytesOfRow(page.table) <= ROW_BYTES;
    }

    /** Returns the maximum local memory that the read of a row takes. */
    private static long bytesOfRow(TableLayout table) {
        return table.slotBytes() + table.keyBytes() + 2 * table.format().sideBytes();
    }

    private void add(RowPage page, Chain chain, long snapshot) {
        TableLayout table = page.table;
        for (int i = 0; i < chain.length; i++) {
            for (int slot = 0; slot < table.slots(); slot++) {
                if (!isRow(table, chain.landed[i], slot)) continue;
                long offset = table.slotOffset(slot);
                long body = chain.landed[i] + BUCKET + offset + ObjectLayout.BODY;
                page.add(declared.addRow(table, body, chain.pointers[i] + (offset >>> 3)));
            }
        }
        if (snapshot == RowPage.NO_SNAPSHOT) declared.addHead(table, chain.pointers[0], chain.version);
    }
}
