package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import tidepool.base.Clock;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Recovery;
import tidepool.store.Catalog;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/**
 * The common part of every recovery on records. It <b>revokes</b> the dead session, <b>resolves</b> each of its
 * transactions by its logs as the protocol says, frees the locks that no log names, and clears the places of its
 * coordinators.
 *
 * <p>One recoverer works at a time, under a lock that names its session. A lock without any log protects nothing yet;
 * the intents say where to look for it.
 */
public abstract class RecordRecovery implements Recovery {
    private static final int FREE = 0;
    private static final int REHEARSED = 8;

    /** How many verbs share a round. */
    private static final int AT_ONCE = 64;

    private final Fabric fabric;
    protected final Catalog catalog;
    protected final PoolRegions pool;
    protected final Lane lane;
    protected final Round round;
    protected final MemorySegment words;
    private final long slotBytes;
    // Landing memory lives as long as its lane. It is taken once, because a long-lived process recovers many sessions.
    private final MemorySegment[] slots;
    private final MemorySegment intents;
    private final MemorySegment locks;
    private final MemorySegment zeros;
    private MemorySegment imageLanding;
    private final LockWords lockWords;
    private final LogClearing clearing;
    private HeapScan heap;
    private SessionHoldings holdings = SessionHoldings.NONE;

    /** Numbers for the report, counted by {@link #resolve}. */
    protected int finished;

    protected int undone;
    protected int ended;
    protected int stragglers;
    private int tornLogs;

    /** A whole log: its node, its copy in local memory, and its offset on the node. */
    public static final class Log {
        private final int node;
        private final MemorySegment memory;
        private final long at;
        private long[] images;

        Log(int node, MemorySegment memory, long at) {
            this.node = node;
            this.memory = memory;
            this.at = at;
        }

        public int node() {
            return node;
        }

        public MemorySegment memory() {
            return memory;
        }

        public long at() {
            return at;
        }

        /** Returns where the image of the i-th object begins, which the log must have: a version, then a body. */
        public long image(int i) {
            if (images == null) images = ImageLog.images(memory);
            return images[i];
        }
    }

    protected RecordRecovery(Session session, Catalog catalog) {
        this(session, catalog, LockWords.WHOLE);
    }

    protected RecordRecovery(Session session, Catalog catalog, LockWords lockWords) {
        this(session, catalog, lockWords, LogClearing.ONE_BY_ONE);
    }

    protected RecordRecovery(Session session, Catalog catalog, LockWords lockWords, LogClearing clearing) {
        this.clearing = clearing;
        this.lockWords = lockWords;
        this.fabric = session.fabric();
        this.catalog = catalog;
        this.lane = session.lane();
        this.pool = new PoolRegions(lane, catalog);
        this.slotBytes = catalog.logSlotBytes();
        this.round = lane.round(Math.max(AT_ONCE, pool.nodes() * (1 + LogLayout.SLOTS)));
        this.words = lane.landing(4 * Words.BYTES);
        this.slots = new MemorySegment[pool.nodes() * LogLayout.SLOTS];
        this.intents = lane.landing(pool.nodes() * LogLayout.INTENT_BYTES);
        this.locks = lane.landing(AT_ONCE * (long) Words.BYTES);
        this.zeros = lane.landing(LogLayout.INTENT_BYTES);
        this.imageLanding = lane.landing(slotBytes);
    }

    private HeapScan heap() {
        if (heap == null) heap = newHeapScan();
        return heap;
    }

    /** Makes the reader of the log heap; tests that plant bugs override it. */
    protected HeapScan newHeapScan() {
        return new HeapScan(pool, lane, catalog.logHeap());
    }

    /** Chooses what a session holds in addition to locks. Called in the constructor of a protocol's recovery. */
    protected final void holdings(SessionHoldings chosen) {
        holdings = chosen;
    }

