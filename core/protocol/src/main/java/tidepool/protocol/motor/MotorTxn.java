package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.LogPhase;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.ReleasePhase;
import tidepool.protocol.record.SnapshotPhase;
import tidepool.protocol.record.WriteTarget;
import tidepool.protocol.time.Timestamps;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.txn.AbortReason;

/**
 * A transaction of Motor (§5), corrected: {@code docs/internals/protocols/motor.md} says where and why.
 *
 * <pre>
 *   step      verbs (per connection; -> is an order that the fabric keeps for free)       trips     a crash right after
 *                                                                                                   the step leaves
 *   snapshot  READ counter; only with several reads and no writes, or snapshot isolation  aside     nothing
 *   lookup    {@link RecordTxn}                                                           0 or 1    nothing
 *   lock      write set: WRITE BOUND -> WRITE intent -> CAS LOCK 0->T -> READ tuple       1         locks -> freed
 *   read      in a snapshot: READ LOCK -> READ tuple, BOUND                               with lock locks -> freed
 *             otherwise: READ tuple -> READ LOCK -> READ VER
 *   values    READ deltas, READ package; FAA counter: all locks are held                  1         locks -> freed
 *   stamp     FAA counter, if values has not brought a stamp for the same accesses        aside     locks -> freed
 *   validate  READ LOCK -> READ VER; serializable, with a read set and a write set        0 or 1    locks -> freed
 *   commit    each copy: WRITE log -> (WRITE delta -> WRITE package -> WRITE tuple)       1         finished if every
 *                                                                                                   tuple is there,
 *                                                                                                   else undone
 *   ---- commit point: all acknowledged ----
 *   release   primary: WRITE LOCK=0; heads of buckets as FORD's                           in back-  some locks ->
 *                                                                                         ground    finished
 * </pre>
 */
public class MotorTxn extends RecordTxn implements TxnMemory {
    private static final int MAX_TRIES = 64;

    /** After this many tries, one round reads the tuple and the whole block of a row. */
    private static final int ESCALATION = 2;

    private static final long PAUSE_NANOS = 500;

    /** Value of {@link #stampedAt}: a split may have no accesses. */
    private static final int NOT_STAMPED = -1;

    private final MotorCoordinator coordinator;
    private final MotorOptions options;
    private final Placement placement;
    private final MotorVerbs verbs;
    private final VersionStructure versions;
    private final Timestamps timestamps;
    private final VersionedRow[] rows;
    private final VersionedRow passed = new VersionedRow();
    private final VersionedRow[] written;

    private final MotorSnapshot snapshotPhase;
    private final LogPhase logPhase;
    private final ReleasePhase releasePhase;

    /** The commit timestamp, and the number of accesses when it was taken. Later accesses make it too old. */
    private long stamp;

    private int stampedAt;

    private boolean escalated;

    @SuppressWarnings("this-escape") // the structure keeps its memory and does not use it before a transaction begins
    public MotorTxn(MotorCoordinator coordinator, MotorOptions options) {
        super(coordinator, true);
        this.coordinator = coordinator;
        this.options = options;
        this.placement = coordinator.pool().placement();
        this.verbs = (MotorVerbs) verbs();
        this.versions = coordinator.structure(this);
        this.timestamps = coordinator.timestamps();
        this.snapshotPhase = new MotorSnapshot();
        this.logPhase = new LogPhase(this, coordinator, LogPhase.Images.OLD);
        this.releasePhase = new ReleasePhase(this, coordinator);
        this.rows = new VersionedRow[room().accesses()];
        this.written = new VersionedRow[room().objects()];
        for (int i = 0; i < rows.length; i++) rows[i] = new VersionedRow();
        visibility(snapshotPhase);
        // The bound is written with each lock. The holder commits after it, because it asks for no timestamp before its
        // locks are held.
        lockPreamble(() -> verbs.known(timestamps.known()));
    }

    @Override
    protected boolean execute(int from) {
        snapshot(from);
        return lookup(from) && lockAndRead(from) && values(from);
    }

