package tidepool.protocol.farmv2;

import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.motor.Timestamps;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.WriteSet;
import tidepool.protocol.record.WriteTarget;
import tidepool.protocol.redo.RedoTxn;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.farmv2.ChainLayout;
import tidepool.txn.AbortReason;

/**
 * A transaction of FaRMv2 in its one-sided form: {@code docs/internals/protocols/farmv2.md} says where it differs and
 * why.
 *
 * <pre>
 *   phase     verbs (per connection; -> is an order kept for free by the fabric)  trips   a crash right after it leaves
 *   snapshot  READ counter; only with several reads and no writes                 aside   nothing
 *   execute   READ body -> READ LOCK -> READ VER of all accesses, or a lookup     1       nothing
 *   walk      in a snapshot: READ the block of the version before,
 *             until one is old enough                                             0…      nothing
 *   lock      WRITE intent -> CAS LOCK 0->T -> READ VER                           1       locks       -> freed
 *   stamp     FAA counter: all locks are held                                     aside   locks       -> freed
 *   validate  READ LOCK -> READ VER of records that were only read                0 or 1  locks       -> freed
 *   log       {@link RedoTxn}                                                     1       some logs   -> dropped
 *   ----      commit point: all logs are acknowledged ----
 *   commit    each copy: WRITE block of the replaced version, or bucket stamp
 *             -> WRITE VER={INV,T} -> WRITE body; then reported                   1       some images -> rolled forward
 *   release   {@link RedoTxn}                                                     later   some locks  -> rolled forward
 * </pre>
 */
public class FarmV2Txn extends RedoTxn {
    private static final int MAX_TRIES = 64;
    private static final long NOT_READ = -1;

    private final FarmV2Verbs verbs;
    private final Timestamps timestamps;

    /** Where the value of each access lies; {@link #NOT_READ} before it is read. */
    private final long[] values = new long[MAX_ACCESSES];

    /** For each access that walks a chain: where blocks land, and which block and version come next. */
    private final long[] landings = new long[MAX_ACCESSES];

    private final int[] nextBlock = new int[MAX_ACCESSES];
    private final long[] nextStamp = new long[MAX_ACCESSES];

    /**
     * For each written object: where the block of the replaced version was made, and its number; -1 if there is none.
     */
    private final long[] made = new long[WriteSet.MOST];

    private final int[] blocks = new int[WriteSet.MOST];

    /** The snapshot in which rows are read; 0 if rows are read in their newest version. */
    private long snapshot;

    private long stamp;

    /** How many accesses were read before there was a snapshot, and where their locks and versions land once more. */
    private int earlier;

    private long earlierLanded;

    @SuppressWarnings("this-escape") // the phases keep it and do not use it before a transaction begins
    protected FarmV2Txn(FarmV2Coordinator coordinator) {
        super(coordinator);
        this.verbs = (FarmV2Verbs) verbs();
        this.timestamps = coordinator.timestamps();
    }

    // ---- snapshot

    @Override
    protected void begun() {
        snapshot = 0;
        stamp = 0;
        earlier = 0;
        verbs.inSnapshot(false);
    }

    @Override
    protected boolean beforeLookup(int from) {
        earlier = 0;
        boolean writes = false;
        for (int i = 0; i < accesses(); i++) writes |= access(i).kind != Access.Kind.READ;
        // The reads of a transaction that writes are validated: the newer they are, the better.
        if (writes || accesses() == 1) snapshot = 0;
        else if (snapshot == 0) takeSnapshot(from);
        verbs.inSnapshot(snapshot != 0);
        return true;
    }

    /**
     * Takes a snapshot. Earlier reads without a snapshot belong to it if they have not changed since. Their locks and
     * versions are read with the next round.
     */
    private void takeSnapshot(int from) {
        snapshot = timestamps.snapshot();
        if (from > 0) earlierLanded = take(2L * Words.BYTES * from);
        for (int i = 0; i < from; i++) verbs.validate(round(), access(i).witness, earlierLanded + 2L * Words.BYTES * i);
        earlier = from;
    }

    private boolean revalidateEarlierReads() {
        for (int i = 0; i < earlier; i++) {
            Access a = access(i);
            long lock = Words.plain(memory(), earlierLanded + 2L * Words.BYTES * i);
            long version = Words.plain(memory(), earlierLanded + 2L * Words.BYTES * i + Words.BYTES);
            if (!verbs.isFree(lock, id())) {
                blockedBy(lock);
                return refuse(AbortReason.READ_LOCKED);
            }
            if (version != a.versionSeen) return refuse(AbortReason.READ_CHANGED);
        }
        earlier = 0;
        return true;
    }

    @Override
    protected boolean readsSnapshot() {
        return snapshot != 0 && earlier == 0;
    }

    /** The key was not found. It was also absent in the snapshot if the bucket has not changed since the snapshot. */
    @Override
    protected boolean isAbsent(Access a, long bucketStamp) {
        if (snapshot == 0 || bucketStamp <= snapshot) return true;
        if (a.leftBehind == Pointer.NOWHERE) refuse(AbortReason.SNAPSHOT_TOO_OLD);
        return false;
    }

    // ---- versions