    @Override
    public Report recover(int dead) {
        if (!catalog.tryRecoveryLock()) return null;
        try {
            catalog.requirePower();
            long begun = Clock.current().nowNanos();
            revoke(dead);
            long revoked = Clock.current().nowNanos();
            holdings.withdraw(dead);
            finished = undone = ended = stragglers = tornLogs = 0;
            List<Integer> owned = catalog.coordinatorsOf(dead);
            heap().read();
            for (int c : owned) for (var entry : logsOf(c, dead).entrySet()) resolve(entry.getKey(), entry.getValue());
            // Only now: an old intent of one coordinator may name an object that another coordinator of that session
            // has half written.
            long resolved = Clock.current().nowNanos();
            int freed = 0;
            for (int c : owned) freed += freeIntended(c, dead);
            // ---- from here on no transaction waits for this recovery
            Times times = new Times(begun, revoked, resolved, Clock.current().nowNanos());
            if (marksLogsFirst()) {
                for (int c : owned) end(c);
                pool.persist(round);
            }
            for (int c : owned) {
                clear(c);
                catalog.releaseCoordinator(c, dead);
            }
            holdings.giveBack(dead);
            catalog.releaseLockOf(dead);
            // Node 0 last: its list names the sessions still to be recovered, also if the recoverer dies between two
            // nodes.
            for (int node = fabric.nodes() - 1; node >= 0; node--)
                fabric.control(node).forget(dead);
            return new Report(dead, owned.size(), finished, undone, ended, stragglers, tornLogs, freed, times);
        } finally {
            catalog.releaseRecoveryLock();
        }
    }

    /**
     * Reads areas without an owner as if the trial session had left them. Logs found there belong to other sessions and
     * are ignored.
     */
    @Override
    public Report rehearse(int trial) {
        long begun = Clock.current().nowNanos();
        int last = fabric.nodes() - 1;
        if (last > 0) {
            // Not at node 0: other sessions take its list for the sessions to be recovered.
            fabric.control(last).revoke(trial);
            fabric.control(last).forget(trial);
        }
        List<Integer> free = catalog.coordinatorsOf(FREE);
        heap().read();
        for (int i = 0; i < Math.min(free.size(), REHEARSED); i++) {
            logsOf(free.get(i), trial);
            freeIntended(free.get(i), trial);
        }
        return new Report(trial, 0, 0, 0, 0, 0, 0, 0, new Times(begun, begun, begun, begun));
    }

    /** Revokes the dead session: from here on none of its verbs takes effect. */
    protected void revoke(int dead) {
        for (int node = 0; node < fabric.nodes(); node++) fabric.control(node).revoke(dead);
    }

    // ---- logs

    /**
     * Returns every whole log of a coordinator, by transaction, oldest first. If the logs of a transaction have
     * different write sets, they are left out. The transaction was still taking locks then, and had not changed any
     * object.
     */
    private SortedMap<Long, List<Log>> logsOf(int coordinator, int dead) {
        readLogs(coordinator);
        SortedMap<Long, List<Log>> logs = new TreeMap<>();
        for (int node = 0; node < pool.nodes(); node++)
            for (int slot = 0; slot < LogLayout.SLOTS; slot++) {
                MemorySegment memory = landing(node, slot);
                if (!ImageLog.isWhole(memory, 0, slotBytes)) {
                    if (Words.plain(memory, LogLayout.MAGIC_AND_LENGTH) != 0) tornLogs++;
                    continue;
                }
                long txn = Words.plain(memory, LogLayout.TXN);
                long at = LogLayout.slot(coordinator, slot, slotBytes);
                if (TxnId.session(txn) == dead)
                    logs.computeIfAbsent(txn, t -> new ArrayList<>()).add(new Log(node, memory, at));
            }
        addLogsInHeap(coordinator, dead, logs);
        logs.values().removeIf(found -> !agree(found));
        return logs;
    }

    private void addLogsInHeap(int coordinator, int dead, SortedMap<Long, List<Log>> logs) {
        for (int node = 0; node < pool.nodes(); node++)
            for (int slot = 0; slot < LogLayout.SLOTS; slot++) {
                HeapScan.Place place = heap.log(coordinator, slot, node);
                if (place == null) continue;
                MemorySegment memory = heap.read(place);
                if (memory == null) tornLogs++;
                if (memory == null || TxnId.session(Words.plain(memory, LogLayout.TXN)) != dead) continue;
                logs.computeIfAbsent(Words.plain(memory, LogLayout.TXN), t -> new ArrayList<>())
                        .add(new Log(node, memory, place.at()));
            }
    }