    @Override
    protected boolean pipeline(int slot) {
        if (!lock()) return false;
        if (!writes().isEmpty()) stamp(); // before validation: otherwise a later locker could get an earlier stamp
        if (!validate()) return false;
        if (writes().isEmpty()) return true;
        outcomeOpen(); // a failure of the fabric from here on: outcome unknown
        commit(slot);
        commitPoint(); // ---- every copy has acknowledged log, delta, package, tuple: only forward from here
        release(slot);
        return true;
    }

    // ---- the snapshot

    /** READ counter, aside: several reads and no writes, or snapshot isolation. Earlier reads join the next round. */
    private void snapshot(int from) {
        at(Step.SNAPSHOT);
        snapshotPhase.begin(from);
        if (from == 0) {
            stampedAt = NOT_STAMPED;
            escalated = false;
        }
        boolean writes = false;
        boolean reads = false;
        for (int i = 0; i < accesses(); i++) {
            if (access(i).kind == Access.Kind.READ) reads = true;
            else writes = true;
        }
        // A serializable transaction that writes validates its reads, so it reads the newest versions.
        boolean wanted = options.isSerializable() ? !writes && accesses() > 1 : reads && accesses() > 1;
        if (!wanted) snapshotPhase.leave();
        else if (!snapshotPhase.isTaken()) snapshotPhase.take(from);
        verbs.inSnapshot(snapshotPhase.isTaken());
    }

    /** The snapshots of Motor, in which a read may pass locks. */
    private final class MotorSnapshot extends SnapshotPhase {
        MotorSnapshot() {
            super(MotorTxn.this, timestamps::snapshot);
        }

        /**
         * Returns whether a read may pass a lock because its holder commits after the snapshot. It does if the bound
         * written with its lock says so, or if the newest version is after the snapshot: that version is the holder's
         * own, or an earlier one. See "Passing a lock" in {@code docs/internals/protocols/motor.md}.
         */
        @Override
        public boolean mayPass(Access a, long lock, long landed) {
            if (!isTaken()) return false;
            long bodyBytes = ObjectLayout.bodyBytes(a.table.contentBytes());
            if (verbs.boundOf(lock, landed, bodyBytes) >= snapshot()) return true;
            passed.table = a.table;
            passed.landed = landed;
            return versions.newest(passed) > snapshot();
        }
    }

    /** Returns whether this transaction is the first committer in the bucket of a row that is inserted or deleted. */
    private boolean isFirstInBucket(Access a) {
        if (!snapshotPhase.isTaken() || a.head == null || a.before != null && a.before.head == a.head) return true;
        if (a.bracketStamp > snapshotPhase.snapshot()) return abort(AbortReason.SNAPSHOT_TOO_OLD);
        return a.head.version(memory()) == a.bracketVersion || abort(AbortReason.BUCKET_CHANGED);
    }

    // ---- the values, and the commit timestamp

    /** READ deltas, READ package; FAA counter in the same trip if something is written: all locks are held. */
    private boolean values(int from) {
        at(Step.VALUES);
        if (!snapshotPhase.holds()) return false;
        for (int i = from; i < accesses(); i++) if (!isFirstInBucket(access(i))) return false;
        for (int i = from; i < accesses(); i++) enter(i);
        for (int tries = 0; ; tries++) {
            boolean any = false;
            for (int i = from; i < accesses(); i++) {
                VersionedRow row = rows[i];
                if (row.read || !access(i).found) continue;
                if (!select(access(i), row)) {
                    if (!isActive()) return false;
                    continue; // looked up again
                }
                versions.addReads(round(), row);
                any |= !row.together;
            }
            boolean stamps = any && writes().count() > 0;
            if (stamps) timestamps.take(round()); // or joins the request of another coordinator
            if (any) Step.VALUES.on(round()).post().await();
            if (stamps) stamped();
            boolean again = false;
            for (int i = from; i < accesses(); i++) if (!rows[i].read && access(i).found) again |= !accept(i);
            if (!again) return true;
            if (holdsLocks() || tries == MAX_TRIES) return abort(AbortReason.UNREADABLE);
            if (tries > 0) Waiting.pause(PAUSE_NANOS << Math.min(tries, 6));
            escalated = tries >= ESCALATION;
            if (!readTuplesAgain(from)) return false;
        }
    }

