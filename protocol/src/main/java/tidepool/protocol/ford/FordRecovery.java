package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
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
 * Finishes or undoes what a dead session left, from memory alone: revoke, then repair, then unlock.
 *
 * <p><b>The rule.</b> Look only at the objects that a transaction T of the dead session still locks. If every replica of
 * all of them holds T's image whole, T may have been reported: publish it. Otherwise the last acknowledgement never
 * came, T was never reported and nobody has read it: restore everything from the undo logs, and only then unlock.
 *
 * <p><b>Run twice, or killed half-way,</b> it decides the same again: publishing leaves complete what is still locked,
 * and undoing makes things only less complete while every lock is still there. A lock with no log anywhere protects
 * nothing yet; the intents say where to look for it.
 */
public class FordRecovery implements Recovery {
    private final Fabric fabric;
    private final Catalog catalog;
    private final PoolRegions pool;
    private final Lane lane;
    private final Round round;
    private final long slotBytes;
    private final MemorySegment words;
    // Landing memory lives as long as its lane: taken once, because a long-lived process recovers many others.
    private final MemorySegment[] slots;
    private final MemorySegment intents;
    private final MemorySegment zeros;
    private MemorySegment imageLanding;

    private int finished;
    private int undone;
    private int ended;
    private int stragglers;
    private int tornLogs;

    /** One whole undo log: where it lies here, and on which node it lay. */
    record Log(int node, MemorySegment memory) {}

    public FordRecovery(Session session, Catalog catalog) {
        this.fabric = session.fabric();
        this.catalog = catalog;
        this.lane = session.lane();
        this.pool = new PoolRegions(lane, catalog);
        this.slotBytes = catalog.logSlotBytes();
        this.round = lane.round(64);
        this.words = lane.landing(4 * Words.BYTES);
        this.slots = new MemorySegment[pool.nodes() * LogLayout.SLOTS];
        this.intents = lane.landing(LogLayout.INTENT_BYTES);
        this.zeros = lane.landing(LogLayout.INTENT_BYTES);
        this.imageLanding = lane.landing(slotBytes);
    }

    @Override
    public Report recover(int dead) {
        if (!catalog.tryRecoveryLock()) return null;
        try {
            revoke(dead);
            finished = undone = ended = stragglers = tornLogs = 0;
            List<Integer> owned = coordinatorsOf(dead);
            for (int c : owned) for (var entry : logsOf(c, dead).entrySet()) resolve(entry.getKey(), entry.getValue());
            // Only now: an old intent of one coordinator may name what another one of the same session has half
            // written.
            int freed = 0;
            for (int c : owned) {
                freed += freeIntended(c, dead);
                clear(c);
                catalog.releaseCoordinator(c, dead);
            }
            catalog.releaseLockOf(dead);
            // Node 0 last: its list says who is still to be recovered, also when we die between two nodes.
            for (int node = fabric.nodes() - 1; node >= 0; node--)
                fabric.control(node).forget(dead);
            return new Report(dead, owned.size(), finished, undone, ended, stragglers, tornLogs, freed);
        } finally {
            catalog.releaseRecoveryLock();
        }
    }

    /** No verb of the dead session lands from here on. */
    void revoke(int dead) {
        for (int node = 0; node < fabric.nodes(); node++) fabric.control(node).revoke(dead);
    }

    // ---- what is there

    private List<Integer> coordinatorsOf(int dead) {
        List<Integer> owned = new ArrayList<>();
        int count = catalog.coordinators();
        for (int c = 0; c < count; c++) if (catalog.ownerOf(c) == dead) owned.add(c);
        return owned;
    }

    /** Every whole undo log of a coordinator, by transaction, oldest first. */
    private SortedMap<Long, List<Log>> logsOf(int coordinator, int dead) {
        SortedMap<Long, List<Log>> logs = new TreeMap<>();
        for (int node = 0; node < pool.nodes(); node++)
            for (int slot = 0; slot < LogLayout.SLOTS; slot++) {
                MemorySegment memory = landing(node * LogLayout.SLOTS + slot);
                long at = LogLayout.slot(coordinator, slot, slotBytes);
                // Most slots are empty or hold a short log; reading all of each was most of a recovery's time.
                round.read(pool.log(node), at, LogLayout.ENTRIES, memory, 0)
                        .post()
                        .await();
                long bytes = UndoLog.bytes(memory, 0, slotBytes);
                if (bytes != 0)
                    round.read(pool.log(node), at, bytes, memory, 0).post().await();
                if (bytes == 0 || !UndoLog.isWhole(memory, 0, slotBytes)) {
                    if (Words.plain(memory, LogLayout.MAGIC_AND_LENGTH) != 0) tornLogs++;
                    continue;
                }
                long txn = Words.plain(memory, LogLayout.TXN);
                if (TxnId.session(txn) == dead)
                    logs.computeIfAbsent(txn, t -> new ArrayList<>()).add(new Log(node, memory));
            }
        return logs;
    }

    private MemorySegment landing(int slot) {
        if (slots[slot] == null) slots[slot] = lane.landing(slotBytes);
        return slots[slot];
    }

    /** Decides about one transaction and carries it out. */
    private void resolve(long txn, List<Log> logs) {
        MemorySegment log = logs.getFirst().memory();
        int objects = (int) Words.plain(log, LogLayout.OBJECTS);
        List<Integer> locked = new ArrayList<>();
        for (int i = 0; i < objects; i++) if (TxnId.of(lockOf(pointer(log, i))) == txn) locked.add(i);
        publishStragglers(txn, log, objects, locked);
        if (locked.isEmpty()) {
            ended++;
            return;
        }
        boolean commits = decide(txn, log, locked);
        // The answer is written down before anything that a second recoverer could no longer derive it from.
        catalog.recordOutcome(txn, commits);
        if (commits) publish(txn, log, locked);
        else undo(logs, locked);
        unlock(txn, log, locked);
        if (commits) finished++;
        else undone++;
    }