    private static boolean agree(List<Log> logs) {
        MemorySegment first = logs.getFirst().memory();
        for (Log log : logs) if (!ImageLog.isSameWriteSet(first, log.memory())) return false;
        return true;
    }

    /** Reads the headers first. Most slots are empty or hold a short log, and reading whole slots takes long. */
    private void readLogs(int coordinator) {
        for (int node = 0; node < pool.nodes(); node++)
            for (int slot = 0; slot < LogLayout.SLOTS; slot++)
                round.read(
                        pool.log(node),
                        LogLayout.slot(coordinator, slot, slotBytes),
                        LogLayout.ENTRIES,
                        landing(node, slot),
                        0);
        round.post().await();
        boolean any = false;
        for (int node = 0; node < pool.nodes(); node++)
            for (int slot = 0; slot < LogLayout.SLOTS; slot++) {
                MemorySegment memory = landing(node, slot);
                long bytes = ImageLog.bytes(memory, 0, slotBytes);
                if (bytes == 0) continue;
                round.read(pool.log(node), LogLayout.slot(coordinator, slot, slotBytes), bytes, memory, 0);
                any = true;
            }
        if (any) round.post().await();
    }

    private MemorySegment landing(int node, int slot) {
        int i = node * LogLayout.SLOTS + slot;
        if (slots[i] == null) slots[i] = lane.landing(slotBytes);
        return slots[i];
    }

    /** Decides about one transaction of the dead session by its whole logs, and carries the decision out. */
    protected abstract void resolve(long txn, List<Log> logs);

    /** Whether a replica holds the transaction's whole image of an object. */
    protected boolean isComplete(long txn, Region region, long pointer, long bodyBytes) {
        MemorySegment landed = image(Words.BYTES + bodyBytes);
        round.read(region, Pointer.offset(pointer) + ObjectLayout.VERSION, Words.BYTES + bodyBytes, landed, 0)
                .post()
                .await();
        return TxnId.of(Words.plain(landed, 0)) == txn
                && Words.plain(landed, Words.BYTES + ObjectLayout.BODY_WRITER) == txn
                && ObjectLayout.isWhole(landed, Words.BYTES, bodyBytes);
    }

    /** Returns memory for one object to land in. */
    protected final MemorySegment image(long bytes) {
        if (imageLanding.byteSize() < bytes) imageLanding = lane.landing(bytes);
        return imageLanding;
    }

    /** Removes the transaction's mark from the backups of an object. Returns how many had it. */
    protected final int publishBackups(long txn, long pointer) {
        int published = 0;
        for (int r = 1; r < pool.copies(pointer); r++) {
            round.compareAndSwap(
                            pool.replica(pointer, r),
                            Pointer.offset(pointer) + ObjectLayout.VERSION,
                            TxnId.INV | txn,
                            txn,
                            words,
                            0)
                    .post()
                    .await();
            if (Words.plain(words, 0) == (TxnId.INV | txn)) published++;
        }
        return published;
    }

    protected final void unlock(long txn, MemorySegment log, List<Integer> locked) {
        for (int i : locked) free(ImageLog.pointer(log, i), lockWords.heldBy(txn));
    }

    /** Frees locks that no log names: nothing that they protect was touched. */
    private int freeIntended(int coordinator, int dead) {
        int freed = 0;
        List<Long> some = new ArrayList<>(AT_ONCE);
        for (long pointer : intendedBy(coordinator)) {
            some.add(pointer);
            if (some.size() == AT_ONCE) freed += freeThoseOf(dead, some);
        }
        return freed + freeThoseOf(dead, some);
    }

