package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.store.LogHeapLayout;
import tidepool.store.LogLayout;

/** The logs of all coordinators of a pool, whichever sessions owned them. */
public final class LogScan {
    /** How many coordinators are read in one round. */
    private static final int AT_ONCE = 8;

    private final PoolRegions pool;
    private final Lane lane;
    private final int coordinators;
    private final long slotBytes;
    private final Round round;
    private final MemorySegment headers;
    private final MemorySegment zeros;
    private final SortedMap<Long, LoggedTxn> txns = new TreeMap<>();
    private final Set<Long> over = new HashSet<>();
    private final HeapScan heap;
    private int whole;
    private int torn;
    private int ending;

    public LogScan(PoolRegions pool, Lane lane, int coordinators, long slotBytes, LogHeapLayout heap) {
        this(pool, lane, coordinators, slotBytes, new HeapScan(pool, lane, heap));
    }

    /** @param heap the reader of the log heap; tests that plant bugs give another one */
    public LogScan(PoolRegions pool, Lane lane, int coordinators, long slotBytes, HeapScan heap) {
        this.heap = heap;
        this.pool = pool;
        this.lane = lane;
        this.coordinators = coordinators;
        this.slotBytes = slotBytes;
        this.round = lane.round(AT_ONCE * pool.nodes() * (1 + LogLayout.SLOTS));
        this.headers = lane.landing((long) AT_ONCE * pool.nodes() * LogLayout.SLOTS * LogLayout.ENTRIES);
        this.zeros = lane.landing(LogLayout.INTENT_BYTES);
    }

    public int whole() {
        return whole;
    }

    /** Returns the number of logs that were begun and are not whole: nothing that they protect was touched. */
    public int torn() {
        return torn;
    }

    public void read() {
        read(node -> true);
    }

    /** Reads the logs of the given nodes only. */
    public void read(IntPredicate nodes) {
        heap.read();
        for (int c = 0; c < coordinators; c += AT_ONCE) read(c, Math.min(coordinators, c + AT_ONCE), nodes);
        for (int c = 0; c < coordinators; c++) readHeap(c, nodes);
        txns.values().removeIf(txn -> !txn.agrees()); // more locks were about to be taken, and nothing was written
        Map<Integer, LoggedTxn> last = new HashMap<>();
        for (LoggedTxn txn : txns.values()) { // the ids of a coordinator grow
            LoggedTxn before = last.put(txn.coordinator(), txn);
            if (before != null) before.follow();
        }
        for (LoggedTxn txn : txns.values()) if (over.contains(txn.id())) txn.follow();
    }

    /** Reads the headers first: most slots are empty or hold a short log. */
    private void read(int from, int to, IntPredicate nodes) {
        for (int c = from; c < to; c++)
            for (int node = 0; node < pool.nodes(); node++)
                for (int slot = 0; slot < LogLayout.SLOTS; slot++)
                    round.read(pool.log(node), at(c, slot), LogLayout.ENTRIES, headers, header(c - from, node, slot));
        round.post().await();
        for (int c = from; c < to; c++)
            for (int node = 0; node < pool.nodes(); node++)
                for (int slot = 0; slot < LogLayout.SLOTS; slot++) {
                    if (!nodes.test(node)) continue;
                    long header = header(c - from, node, slot);
                    if (Words.plain(headers, header + LogLayout.MAGIC_AND_LENGTH) == LogLayout.OVER) {
                        over.add(Words.plain(headers, header + LogLayout.TXN));
                        continue;
                    }
                    if (Words.plain(headers, header + LogLayout.MAGIC_AND_LENGTH) != 0) read(c, node, slot, header);
                }
    }

    private void readHeap(int coordinator, IntPredicate nodes) {
        for (int node = 0; node < pool.nodes(); node++)
            for (int slot = 0; slot < LogLayout.SLOTS; slot++) {
                HeapScan.Place place = nodes.test(node) ? heap.log(coordinator, slot, node) : null;
                if (place == null) continue;
                MemorySegment header = heap.header(place);
                if (Words.plain(header, LogLayout.MAGIC_AND_LENGTH) == LogLayout.OVER)
                    over.add(Words.plain(header, LogLayout.TXN));
                else add(coordinator, node, heap.read(place), place.at());
            }
    }

