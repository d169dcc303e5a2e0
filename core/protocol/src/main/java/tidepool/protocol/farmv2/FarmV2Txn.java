package tidepool.protocol.farmv2;

import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.SnapshotPhase;
import tidepool.protocol.record.WriteTarget;
import tidepool.protocol.redo.RedoTxn;
import tidepool.protocol.time.Timestamps;
import tidepool.store.ObjectLayout;
import tidepool.store.farmv2.ChainLayout;
import tidepool.txn.AbortReason;

/**
 * A transaction of FaRMv2 in its one-sided form: {@code docs/internals/protocols/farmv2.md} says where it differs and
 * why.
 *
 * <pre>
 *   step      verbs (per connection; -> is an order kept for free by the fabric)  trips   a crash right after it leaves
 *   snapshot  READ counter; only with several reads and no writes                 aside   nothing
 *   lookup    {@link tidepool.protocol.record.RecordTxn}                          0 or 1  nothing
 *   read      READ body -> READ LOCK -> READ VER of all accesses                  1       nothing
 *   values    in a snapshot: READ the block of the version before,
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
    private final long[] values;

    /** For each access that walks a chain: where blocks land, and which block and version come next. */
    private final long[] landings;

    private final int[] nextBlock;
    private final long[] nextStamp;

    /**
     * For each written object: where the block of the replaced version was made, and its number; -1 if there is none.
     */
    private final long[] made;

    private final int[] blocks;

    private final SnapshotPhase snapshotPhase;
    private long stamp;

    @SuppressWarnings("this-escape") // the phases keep it and do not use it before a transaction begins
    protected FarmV2Txn(FarmV2Coordinator coordinator) {
        super(coordinator);
        this.values = new long[room().accesses()];
        this.landings = new long[values.length];
        this.nextBlock = new int[values.length];
        this.nextStamp = new long[values.length];
        this.made = new long[room().objects()];
        this.blocks = new int[made.length];
        this.verbs = (FarmV2Verbs) verbs();
        this.timestamps = coordinator.timestamps();
        this.snapshotPhase = new SnapshotPhase(this, timestamps::snapshot);
        visibility(snapshotPhase);
    }

    @Override
    protected boolean execute(int from) {
        snapshot(from);
        return lookup(from) && read(from) && values(from);
    }

    @Override
    protected boolean pipeline(int slot) {
        if (!lock()) return false;
        if (!writes().isEmpty()) stamp(); // before validation: otherwise a later locker could get an earlier stamp
        if (!validate()) return false;
        if (writes().isEmpty()) return true;
        outcomeOpen(); // a failure of the fabric from here on: outcome unknown
        log(slot, stamp);
        commitPoint(); // ---- all logs are acknowledged: only forward from here
        commit(slot);
        release(slot);
        return true;
    }

    // ---- snapshot

    /** READ counter, aside; only with several reads and no writes. */
    private void snapshot(int from) {
        at(Step.SNAPSHOT);
        snapshotPhase.begin(from);
        boolean writes = false;
        for (int i = 0; i < accesses(); i++) writes |= access(i).kind != Access.Kind.READ;
        // The reads of a transaction that writes are validated: the newer they are, the better.
        if (writes || accesses() == 1) snapshotPhase.leave();
        else if (!snapshotPhase.isTaken()) snapshotPhase.take(from);
        verbs.inSnapshot(snapshotPhase.isTaken());
    }

    // ---- versions

    /** In a snapshot: READ the block of the version before, until one is old enough. */
    private boolean values(int from) {
        at(Step.VALUES);
        if (!snapshotPhase.holds()) return false;
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
        return abort(AbortReason.UNREADABLE);
    }

    /**
     * Examines the newest version of a row. Returns false if the key is looked up again, or the attempt was aborted.
     */
    private boolean select(int i) {
        Access a = access(i);
        if (values[i] != NOT_READ || landings[i] != NOT_READ || !a.found || a.landed < 0) return true;
        long content = a.landed + ObjectLayout.CONTENT;
        if (snapshotPhase.isTaken() && ChainLayout.stamp(memory(), content) > snapshotPhase.snapshot())
            return goTo(i, ChainLayout.block(memory(), content), ChainLayout.previous(memory(), content));
        if (!ChainLayout.isTombstone(memory(), content)) {
            values[i] = content + ChainLayout.VALUE;
            return true;
        }
        // Deleted before the snapshot: the bucket tells since when the key is absent.
        if (a.pointer == a.deletedSlot) return abort(AbortReason.SNAPSHOT_TOO_OLD);
        forgetAddress(a);
        a.lookUpAgain();
        return false;
    }

    /** Returns false if the chain ends here; the attempt was aborted. */
    private boolean goTo(int i, int block, long previous) {
        if (block < 0) return abort(AbortReason.SNAPSHOT_TOO_OLD);
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
            Step.VALUES.on(round()).post().await();
            for (int i = from; i < accesses(); i++) if (isWalking(i) && !follow(i)) return false;
        }
    }

    private boolean isWalking(int i) {
        return values[i] == NOT_READ && landings[i] != NOT_READ;
    }

    /** Blocks are overwritten from the oldest on. If a version is gone, so are all older ones. */
    private boolean follow(int i) {
        Access a = access(i);
        long block = landings[i];
        if (!isWhole(a, block, nextStamp[i])) return abort(AbortReason.SNAPSHOT_TOO_OLD);
        if (nextStamp[i] > snapshotPhase.snapshot())
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

    /** FAA counter, aside: all locks are held. */
    private void stamp() {
        at(Step.STAMP);
        stamp = takeStamp();
    }

    /** Takes a commit timestamp. Waits for the counter's node. */
    protected long takeStamp() {
        if (timestamps.take(round())) round().aside().post().await();
        return timestamps.taken();
    }

    /** READ LOCK -> READ VER of records that were only read. A snapshot needs none. */
    @Override
    protected boolean validate() {
        at(Step.VALIDATE);
        return writes().isEmpty() && snapshotPhase.isTaken() || super.validate();
    }

    @Override
    protected void log(int slot, long commitStamp) {
        at(Step.LOG);
        for (int i = 0; i < writes().count(); i++) if (writes().get(i).isRow()) link(i, writes().get(i));
        super.log(slot, commitStamp);
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
    protected void image(Round round, int node, int i) {
        WriteTarget t = writes().get(i);
        if (t.isRow() && made[i] != NOT_READ) verbs.block(round, node, t, blocks[i], made[i]);
        if (t.isHead()) verbs.stamp(round, node, t, stamp);
        super.image(round, node, i);
    }

    // ---- accessors

    @Override
    protected long valueOf(Access a) {
        return a.writes() ? a.record.staged + ObjectLayout.BODY_CONTENT + ChainLayout.VALUE : values[a.index];
    }
}
