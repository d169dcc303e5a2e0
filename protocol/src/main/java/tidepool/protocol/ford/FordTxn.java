package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Outcome;
import tidepool.protocol.Txn;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.Scratch;
import tidepool.store.StoreException;
import tidepool.store.TableInfo;
import tidepool.store.TxnId;

/**
 * A transaction of FORD (journal version, §4), corrected: {@code docs/protocols/ford.md} says where and why.
 *
 * <pre>
 *   phase      verbs (per connection; -> is an order that the fabric keeps for free)        trips   a crash right after it leaves
 *   lookup     READ head.VER -> READ bucket -> READ head.LOCK -> READ head.VER              0 or 1  nothing
 *   lock       write set:  WRITE intent -> CAS LOCK 0->T -> READ object (§4.2)                1     locks      -> freed
 *              read set:   READ body -> READ LOCK -> READ VER
 *   validate   READ LOCK -> READ VER, only with a read set                                  0 or 1  locks      -> freed
 *   commit     each replica: WRITE undo log -> (WRITE VER={INV,T} -> WRITE body) (§4.3)       1     log, some images -> finished
 *                                                                                                   if all are there, else undone
 *   ---- commit point: all acknowledged ----
 *   release    primary: WRITE VER={0,T} -> WRITE LOCK=0; backup: CAS VER {INV,T}->{0,T}     behind  some locks -> finished
 * </pre>
 */
public class FordTxn implements Txn {
    /** The most objects that one transaction may write, bucket heads included. */
    static final int MOST_TARGETS = 128;

    static final int MOST_ACCESSES = 256;
    private static final long SCRATCH_BYTES = 1 << 20;
    private static final int MOST_READ_TRIES = 64;
    private static final long PAUSE_NANOS = 500;

    private enum State {
        ENDED,
        ACTIVE,
        ABORTED
    }

    private final FordCoordinator coordinator;
    private final PoolRegions pool;
    private final Round round;
    private final Scratch scratch;
    private final MemorySegment memory;
    private final Lookup lookup;
    private final Access[] accesses = new Access[MOST_ACCESSES];
    private final Target[] targets = new Target[MOST_TARGETS];
    private int accessCount;
    private int executed;
    private int targetCount;
    private int intents;
    private int logSlot;
    private State state = State.ENDED;
    private long id;
    private AbortReason reason;
    private int blockingSession;

    FordTxn(FordCoordinator coordinator) {
        this.coordinator = coordinator;
        this.pool = coordinator.pool();
        this.scratch = new Scratch(coordinator.lane.landing(SCRATCH_BYTES));
        this.memory = scratch.memory();
        int replicas = coordinator.placement.replicas();
        int lookups = 4 * MOST_ACCESSES;
        int commits = 2 * MOST_TARGETS * replicas + pool.nodes();
        this.round = coordinator.lane.round(Math.max(lookups + 3 * MOST_TARGETS, commits));
        this.lookup = new Lookup(this, round, memory);
        for (int i = 0; i < accesses.length; i++) accesses[i] = new Access();
        for (int i = 0; i < targets.length; i++) targets[i] = new Target();
    }

    void begin(long newId) {
        Checks.invariant(state != State.ACTIVE, "a transaction ends before the next one begins");
        id = newId;
        state = State.ACTIVE;
        accessCount = 0;
        executed = 0;
        targetCount = 0;
        intents = 0;
        reason = null;
        blockingSession = 0;
        scratch.reset(0);
        round.discard();
    }

    // ---- declaring

    @Override
    public int read(TableInfo table, long key) {
        return declare(Access.Kind.READ, table, key);
    }

    @Override
    public int update(TableInfo table, long key) {
        return declare(Access.Kind.UPDATE, table, key);
    }

    @Override
    public int insert(TableInfo table, long key) {
        return declare(Access.Kind.INSERT, table, key);
    }

    @Override
    public int put(TableInfo table, long key) {
        return declare(Access.Kind.PUT, table, key);
    }

    @Override
    public int delete(TableInfo table, long key) {
        return declare(Access.Kind.DELETE, table, key);
    }

