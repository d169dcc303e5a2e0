package tidepool.protocol.ford;

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
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.PoolRegions;
import tidepool.store.LogLayout;
import tidepool.store.Pointer;

/** The undo logs of all coordinators of a pool, whoever they belonged to. */
final class RestartLogs {
    private final PoolRegions pool;
    private final Lane lane;
    private final int coordinators;
    private final long slotBytes;
    private final Round round;
    private final MemorySegment header;
    private final MemorySegment zeros;
    private final SortedMap<Long, LoggedTxn> txns = new TreeMap<>();
    private int whole;
    private int torn;

    RestartLogs(PoolRegions pool, Lane lane, int coordinators, long slotBytes) {
        this.pool = pool;
        this.lane = lane;
        this.coordinators = coordinators;
        this.slotBytes = slotBytes;
        this.round = lane.round(1 + LogLayout.SLOTS);
        this.header = lane.landing(LogLayout.ENTRIES);
        this.zeros = lane.landing(LogLayout.INTENT_BYTES);
    }

    int whole() {
        return whole;
    }

    /** Logs that were begun and are not whole: nothing behind them was touched. */
    int torn() {
        return torn;
    }

    void read() {
        for (int c = 0; c < coordinators; c++)
            for (int node = 0; node < pool.nodes(); node++)
                for (int slot = 0; slot < LogLayout.SLOTS; slot++) read(c, node, slot);
        txns.values().removeIf(txn -> !txn.agrees()); // more locks were about to be taken, and nothing was written
    }

    private void read(int coordinator, int node, int slot) {
        long at = LogLayout.slot(coordinator, slot, slotBytes);
        round.read(pool.log(node), at, LogLayout.ENTRIES, header, 0).post().await();
        if (Words.plain(header, LogLayout.MAGIC_AND_LENGTH) == 0) return;
        long bytes = ImageLog.bytes(header, 0, slotBytes);
        MemorySegment log = bytes == 0 ? null : lane.landing(bytes);
        if (log != null) round.read(pool.log(node), at, bytes, log, 0).post().await();
        if (log == null || !ImageLog.isWhole(log, 0, bytes)) {
            torn++;
            return;
        }
        whole++;
        long txn = Words.plain(log, LogLayout.TXN);
        txns.computeIfAbsent(txn, id -> new LoggedTxn(id, pool.placement())).add(node, log);
    }

    Collection<LoggedTxn> all() {
        return txns.values();
    }

    /**
     * All transactions, those that replaced what another one wrote before that other one. So whoever is looked at finds its
     * objects as it left them, and not torn by one that came later.
     */
    List<LoggedTxn> laterFirst() {
        Map<Long, List<LoggedTxn>> replacedBy = new HashMap<>();
        for (LoggedTxn later : txns.values())
            for (int node : later.nodes())
                for (int i = 0; i < later.objects(); i++)
                    if (pool.placement().holds(node, Pointer.partition(later.pointer(i))))
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

    /** Leaves every coordinator's area empty. To be flushed. */
    void clear() {
        for (int c = 0; c < coordinators; c++)
            for (int node = 0; node < pool.nodes(); node++) {
                round.write(pool.log(node), LogLayout.intents(c, slotBytes), LogLayout.INTENT_BYTES, zeros, 0);
                for (int slot = 0; slot < LogLayout.SLOTS; slot++)
                    round.write(pool.log(node), LogLayout.slot(c, slot, slotBytes), 0);
                round.post().await();
            }
    }
}