    /** Whether every replica of every object that is still locked holds the transaction's whole image. */
    boolean decide(long txn, MemorySegment log, List<Integer> locked) {
        for (int i : locked)
            for (int r = 0; r < pool.placement().replicas(); r++)
                if (!isComplete(txn, pool.replica(pointer(log, i), r), pointer(log, i), bodyBytes(log, i)))
                    return false;
        return true;
    }

    boolean isComplete(long txn, Region region, long pointer, long bodyBytes) {
        if (imageLanding.byteSize() < Words.BYTES + bodyBytes) imageLanding = lane.landing(Words.BYTES + bodyBytes);
        MemorySegment landed = imageLanding;
        round.read(region, Pointer.offset(pointer) + ObjectLayout.VERSION, Words.BYTES + bodyBytes, landed, 0)
                .post()
                .await();
        return TxnId.of(Words.plain(landed, 0)) == txn
                && Words.plain(landed, Words.BYTES + ObjectLayout.BODY_WRITER) == txn
                && ObjectLayout.isWhole(landed, Words.BYTES, bodyBytes);
    }

    // ---- what is done

    /** Released on the primary, so committed; a backup may still carry the mark. */
    void publishStragglers(long txn, MemorySegment log, int objects, List<Integer> locked) {
        for (int i = 0; i < objects; i++) if (!locked.contains(i)) stragglers += publishBackups(txn, pointer(log, i));
    }

    private int publishBackups(long txn, long pointer) {
        int published = 0;
        for (int r = 1; r < pool.placement().replicas(); r++) {
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

    void publish(long txn, MemorySegment log, List<Integer> locked) {
        for (int i : locked) publishBackups(txn, pointer(log, i));
        for (int i : locked)
            round.write(pool.primary(pointer(log, i)), Pointer.offset(pointer(log, i)) + ObjectLayout.VERSION, txn)
                    .post()
                    .await();
    }

    /** Restores every replica that has a whole log; one that has none was not touched. */
    void undo(List<Log> logs, List<Integer> locked) {
        for (Log log : logs) {
            long image = LogLayout.ENTRIES + Words.plain(log.memory(), LogLayout.OBJECTS) * LogLayout.ENTRY_BYTES;
            for (int i = 0; i < Words.plain(log.memory(), LogLayout.OBJECTS); i++) {
                long pointer = pointer(log.memory(), i);
                if (!pool.placement().holds(log.node(), Pointer.partition(pointer))) continue;
                long bodyBytes = bodyBytes(log.memory(), i);
                if (locked.contains(i)) restore(pool.at(log.node(), pointer), pointer, log.memory(), image, bodyBytes);
                image += Words.BYTES + bodyBytes;
            }
        }
    }

    /** The body first: as long as the mark is there, nobody takes what is half restored. */
    private void restore(Region region, long pointer, MemorySegment log, long image, long bodyBytes) {
        long offset = Pointer.offset(pointer);
        round.write(region, offset + ObjectLayout.BODY, bodyBytes, log, image + Words.BYTES)
                .write(region, offset + ObjectLayout.VERSION, Words.plain(log, image))
                .post()
                .await();
    }

    void unlock(long txn, MemorySegment log, List<Integer> locked) {
        for (int i : locked) free(pointer(log, i), TxnId.R | txn);
    }

    /** Locks that no log speaks of: nothing behind them was touched. */
    private int freeIntended(int coordinator, int dead) {
        int freed = 0;
        for (int node = 0; node < pool.nodes(); node++) {
            long at = LogLayout.intents(coordinator, slotBytes);
            round.read(pool.log(node), at, LogLayout.INTENT_BYTES, intents, 0)
                    .post()
                    .await();
            for (int i = 0; i < LogLayout.INTENTS; i++) {
                long pointer = Words.plain(intents, i * (long) Words.BYTES);
                if (pointer == Pointer.NOWHERE || !pool.isPlace(pointer)) continue;
                long lock = lockOf(pointer);
                if (lock == 0 || TxnId.session(lock) != dead) continue;
                free(pointer, lock);
                freed++;
            }
        }
        return freed;
    }

    /** Leaves the coordinator's area empty for its next owner. */
    private void clear(int coordinator) {
        for (int node = 0; node < pool.nodes(); node++) {
            round.write(pool.log(node), LogLayout.intents(coordinator, slotBytes), LogLayout.INTENT_BYTES, zeros, 0);
            for (int slot = 0; slot < LogLayout.SLOTS; slot++)
                round.write(pool.log(node), LogLayout.slot(coordinator, slot, slotBytes), 0);
            round.post().await();
        }
    }

    // ---- words

    private void free(long pointer, long lock) {
        Region region = pool.primary(pointer);
        round.compareAndSwap(region, Pointer.offset(pointer) + ObjectLayout.LOCK, lock, 0, words, 0)
                .post()
                .await();
    }

    private long lockOf(long pointer) {
        Region region = pool.primary(pointer);
        round.read(region, Pointer.offset(pointer) + ObjectLayout.LOCK, Words.BYTES, words, 0)
                .post()
                .await();
        return Words.plain(words, 0);
    }

    private static long pointer(MemorySegment log, int i) {
        return Words.plain(log, LogLayout.ENTRIES + i * LogLayout.ENTRY_BYTES);
    }

    private static long bodyBytes(MemorySegment log, int i) {
        return Words.plain(log, LogLayout.ENTRIES + i * LogLayout.ENTRY_BYTES + Words.BYTES);
    }
}