    private int declare(Access.Kind kind, TableInfo table, long key) {
        Checks.argument(state == State.ACTIVE, "the transaction has ended");
        for (int i = accessCount - 1; i >= 0; i--) {
            Access known = accesses[i];
            if (known.key != key || known.table.id() != table.id()) continue;
            int covers = again(i, known, kind);
            if (covers >= 0) return covers;
            break;
        }
        if (accessCount == MOST_ACCESSES) throw tooLarge("accesses", MOST_ACCESSES);
        Access a = accesses[accessCount];
        a.kind = kind;
        a.table = table;
        a.key = key;
        a.pointer = Pointer.NOWHERE;
        a.found = false;
        a.landed = -1;
        a.record = null;
        a.head = null;
        a.witness = Pointer.NOWHERE;
        a.versionSeen = 0;
        a.resolved = false;
        a.overflows = false;
        a.bucketLanded = -1;
        a.readLanded = -1;
        return accessCount++;
    }

    /**
     * A key that this transaction has declared before. A write covers what is declared after it; a read that was carried
     * out stays in the read set, and the write that follows it is an access of its own (-1), so that a change between
     * the two is noticed.
     */
    private int again(int i, Access known, Access.Kind kind) {
        if (kind == Access.Kind.READ || kind == known.kind) return i;
        boolean pending = i >= executed;
        boolean wrote = pending || known.writes();
        if (known.kind == Access.Kind.READ || !wrote) {
            if (!pending) return -1;
            known.kind = kind;
            return i;
        }
        boolean covered = kind != Access.Kind.DELETE && kind != Access.Kind.INSERT && known.kind != Access.Kind.DELETE;
        if (covered && known.kind != Access.Kind.UPDATE || covered && kind == Access.Kind.PUT && !pending) return i;
        throw new IllegalArgumentException("key " + known.key + " of table " + known.table.name() + " was declared as "
                + known.kind + " and cannot become " + kind + " in the same transaction");
    }

    // ---- the pipeline

    @Override
    public boolean execute() {
        if (state != State.ACTIVE) return false;
        if (executed == accessCount) return true;
        int from = executed;
        executed = accessCount;
        try {
            return lookup(from) && lock(from);
        } catch (FabricException e) {
            throw broken(e);
        }
    }

    @Override
    public Outcome commit() {
        Checks.argument(state != State.ENDED, "the transaction has ended");
        if (!execute()) return Outcome.ABORTED;
        try {
            if (!validate()) return Outcome.ABORTED;
        } catch (FabricException e) {
            throw broken(e);
        }
        if (targetCount == 0) {
            state = State.ENDED;
            return Outcome.COMMITTED;
        }
        seal();
        try {
            write();
        } catch (FabricException e) {
            coordinator.broke();
            state = State.ENDED;
            return Outcome.UNKNOWN;
        }
        // ---- commit point: every replica holds log and image; from here on recovery only goes forward ----
        state = State.ENDED;
        try {
            release();
        } catch (FabricException e) {
            coordinator.broke(); // committed all the same: recovery does the release
        }
        return Outcome.COMMITTED;
    }

    @Override
    public void rollback() {
        if (state == State.ACTIVE) refuse(AbortReason.ROLLED_BACK);
        state = State.ENDED;
    }

    // ---- lookup

    private boolean lookup(int from) {
        for (int i = from; i < accessCount; i++) {
            Access a = accesses[i];
            long cached = a.kind == Access.Kind.INSERT ? Pointer.NOWHERE : coordinator.cache(a.table).find(a.key);
            if (cached == Pointer.NOWHERE) continue;
            a.pointer = cached;
            a.found = true;
            a.resolved = true;
        }
        return lookup.resolve(accesses, from, accessCount);
    }

    // ---- lock: take every lock and read every object behind it, in one trip (§4.2)