    private void read(int coordinator, int node, int slot, long header) {
        long bytes = ImageLog.bytes(headers, header, slotBytes);
        MemorySegment log = bytes == 0 ? null : lane.landing(bytes);
        if (log != null)
            round.read(pool.log(node), at(coordinator, slot), bytes, log, 0)
                    .post()
                    .await();
        boolean isWhole = log != null && ImageLog.isWhole(log, 0, bytes);
        add(coordinator, node, isWhole ? log : null, at(coordinator, slot));
    }

    /** @param log null if it is not whole */
    private void add(int coordinator, int node, MemorySegment log, long at) {
        if (log == null) {
            torn++;
            return;
        }
        whole++;
        long txn = Words.plain(log, LogLayout.TXN);
        txns.computeIfAbsent(txn, id -> new LoggedTxn(id, coordinator)).add(node, log, at);
    }

    /** Returns what was found in the log heap. */
    HeapScan heap() {
        return heap;
    }

    private long at(int coordinator, int slot) {
        return LogLayout.slot(coordinator, slot, slotBytes);
    }

    private long header(int coordinator, int node, int slot) {
        return ((coordinator * pool.nodes() + node) * LogLayout.SLOTS + slot) * LogLayout.ENTRIES;
    }

    public Collection<LoggedTxn> all() {
        return txns.values();
    }

    /**
     * Returns all transactions, each one after those that replaced its versions. When a transaction is examined, its
     * objects are then as it left them, and not torn by a later one.
     */
    public List<LoggedTxn> laterFirst() {
        Map<Long, List<LoggedTxn>> replacedBy = new HashMap<>();
        for (LoggedTxn later : txns.values())
            for (int node : later.nodes())
                for (int i = 0; i < later.objects(); i++)
                    if (later.hasImage(i, node))
                        replacedBy
                                .computeIfAbsent(later.replaced(i, node), id -> new ArrayList<>())
                                .add(later);
        List<LoggedTxn> sorted = new ArrayList<>();
        Set<Long> visited = new HashSet<>();
        for (LoggedTxn txn : txns.values()) visit(txn, replacedBy, visited, sorted);
        return sorted;
    }

    private static void visit(
            LoggedTxn txn, Map<Long, List<LoggedTxn>> replacedBy, Set<Long> visited, List<LoggedTxn> sorted) {
        if (!visited.add(txn.id())) return;
        for (LoggedTxn later : replacedBy.getOrDefault(txn.id(), List.of())) visit(later, replacedBy, visited, sorted);
        sorted.add(txn);
    }

    /**
     * Writes on every node that all these logs are over, before any is cleared. Otherwise the rest of a partly cleared
     * set could be taken for all logs of a transaction.
     */
    public void end() {
        for (LoggedTxn txn : txns.values()) for (int node : txn.nodes()) end(txn, node);
        if (ending > 0) round.post().await();
        ending = 0;
    }

    private void end(LoggedTxn txn, int node) {
        round.write(pool.log(node), txn.at(node), LogLayout.OVER);
        if (++ending < AT_ONCE) return;
        round.post().await();
        ending = 0;
    }

    /** Clears every coordinator's area, and frees all blocks of the log heap. The caller flushes. */
    public void clear() {
        heap.releaseAll();
        for (int c = 0; c < coordinators; c++) {
            for (int node = 0; node < pool.nodes(); node++) {
                round.write(pool.log(node), LogLayout.intents(c, slotBytes), LogLayout.INTENT_BYTES, zeros, 0);
                for (int slot = 0; slot < LogLayout.SLOTS; slot++) round.write(pool.log(node), at(c, slot), 0);
            }
            if (c % AT_ONCE == AT_ONCE - 1 || c == coordinators - 1)
                round.post().await();
        }
    }
}