    @Override
    protected boolean afterReads(int from) {
        if (!revalidateEarlierReads()) return false;
        for (int i = from; i < accesses(); i++) {
            values[i] = NOT_READ;
            landings[i] = NOT_READ;
        }
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            boolean again = false;
            for (int i = from; i < accesses(); i++) again |= !select(i);
            if (!isActive() || !walk(from)) return false;
            if (!again) return true;
            if (!readAgain(from)) return false;
        }
        return refuse(AbortReason.UNREADABLE);
    }

    /**
     * Examines the newest version of a row. Returns false if the key is looked up again, or the attempt was aborted.
     */
    private boolean select(int i) {
        Access a = access(i);
        if (values[i] != NOT_READ || landings[i] != NOT_READ || !a.found || a.landed < 0) return true;
        long content = a.landed + ObjectLayout.CONTENT;
        if (snapshot != 0 && ChainLayout.stamp(memory(), content) > snapshot)
            return goTo(i, ChainLayout.block(memory(), content), ChainLayout.previous(memory(), content));
        if (!ChainLayout.isTombstone(memory(), content)) {
            values[i] = content + ChainLayout.VALUE;
            return true;
        }
        // Deleted before the snapshot: the bucket tells since when the key is absent.
        if (a.pointer == a.leftBehind) return refuse(AbortReason.SNAPSHOT_TOO_OLD);
        forgetAddress(a);
        a.lookUpAgain();
        return false;
    }

    /** Returns false if the chain ends here; the attempt was aborted. */
    private boolean goTo(int i, int block, long previous) {
        if (block < 0) return refuse(AbortReason.SNAPSHOT_TOO_OLD);
        nextBlock[i] = block;
        nextStamp[i] = previous;
        if (landings[i] == NOT_READ)
            landings[i] = take(ChainLayout.blockBytes(access(i).table.valueBytes()));
        return true;
    }

    /** Walks all chains together, one version of each per trip. */
    private boolean walk(int from) {
        while (true) {
            boolean any = false;
            for (int i = from; i < accesses(); i++) {
                if (!isWalking(i)) continue;
                verbs.readBlock(round(), access(i).table, access(i).pointer, nextBlock[i], landings[i]);
                any = true;
            }
            if (!any) return true;
            Step.READ.on(round()).post().await();
            for (int i = from; i < accesses(); i++) if (isWalking(i) && !step(i)) return false;
        }
    }

    private boolean isWalking(int i) {
        return values[i] == NOT_READ && landings[i] != NOT_READ;
    }

    /** Blocks are overwritten from the oldest on. If a version is gone, so are all older ones. */
    private boolean step(int i) {
        Access a = access(i);
        long block = landings[i];
        if (!isWhole(a, block, nextStamp[i])) return refuse(AbortReason.SNAPSHOT_TOO_OLD);
        if (nextStamp[i] > snapshot)
            return goTo(i, ChainLayout.olderBlock(memory(), block), ChainLayout.previousOf(memory(), block));
        values[i] = block + ChainLayout.BLOCK_VALUE;
        a.versionSeen = ChainLayout.writerOf(memory(), block);
        return true;
    }

    /** Whether the landed block is that of the version that the link names. */
    protected boolean isWhole(Access a, long block, long stamp) {
        return ChainLayout.isWhole(memory(), block, a.table.valueBytes(), a.key, stamp);
    }

    // ---- commit

    /**
     * Takes the commit timestamp before it validates. Otherwise another transaction could lock a validated record and
     * take an earlier timestamp.
     */
    @Override
    protected boolean validate() {
        if (writes().count() == 0) return snapshot != 0 || super.validate();
        stamp = takeStamp();
        return super.validate();
    }

    /** Takes a commit timestamp; all locks are held. Waits for the counter's node. */
    protected long takeStamp() {
        if (timestamps.take(round())) Step.STAMP.on(round()).aside().post().await();
        return timestamps.taken();
    }

    @Override
    protected long stamp() {
        return stamp;
    }

    @Override
    protected void toCommitPoint(int slot) {
        for (int i = 0; i < writes().count(); i++) if (writes().get(i).isRow()) link(i, writes().get(i));
        super.toCommitPoint(slot);
    }

    private void link(int i, WriteTarget t) {
        made[i] = NOT_READ;
        long content = t.staged + ObjectLayout.BODY_CONTENT;
        boolean tombstone = (t.flags & ObjectLayout.PRESENT) == 0;
        if (t.fresh) {
            if (tombstone) ChainLayout.neverLived(memory(), content, stamp);
            else ChainLayout.born(memory(), content, stamp);
            return;
        }
        long replaced = t.landed + ObjectLayout.CONTENT;
        blocks[i] = ChainLayout.follow(
                memory(), content, stamp, replaced, t.table.format().versions(), tombstone);
        made[i] = take(ChainLayout.blockBytes(t.table.valueBytes()));
        ChainLayout.makeBlock(memory(), made[i], memory(), t.landed + ObjectLayout.BODY, t.table.valueBytes());
    }

    /**
     * The replaced version and the stamp of a bucket precede the image on its link, so a whole image proves both.
     * Otherwise recovery would keep a head without a stamp. An older snapshot would then take a key that was deleted
     * after it for one that never existed.
     */
    @Override
    protected void image(Round images, int node, int i) {
        WriteTarget t = writes().get(i);
        if (t.isRow() && made[i] != NOT_READ) verbs.block(images, node, t, blocks[i], made[i]);
        if (t.isHead()) verbs.stamp(images, node, t, stamp);
        super.image(images, node, i);
    }

    // ---- accessors

    @Override
    protected long valueOf(Access a) {
        return a.writes() ? a.record.staged + ObjectLayout.BODY_CONTENT + ChainLayout.VALUE : values[a.index];
    }
}