    private boolean lock(int from) {
        int first = targetCount;
        for (int i = from; i < accessCount; i++) plan(accesses[i]);
        if (targetCount > LogLayout.INTENTS - intents + first) throw tooLarge("locks", LogLayout.INTENTS);
        postLocks(first);
        for (int i = from; i < accessCount; i++) if (isInsert(accesses[i])) readChainAgain(accesses[i]);
        boolean any = postReads(from) || targetCount > first;
        if (!any) return true;
        round.post().await();
        if (!granted(first)) return false;
        for (int i = from; i < accessCount; i++) if (!stillThere(accesses[i])) return false;
        return accept(from) && overflow(from);
    }

    /** Decides which objects an access locks. */
    private void plan(Access a) {
        boolean absent = !a.found;
        switch (a.kind) {
            case READ -> {}
            case UPDATE -> {
                if (!absent) a.record = target(a.table, a.pointer, a.table.valueBytes(), a.key);
            }
            case PUT, INSERT -> {
                if (!absent && a.kind == Access.Kind.PUT)
                    a.record = target(a.table, a.pointer, a.table.valueBytes(), a.key);
                if (absent) planInsert(a);
            }
            case DELETE -> {
                if (absent) return;
                a.record = target(a.table, a.pointer, a.table.valueBytes(), a.key);
                a.head = head(a.table, a.table.home(a.key));
            }
        }
    }

    /** All inserts and deletes of a key meet in the head of its first bucket, also through overflow buckets. */
    private void planInsert(Access a) {
        a.head = head(a.table, a.chain[0]);
        for (int i = 0; i < a.freeSlots; i++) {
            if (own(a.freeSlot[i]) != null) continue; // another insert of ours has it
            a.pointer = a.freeSlot[i];
            a.record = target(a.table, a.pointer, a.table.valueBytes(), a.key);
            return;
        }
        a.overflows = true;
        head(a.table, a.chain[a.chainLength - 1]);
        target(a.table, a.table.overflowCount(Pointer.partition(a.chain[0])), TableInfo.HEAD_CONTENT, 0);
    }

    private Target head(TableInfo table, long bucket) {
        return target(table, bucket, TableInfo.HEAD_CONTENT, Pointer.offset(bucket));
    }

    private Target target(TableInfo table, long pointer, long contentBytes, long key) {
        for (int i = 0; i < targetCount; i++) if (targets[i].pointer == pointer) return targets[i];
        if (targetCount == MOST_TARGETS) throw tooLarge("objects to write", MOST_TARGETS);
        Target t = targets[targetCount++];
        t.table = table;
        t.pointer = pointer;
        t.bodyBytes = ObjectLayout.bodyBytes(contentBytes);
        t.key = key;
        t.flags = ObjectLayout.flags(table.id(), true);
        t.lockFound = take(Words.BYTES);
        t.landed = take(ObjectLayout.BODY + t.bodyBytes);
        t.staged = take(t.bodyBytes);
        t.held = false;
        return t;
    }

    private void postLocks(int first) {
        for (int i = first; i < targetCount; i++) {
            Target t = targets[i];
            Region region = pool.primary(t.pointer);
            long offset = Pointer.offset(t.pointer);
            intent(t);
            round.compareAndSwap(region, offset + ObjectLayout.LOCK, 0, lockWord(), memory, t.lockFound);
            round.read(
                    region,
                    offset + ObjectLayout.VERSION,
                    Words.BYTES + t.bodyBytes,
                    memory,
                    t.landed + ObjectLayout.VERSION);
        }
    }

    /** Names what is about to be locked, ahead of the lock on the same link, so that a recoverer need not search. */
    void intent(Target t) {
        int node = coordinator.placement.primary(Pointer.partition(t.pointer));
        round.write(pool.log(node), coordinator.intent(intents++), t.pointer);
    }

    /** What an insert depends on is read again behind the lock of the head. */
    private void readChainAgain(Access a) {
        a.chainLanded = take(a.table.bucketBytes() * a.chainLength);
        for (int i = 0; i < a.chainLength; i++)
            round.read(
                    pool.primary(a.chain[i]),
                    Pointer.offset(a.chain[i]),
                    a.table.bucketBytes(),
                    memory,
                    a.chainLanded + i * a.table.bucketBytes());
    }