    /** Returns the objects that a coordinator intended to lock, each once. */
    private Set<Long> intendedBy(int coordinator) {
        long at = LogLayout.intents(coordinator, slotBytes);
        for (int node = 0; node < pool.nodes(); node++)
            round.read(pool.log(node), at, LogLayout.INTENT_BYTES, intents, node * LogLayout.INTENT_BYTES);
        round.post().await();
        Set<Long> pointers = new LinkedHashSet<>();
        for (long i = 0; i < pool.nodes() * LogLayout.INTENT_BYTES; i += Words.BYTES) {
            long pointer = Words.plain(intents, i);
            if (pointer != Pointer.NOWHERE && pool.isPlace(pointer)) pointers.add(pointer);
        }
        for (int node = 0; node < pool.nodes(); node++)
            heap.intents(coordinator, node, pointer -> {
                if (pool.isPlace(pointer)) pointers.add(pointer);
            });
        return pointers;
    }

    private int freeThoseOf(int dead, List<Long> pointers) {
        if (pointers.isEmpty()) return 0;
        readLocks(pointers);
        int freed = 0;
        for (int i = 0; i < pointers.size(); i++) {
            long lock = Words.plain(locks, i * (long) Words.BYTES);
            if (lock == 0 || TxnId.session(lock) != dead) continue;
            free(pointers.get(i), lock);
            freed++;
        }
        pointers.clear();
        return freed;
    }

    /** Whether all logs are marked as over before one is cleared. Overridden by planted bugs. */
    protected boolean marksLogsFirst() {
        return clearing.marksFirst(pool);
    }

    /** Marks all logs of a coordinator as over on every node, before one is cleared. */
    private void end(int coordinator) {
        for (int node = 0; node < pool.nodes(); node++)
            for (int slot = 0; slot < LogLayout.SLOTS; slot++)
                round.write(pool.log(node), LogLayout.slot(coordinator, slot, slotBytes), LogLayout.OVER);
        round.post().await();
        heap.end(coordinator);
    }

    /** Clears the coordinator's area for its next owner. */
    private void clear(int coordinator) {
        for (int node = 0; node < pool.nodes(); node++) {
            round.write(pool.log(node), LogLayout.intents(coordinator, slotBytes), LogLayout.INTENT_BYTES, zeros, 0);
            for (int slot = 0; slot < LogLayout.SLOTS; slot++)
                round.write(pool.log(node), LogLayout.slot(coordinator, slot, slotBytes), 0);
        }
        round.post().await();
        heap.release(coordinator);
    }

    // ---- words

    /** Frees a lock if it still has the given value. */
    protected final void free(long pointer, long lock) {
        lockWords.free(round, pool.primary(pointer), Pointer.offset(pointer) + ObjectLayout.LOCK, lock, words);
        round.post().await();
    }

    /** Returns which objects of a log are not among those that are still locked, which are in order. */
    protected static List<Integer> released(MemorySegment log, List<Integer> locked) {
        List<Integer> others = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < ImageLog.objects(log); i++) {
            if (next < locked.size() && locked.get(next) == i) next++;
            else others.add(i);
        }
        return others;
    }

    /** Returns which objects of a log its transaction still locks, in order. Another one may own the rest by now. */
    protected List<Integer> lockedBy(long txn, MemorySegment log) {
        List<Integer> locked = new ArrayList<>();
        List<Long> some = new ArrayList<>(AT_ONCE);
        int objects = ImageLog.objects(log);
        for (int from = 0; from < objects; from += AT_ONCE) {
            for (int i = from; i < Math.min(objects, from + AT_ONCE); i++) some.add(ImageLog.pointer(log, i));
            readLocks(some);
            for (int i = 0; i < some.size(); i++)
                if (TxnId.of(Words.plain(locks, i * (long) Words.BYTES)) == txn) locked.add(from + i);
            some.clear();
        }
        return locked;
    }

    private void readLocks(List<Long> pointers) {
        for (int i = 0; i < pointers.size(); i++) {
            long at = Pointer.offset(pointers.get(i)) + ObjectLayout.LOCK;
            round.read(pool.primary(pointers.get(i)), at, Words.BYTES, locks, i * (long) Words.BYTES);
        }
        round.post().await();
    }
}