    private boolean readTuplesAgain(int from) {
        if (!repostReads(from)) return isActive();
        addWholeSides(from);
        return awaitReads(from);
    }

    /**
     * Adds a read of the whole side of a row that other transactions keep changing, so that no write comes between
     * tuple and value.
     */
    private void addWholeSides(int from) {
        for (int i = from; escalated && i < accesses(); i++) {
            VersionedRow row = rows[i];
            row.together = !row.read && access(i).found && access(i).landed < 0 && access(i).pointer != Pointer.NOWHERE;
            if (!row.together) continue;
            row.pointer = access(i).pointer;
            versions.addReadsOfAll(round(), row);
        }
    }

    private void enter(int i) {
        Access a = access(i);
        if (a.before != null) enterAgain(a);
        else enter(a, rows[i]);
        if (a.writes()) written[a.record.number] = rows[i];
    }

    /** Continues with a row that an earlier access has read and perhaps changed. */
    private void enterAgain(Access a) {
        VersionedRow row = rows[a.index];
        row.goOn(rows[a.before.index]);
        boolean isNew = a.record.fresh;
        if (a.kind == Access.Kind.DELETE) {
            row.write = isNew ? VersionedRow.Write.NEVER : VersionedRow.Write.DELETE;
            return;
        }
        row.write = isNew ? VersionedRow.Write.INSERT : VersionedRow.Write.UPDATE;
        if (isNew) versions.startEmpty(row);
        else versions.startChanging(row);
    }

    private void enter(Access a, VersionedRow row) {
        Checks.invariant(a.table.hasSides(), "rows of Motor have versions");
        row.table = a.table;
        row.key = a.key;
        row.side = -1;
        row.read = false;
        row.together = false;
        row.staged = a.writes() ? a.record.staged : -1;
        row.write = VersionedRow.Write.NONE;
        if (!a.writes()) return;
        row.pointer = a.pointer;
        if (a.isInsert()) row.write = VersionedRow.Write.INSERT;
        else row.write = a.kind == Access.Kind.DELETE ? VersionedRow.Write.DELETE : VersionedRow.Write.UPDATE;
        if (row.write != VersionedRow.Write.INSERT) return;
        versions.startEmpty(row);
        row.read = true;
    }

    /** Selects the version of an access. Returns false if the access is looked up again, or the attempt was aborted. */
    private boolean select(Access a, VersionedRow row) {
        row.pointer = a.pointer;
        row.landed = a.landed;
        if (a.landed < 0) return false;
        if (a.writes()) {
            if (!isFirstCommitter(row)) return abort(AbortReason.VERSION_CHANGED);
            if (versions.select(row, VersionStructure.NEWEST) == VersionStructure.Selected.VALUE) return true;
            // Deleted before the snapshot, and found by an address of that time, which is good enough only to read.
            forgetAddress(a);
            return abort(AbortReason.STALE_ADDRESS);
        }
        VersionStructure.Selected found =
                versions.select(row, snapshotPhase.isTaken() ? snapshotPhase.snapshot() : VersionStructure.NEWEST);
        boolean present = ObjectLayout.isPresent(memory(), a.landed + ObjectLayout.BODY);
        if (!present) forgetAddress(a); // no other access looks for it there
        if (found == VersionStructure.Selected.VALUE) {
            a.versionSeen = row.writer;
            return true;
        }
        // A row that was deleted before the snapshot: its bucket tells since when the key is absent.
        if (found == VersionStructure.Selected.ABSENT && !present && a.pointer != a.deletedSlot) {
            // An insert that found its row was only to read it. Now it would have to lock.
            if (a.kind != Access.Kind.READ) return abort(AbortReason.BUCKET_CHANGED);
            a.lookUpAgain();
            return false;
        }
        return abort(AbortReason.SNAPSHOT_TOO_OLD);
    }

    /**
     * Returns whether this transaction is the first committer of a row. Under snapshot isolation a transaction that has
     * committed the row after the snapshot was first.
     */
    protected boolean isFirstCommitter(VersionedRow row) {
        return !snapshotPhase.isTaken() || versions.newest(row) <= snapshotPhase.snapshot();
    }