    private boolean granted(int first) {
        boolean all = true;
        for (int i = first; i < targetCount; i++) {
            Target t = targets[i];
            long found = Words.plain(memory, t.lockFound);
            t.held = found == 0;
            if (t.held) continue;
            blockedBy(found);
            all = false;
        }
        if (!all) return refuse(AbortReason.LOCKED);
        for (int i = first; i < targetCount; i++) {
            Target t = targets[i];
            // The holder before us made it visible before it unlocked, and nobody writes while we hold the lock.
            Checks.invariant(version(t.landed) >= 0, "a locked object is visible");
            Checks.invariant(
                    ObjectLayout.isWhole(memory, t.landed + ObjectLayout.BODY, t.bodyBytes), "a locked object is whole");
            prepare(t);
        }
        return true;
    }

    /** The new body starts as the old one. */
    private void prepare(Target t) {
        MemorySegment.copy(memory, t.landed + ObjectLayout.BODY, memory, t.staged, t.bodyBytes);
    }

    /** Behind the locks: is what was found, or not found, still so? */
    private boolean stillThere(Access a) {
        if (isInsert(a)) return stillAbsent(a) || refuse(AbortReason.BUCKET_CHANGED);
        if (!a.writes()) return true;
        long body = a.record.landed + ObjectLayout.BODY;
        boolean present = (Words.plain(memory, body + ObjectLayout.BODY_FLAGS) & ObjectLayout.PRESENT) != 0;
        if (!present || Words.plain(memory, body + ObjectLayout.BODY_KEY) != a.key) {
            coordinator.cache(a.table).remove(a.key);
            return refuse(AbortReason.STALE_ADDRESS);
        }
        coordinator.cache(a.table).put(a.key, a.pointer);
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
                boolean present = (Words.plain(memory, body + ObjectLayout.BODY_FLAGS) & ObjectLayout.PRESENT) != 0;
                if (!present) continue;
                if (Words.plain(memory, body + ObjectLayout.BODY_KEY) == a.key) return false;
                if (a.chain[i] + (table.slotOffset(slot) >>> 3) == a.pointer) return false;
            }
        }
        if (a.record != null) empty(a.record);
        return true;
    }

    /** A new record starts with a value of zeros, whatever a deleted one left there. */
    private void empty(Target t) {
        memory.asSlice(t.staged, t.bodyBytes).fill((byte) 0);
    }

    /** Inserts that found no free slot take a new overflow bucket; its address is known only behind the count's lock. */
    private boolean overflow(int from) {
        int first = targetCount;
        for (int i = from; i < accessCount; i++) {
            Access a = accesses[i];
            if (!a.overflows) continue;
            int partition = Pointer.partition(a.chain[0]);
            Target count = target(a.table, a.table.overflowCount(partition), TableInfo.HEAD_CONTENT, 0);
            long used = Words.plain(memory, count.staged + ObjectLayout.BODY_CONTENT);
            Target tail = head(a.table, a.chain[a.chainLength - 1]);
            long bucket = Words.plain(memory, tail.staged + ObjectLayout.BODY_CONTENT);
            if (bucket == Pointer.NOWHERE) {
                if (used >= a.table.overflow()) throw full(a.table, partition);
                bucket = a.table.overflowBucket(partition, used);
                Words.plain(memory, count.staged + ObjectLayout.BODY_CONTENT, used + 1);
                Words.plain(memory, tail.staged + ObjectLayout.BODY_CONTENT, bucket);
            }
            // Otherwise another insert of ours has just put this bucket at the end of the chain.
            int slot = 0;
            while (slot < a.table.slots() && own(bucket + (a.table.slotOffset(slot) >>> 3)) != null) slot++;
            if (slot == a.table.slots()) throw tooLarge("inserts into one overflow bucket", slot);
            a.pointer = bucket + (a.table.slotOffset(slot) >>> 3);
            a.record = target(a.table, a.pointer, a.table.valueBytes(), a.key);
        }
        if (targetCount == first) return true;
        postLocks(first);
        round.post().await();
        if (!granted(first)) return false;
        for (int i = from; i < accessCount; i++) if (accesses[i].overflows) empty(accesses[i].record);
        return true;
    }

    private StoreException full(TableInfo table, int partition) {
        refuse(AbortReason.ROLLED_BACK);
        return new StoreException(
                StoreException.Reason.FULL,
                "table " + table.name() + " is full: all " + table.overflow() + " overflow buckets of partition "
                        + partition + " are used");
    }

    private static boolean isInsert(Access a) {
        return (a.kind == Access.Kind.INSERT || a.kind == Access.Kind.PUT) && !a.found;
    }

    // ---- read: body, then LOCK, then VER

    private boolean postReads(int from) {
        boolean any = false;
        for (int i = from; i < accessCount; i++) if (isUnread(accesses[i])) any |= postRead(accesses[i]);
        return any;
    }

    private static boolean isUnread(Access a) {
        return a.onlyReads() && !isInsert(a) && a.found && a.landed < 0;
    }

    /** Takes what has landed; reads again what is torn, marked or locked, as long as we hold no locks ourselves. */
    private boolean accept(int from) {
        for (int tries = 0; ; tries++) {
            boolean unclear = false;
            for (int i = from; i < accessCount; i++) if (isUnread(accesses[i])) unclear |= !accept(accesses[i]);
            if (!unclear) return true;
            // Waiting for a lock while we hold others could be waiting for ourselves: abort instead.
            if (holdsLocks() || tries == MOST_READ_TRIES) return refuse(AbortReason.UNREADABLE);
            Waiting.pause(PAUSE_NANOS << Math.min(tries, 6));
            if (!lookup.resolve(accesses, from, accessCount)) return false;
            if (!postReads(from)) return true;
            round.post().await();
        }
    }

    /** Three READs, because one that spans these words could sample them in any order. */
    private boolean postRead(Access a) {
        long bodyBytes = ObjectLayout.bodyBytes(a.table.valueBytes());
        if (a.readLanded < 0) a.readLanded = take(ObjectLayout.BODY + bodyBytes);
        a.witness = a.pointer;
        long at = a.readLanded;
        Region region = readFrom(a.pointer);
        long offset = Pointer.offset(a.pointer);
        round.read(region, offset + ObjectLayout.BODY, bodyBytes, memory, at + ObjectLayout.BODY)
                .read(pool.primary(a.pointer), offset + ObjectLayout.LOCK, Words.BYTES, memory, at + ObjectLayout.LOCK)
                .read(region, offset + ObjectLayout.VERSION, Words.BYTES, memory, at + ObjectLayout.VERSION);
        return true;
    }

    /** Where records are read. */
    Region readFrom(long pointer) {
        return pool.primary(pointer);
    }

    /** A value that has landed is one committed writer's, whole, and nobody who may precede us holds it. */
    private boolean accept(Access a) {
        long at = a.readLanded;
        long body = at + ObjectLayout.BODY;
        long lock = Words.plain(memory, at + ObjectLayout.LOCK);
        long version = Words.plain(memory, at + ObjectLayout.VERSION);
        if (lock != 0 && TxnId.of(lock) != id) {
            blockedBy(lock);
            return false;
        }
        if (version < 0) blockedBy(version);
        boolean whole = ObjectLayout.isWhole(memory, body, ObjectLayout.bodyBytes(a.table.valueBytes()));
        if (!whole || version != Words.plain(memory, body + ObjectLayout.BODY_WRITER)) return false;
        boolean present = (Words.plain(memory, body + ObjectLayout.BODY_FLAGS) & ObjectLayout.PRESENT) != 0;
        if (!present || Words.plain(memory, body + ObjectLayout.BODY_KEY) != a.key) {
            // The address says nothing about the key any more: its bucket does.
            coordinator.cache(a.table).remove(a.key);
            a.resolved = false;
            return false;
        }
        coordinator.cache(a.table).put(a.key, a.pointer);
        a.landed = at;
        a.versionSeen = version;
        return true;
    }

    // ---- validate: LOCK, then VER, after all own locks are acknowledged

    private boolean validate() {
        int reads = 0;
        for (int i = 0; i < accessCount; i++) if (accesses[i].onlyReads()) reads++;
        if (reads == 0 || (reads == 1 && targetCount == 0)) return true;
        long at = take(2L * Words.BYTES * accessCount);
        boolean any = false;
        for (int i = 0; i < accessCount; i++) {
            Access a = accesses[i];
            if (!a.onlyReads() || own(a.witness) != null) continue;
            any = true;
            postValidation(pool.primary(a.witness), Pointer.offset(a.witness), at + 2L * Words.BYTES * i);
        }
        if (any) round.post().await();
        for (int i = 0; i < accessCount; i++) {
            Access a = accesses[i];
            if (!a.onlyReads()) continue;
            Target own = own(a.witness);
            long lock = own != null ? 0 : Words.plain(memory, at + 2L * Words.BYTES * i);
            long version = own != null ? version(own.landed) : Words.plain(memory, at + 2L * Words.BYTES * i + Words.BYTES);
            if (!unlocked(lock)) {
                blockedBy(lock);
                return refuse(AbortReason.READ_LOCKED);
            }
            if (version != a.versionSeen) return refuse(AbortReason.READ_CHANGED);
        }
        return true;
    }

    /** Version before lock would admit write skew: the holder may install and unlock between the two samples. */
    void postValidation(Region region, long offset, long landing) {
        round.read(region, offset + ObjectLayout.LOCK, Words.BYTES, memory, landing)
                .read(region, offset + ObjectLayout.VERSION, Words.BYTES, memory, landing + Words.BYTES);
    }

    /** Whether a record that was read is free of foreign locks. */
    boolean unlocked(long lock) {
        return lock == 0 || TxnId.of(lock) == id;
    }

    private Target own(long pointer) {
        for (int i = 0; i < targetCount; i++) if (targets[i].pointer == pointer) return targets[i];
        return null;
    }

    // ---- commit: undo log, mark and image on every replica, in one trip (§4.3)

    private void seal() {
        for (int i = 0; i < targetCount; i++) {
            Target t = targets[i];
            ObjectLayout.seal(memory, t.staged, t.bodyBytes, t.key, t.flags, id);
        }
    }

    private void write() {
        Placement placement = coordinator.placement;
        coordinator.releaseOf(logSlot);
        for (int node = 0; node < pool.nodes(); node++) {
            long bytes = UndoLog.bytes(targets, targetCount, placement, node);
            if (bytes == 0) continue;
            if (bytes > coordinator.logSlotBytes()) {
                refuse(AbortReason.ROLLED_BACK);
                throw tooLarge("bytes of log", coordinator.logSlotBytes());
            }
        }
        for (int node = 0; node < pool.nodes(); node++) postCommit(node);
        round.post().await();
    }

    private void postCommit(int node) {
        Placement placement = coordinator.placement;
        long bytes = UndoLog.bytes(targets, targetCount, placement, node);
        if (bytes == 0) return;
        long log = take(bytes);
        UndoLog.write(memory, log, bytes, id, targets, targetCount, placement, node);
        postLog(round, pool.log(node), coordinator.logSlot(logSlot), bytes, log);
        for (int i = 0; i < targetCount; i++) {
            Target t = targets[i];
            if (placement.holds(node, Pointer.partition(t.pointer))) postImage(round, pool.at(node, t.pointer), t);
        }
    }

    /** The log goes ahead of the data on the same link: a touched word means a whole log on that node. */
    void postLog(Round round, Region region, long slot, long bytes, long log) {
        round.write(region, slot, bytes, memory, log);
    }

    /** Marked first, so that no reader takes a body that may yet be undone. */
    void postImage(Round round, Region region, Target t) {
        long offset = Pointer.offset(t.pointer);
        round.write(region, offset + ObjectLayout.VERSION, TxnId.INV | id)
                .write(region, offset + ObjectLayout.BODY, t.bodyBytes, memory, t.staged);
    }

    // ---- release, behind the report

    private void release() {
        Placement placement = coordinator.placement;
        Round release = coordinator.releaseOf(logSlot);
        for (int i = 0; i < targetCount; i++) {
            Target t = targets[i];
            for (int r = 0; r < placement.replicas(); r++) {
                Region region = pool.replica(t.pointer, r);
                postRelease(release, region, Pointer.offset(t.pointer), r == 0);
            }
        }
        release.postInBackground();
        logSlot = (logSlot + 1) % LogLayout.SLOTS;
        cacheInserts();
    }

    /** On a backup by CAS from our own mark: a plain WRITE could arrive behind the next writer's mark and clear it. */
    void postRelease(Round release, Region region, long offset, boolean isPrimary) {
        if (isPrimary)
            release.write(region, offset + ObjectLayout.VERSION, id).write(region, offset + ObjectLayout.LOCK, 0);
        else release.compareAndSwap(region, offset + ObjectLayout.VERSION, TxnId.INV | id, id, null, 0);
    }

    private void cacheInserts() {
        for (int i = 0; i < accessCount; i++) {
            Access a = accesses[i];
            if (isInsert(a)) coordinator.cache(a.table).put(a.key, a.pointer);
            if (a.kind == Access.Kind.DELETE && a.found) coordinator.cache(a.table).remove(a.key);
        }
    }

    // ---- aborting

    /** Ends the attempt: every lock that is provably ours is released in the background, and no other is touched. */
    boolean refuse(AbortReason why) {
        reason = why;
        state = State.ABORTED;
        try {
            Round release = coordinator.abortRound();
            boolean any = false;
            for (int i = 0; i < targetCount; i++) any |= postAbort(release, targets[i]);
            if (any) release.postInBackground();
        } catch (FabricException e) {
            throw broken(e);
        }
        targetCount = 0;
        return false;
    }

    /** Whether there was something to release. */
    boolean postAbort(Round release, Target t) {
        if (!t.held) return false;
        release.write(pool.primary(t.pointer), Pointer.offset(t.pointer) + ObjectLayout.LOCK, 0);
        return true;
    }

    private FabricException broken(FabricException e) {
        coordinator.broke();
        state = State.ENDED;
        return e;
    }

    // ---- what is asked

    @Override
    public boolean found(int access) {
        return executedAccess(access).found;
    }

    @Override
    public boolean writes(int access) {
        return executedAccess(access).writes();
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long value(int access) {
        Access a = executedAccess(access);
        if (a.record != null) return a.record.staged + ObjectLayout.BODY_CONTENT;
        if (!a.found) throw new IllegalStateException("key " + a.key + " of table " + a.table.name() + " was not found");
        return a.landed + ObjectLayout.CONTENT;
    }

    private Access executedAccess(int access) {
        Checks.argument(access >= 0 && access < executed, "the access was not executed yet");
        return accesses[access];
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public AbortReason abortReason() {
        return reason;
    }

    @Override
    public int blockingSession() {
        return blockingSession;
    }

    void blockedBy(long lockOrVersion) {
        blockingSession = TxnId.session(lockOrVersion);
    }

    boolean holdsLocks() {
        return targetCount > 0;
    }

    Region primary(long pointer) {
        return pool.primary(pointer);
    }

    long take(long bytes) {
        long at = scratch.take(bytes);
        if (at < 0) throw tooLarge("bytes of local memory", SCRATCH_BYTES);
        return at;
    }

    /** The word that a lock of this transaction holds. R is always set: it may yet read. */
    private long lockWord() {
        return TxnId.R | id;
    }

    private TransactionTooLargeException tooLarge(String what, long most) {
        if (state == State.ACTIVE) refuse(AbortReason.ROLLED_BACK);
        return new TransactionTooLargeException("a transaction has at most " + most + " " + what);
    }

    private long version(long landed) {
        return Words.plain(memory, landed + ObjectLayout.VERSION);
    }
}