    /** Checks the value that has landed. Returns false if the row is to be read again. */
    private boolean accept(int i) {
        Access a = access(i);
        VersionedRow row = rows[i];
        if (a.landed < 0) return false;
        VersionStructure.ReadState state = versions.accept(row);
        while (state == VersionStructure.ReadState.MORE) {
            versions.addReads(round(), row);
            Step.VALUES.on(round()).post().await();
            state = versions.accept(row);
        }
        if (state == VersionStructure.ReadState.AGAIN) {
            Checks.invariant(!a.writes(), "what is locked does not change");
            counts().tornReads++;
            a.readAgain();
            return false;
        }
        row.read = true;
        if (row.write == VersionedRow.Write.UPDATE) versions.startChanging(row);
        return true;
    }

    private void stamped() {
        stamp = timestamps.taken();
        stampedAt = accesses();
    }

    // ---- validate

    /** FAA counter, aside, unless {@link #values} brought a stamp for the same accesses. */
    private void stamp() {
        at(Step.STAMP);
        if (stampedAt == accesses()) return;
        if (timestamps.take(round())) round().aside().post().await();
        stamped();
    }

    /** READ LOCK -> READ VER. A read-only snapshot needs none, nor does any snapshot under snapshot isolation. */
    @Override
    protected boolean validate() {
        at(Step.VALIDATE);
        if (writes().isEmpty()) return snapshotPhase.isTaken() || super.validate();
        // Under snapshot isolation without a snapshot, only keys that were to be written and were absent are left to
        // check.
        return snapshotPhase.isTaken() && !options.isSerializable() || super.validate();
    }

    // ---- commit

    /** Each copy: WRITE log -> (WRITE delta -> WRITE package -> WRITE tuple). */
    private void commit(int slot) {
        at(Step.COMMIT);
        for (int i = 0; i < writes().count(); i++) if (writes().get(i).isRow()) prepare(writes().get(i), written[i]);
        sealBodies();
        logPhase.claim(slot);
        for (int node = 0; node < placement.nodes(); node++) install(node, slot);
        toAllCopies(round());
    }

    /** Waits for the answers of all copies. After that the transaction has committed. */
    protected void toAllCopies(Round commit) {
        commit.post().await();
    }

    private void prepare(WriteTarget t, VersionedRow row) {
        row.pointer = t.pointer;
        row.landed = t.landed;
        if (!versions.prepare(row, stamp, id())) return;
        long body = t.landed + ObjectLayout.BODY;
        long before = Words.plain(memory(), body + ObjectLayout.BODY_WRITER);
        long key = Words.plain(memory(), body + ObjectLayout.BODY_KEY);
        long flags = Words.plain(memory(), body + ObjectLayout.BODY_FLAGS);
        ObjectLayout.seal(memory(), body, t.bodyBytes, key, flags, before);
    }

    private void install(int node, int slot) {
        if (logPhase.bytes(node) == 0) return;
        logPhase.add(round(), node, slot, stamp);
        for (int i = 0; i < writes().count(); i++) {
            WriteTarget t = writes().get(i);
            if (!placement.holds(node, Pointer.partition(t.pointer))) continue;
            if (t.isRow()) install(t, written[i], node);
            else verbs.index(round(), node, t, id(), stamp);
        }
    }

    /** Writes the side before the tuple, so that a tuple proves that its value is there. */
    protected void install(WriteTarget t, VersionedRow row, int node) {
        versions.addWrites(round(), row, node);
        verbs.tuple(round(), node, t, id());
    }

    /** In the background. Rows: WRITE LOCK=0. Heads of buckets as FORD. */
    protected void release(int slot) {
        at(Step.RELEASE);
        Round release = coordinator.releaseOf(slot);
        for (int i = 0; i < writes().count(); i++) {
            WriteTarget t = writes().get(i);
            if (t.isRow()) verbs.releaseTuple(release, t);
            else releasePhase.add(release, t);
        }
        Step.RELEASE.on(release).postInBackground();
    }

    // ---- accessors

    @Override
    protected long valueOf(Access a) {
        return rows[a.index].value;
    }

    @Override
    public MemorySegment segment() {
        return memory();
    }
}
