package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Recovery;
import tidepool.protocol.record.AllLogs;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.Persisting;
import tidepool.protocol.record.PoolRegions;
import tidepool.store.Catalog;
import tidepool.store.Flush;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.StoreException;
import tidepool.store.TxnId;

/**
 * Repairs a pool that has lost its power. Locks mean nothing any more, and of the memory only some replicas are
 * believed: they are the {@link Witnesses}, as a rule those that were flushed. What a node holds that is older than what it
 * has acknowledged is ignored, logs included, and filled from the witnesses.
 *
 * <p><b>The rule.</b> A transaction T with a whole log on every node that holds a witness of something it wrote has
 * happened if every witness of all of it shows T's whole image, or a later one's. Otherwise it was never reported and
 * nobody has read it: every witness that shows something of T is restored. A transaction that lacks a log on such a node
 * has ended, or had not begun to write: there is nothing to do for it.
 *
 * <p><b>In order.</b> Where nodes keep journals the log travels with the data, and one node may have kept both and another
 * neither. T has ended then if a later log of its coordinator is left, or a word that says so; whoever took the place of T's
 * log is one of them. Otherwise what has no log has no image either, and T has not happened.
 *
 * <p><b>Run twice, or cut off anywhere,</b> it decides the same again: nothing is undone that was complete, undoing makes
 * things only less complete, and no log is cleared before everything is flushed. {@code docs/protocols/ford.md} has the
 * proof.
 */
public class FordRestart {
    private final Session session;
    private final Fabric fabric;
    private final Catalog catalog;
    private final Flush flush;
    private final Lane lane;
    private final PoolRegions pool;
    private final Round round;
    private final Witnesses witnesses;
    private MemorySegment landed;

    /** What became of each transaction of which something was to be seen. */
    private final Map<Long, Boolean> outcomes = new TreeMap<>();

    /** Those of them that had ended: somebody was told. */
    private final Set<Long> told = new HashSet<>();

    private int finished;
    private int undone;
    private int apart;

    @SuppressWarnings("this-escape") // the witnesses keep it and ask it nothing before it runs
    public FordRestart(Session session, Catalog catalog) {
        this.session = session;
        this.fabric = session.fabric();
        this.catalog = catalog;
        this.flush = catalog.flush();
        this.lane = session.lane();
        this.pool = new PoolRegions(lane, catalog);
        this.round = lane.round(Math.max(4, pool.nodes()));
        this.landed = lane.landing(1024);
        this.witnesses = new Witnesses(fabric, catalog, pool.placement(), this::isFlushed);
    }

    /** Null if somebody else is at it, or has done it. Waits. */
    public Recovery.Restart run() {
        if (!catalog.tryRecoveryLock()) return null;
        try {
            return catalog.hasLostPower() ? repair() : null;
        } finally {
            catalog.releaseRecoveryLock();
        }
    }

    /** The same for one who knows that nobody else is at it. */
    Recovery.Restart repair() {
        long[] losses = catalog.powerLosses();
        Set<Integer> before = shutOut();
        catalog.restoreDoubted();
        AllLogs logs = believedLogs();
        witnesses.require();
        for (LoggedTxn txn : order(logs)) resolve(txn);
        flushRepaired();
        // Not before a second loss of power can no longer turn it round, and before the logs are gone.
        recordOpen();
        persistUnflushed();
        Rebuild rebuild = rebuild(pool, lane, witnesses, new HashSet<>(outcomes.keySet()));
        rebuild.run(catalog.tables());
        flushRepaired();
        if (pool.persistsInOrder()) end(logs);
        logs.clear();
        flush();
        catalog.disown();
        // Node 0 last: its list says who is still to be forgotten.
        for (int node = fabric.nodes() - 1; node >= 0; node--)
            for (int number : before) fabric.control(node).forget(number);
        disclaimUnflushed();
        for (int node = 0; node < fabric.nodes(); node++)
            if (witnesses.isDoubted(node)) fabric.control(node).setDoubted(false);
        catalog.repaired(losses);
        return new Recovery.Restart(
                logs.whole(), logs.torn(), finished, undone, apart, rebuild.marks(), rebuild.rebuilt());
    }

    /** Nothing of anybody who was in the pool before lands from here on, also if it lives. */
    private Set<Integer> shutOut() {
        Set<Integer> before = new TreeSet<>();
        for (int node = 0; node < fabric.nodes(); node++)
            for (int number : fabric.control(node).sessions()) before.add(number);
        before.remove(session.number());
        for (int number : before)
            for (int node = 0; node < fabric.nodes(); node++)
                fabric.control(node).revoke(number);
        return before;
    }

    /** A log that is left when others of its transaction are gone says nothing any more. */
    void end(AllLogs logs) {
        logs.end();
        flush();
    }

    // ---- whom to believe

    /** The logs of all nodes that are not doubted, when all that contradict newer copies are. */
    private AllLogs believedLogs() {
        while (true) {
            AllLogs logs = new AllLogs(pool, lane, catalog.coordinators(), catalog.logSlotBytes());
            logs.read(node -> !witnesses.isDoubted(node));
            if (!new Contradictions(pool, lane, witnesses, logs).found(catalog.tables())) return logs;
            catalog.restoreDoubted();
        }
    }

    /** Copies from which flushed ones are made anew outlast a loss of power until that is done. */
    private void persistUnflushed() {
        Persisting persisting = new Persisting(pool, lane, catalog);
        for (int p = 0; p < pool.placement().partitions(); p++) {
            if (!witnesses.areUnflushed(p)) continue;
            int node = pool.placement().replica(p, witnesses.first(p));
            persisting.persist(p, node);
            catalog.setFlushed(node, p, true);
        }
    }

    private void disclaimUnflushed() {
        for (int p = 0; p < pool.placement().partitions(); p++)
            if (witnesses.areUnflushed(p))
                catalog.setFlushed(pool.placement().replica(p, witnesses.first(p)), p, false);
    }

    // ---- one transaction

    /** See {@link AllLogs#laterFirst}. */
    List<LoggedTxn> order(AllLogs logs) {
        return logs.laterFirst();
    }

    /**
     * Only of those that nobody was told about. A transaction was told before its first mark was taken off, by its
     * coordinator or by a repair like this one, which had recorded it. Otherwise the last transaction of every
     * coordinator would be recorded at every restart, and take the place of outcomes that somebody still asks for.
     */
    private void recordOpen() {
        outcomes.forEach((txn, commits) -> {
            if (!told.contains(txn) && catalog.outcome(txn) == 0) catalog.recordOutcome(txn, commits);
        });
    }

    private void resolve(LoggedTxn txn) {
        if (!isOpen(txn)) return;
        boolean commits = decide(txn);
        boolean marked = false;
        boolean unmarked = false;
        boolean shows = false;
        for (int i = 0; i < txn.objects(); i++)
            for (int r = 0; r < pool.copies(txn.pointer(i)); r++) {
                if (!isWitness(txn.pointer(i), r)) continue;
                Shown shown = look(txn, i, r);
                marked |= shown.version == (TxnId.INV | txn.id());
                unmarked |= shown.version != (TxnId.INV | txn.id());
                boolean touched = isTouched(txn, i, r, shown);
                shows |= touched || shown.names(txn.id());
                if (!commits && touched) restore(txn, i, r);
            }
        if (!shows) return; // it ended, or had not begun to write
        outcomes.put(txn.id(), commits);
        if (commits && unmarked) told.add(txn.id());
        if (!commits && !isLoggedEverywhere(txn)) apart++;
        if (!commits) undone++;
        else if (marked) finished++;
    }

    /** Whether a replica is believed. */
    boolean isWitness(long pointer, int replica) {
        return witnesses.is(Pointer.partition(pointer), replica);
    }

    boolean isFlushed(int partition, int replica) {
        return flush.covers(pool.placement(), partition, replica);
    }

    /** Whether it may have written something and not ended. */
    boolean isOpen(LoggedTxn txn) {
        return pool.persistsInOrder() ? !txn.isFollowed() : isLoggedEverywhere(txn);
    }

    /** Whether a log of it is left wherever a witness is. */
    final boolean isLoggedEverywhere(LoggedTxn txn) {
        for (int i = 0; i < txn.objects(); i++)
            for (int r = 0; r < pool.copies(txn.pointer(i)); r++)
                if (isWitness(txn.pointer(i), r) && txn.log(node(txn, i, r)) == null) return false;
        return true;
    }

    /**
     * Whether every witness shows its whole image, or something of one who came later: not what it was about to replace,
     * and nothing that it may have torn itself.
     */
    boolean decide(LoggedTxn txn) {
        for (int i = 0; i < txn.objects(); i++)
            for (int r = 0; r < pool.copies(txn.pointer(i)); r++) {
                if (!isWitness(txn.pointer(i), r)) continue;
                if (txn.log(node(txn, i, r)) == null) return false;
                Shown shown = look(txn, i, r);
                boolean old = shown.writer == txn.replaced(i, node(txn, i, r));
                if (shown.isClean() ? old : isTouched(txn, i, r, shown)) return false;
            }
        return true;
    }

    /**
     * Whether what a witness shows is to be restored if the transaction is undone: it names it, or it is torn over the very
     * version that it was to replace. Then it was this one, or another that has the same old image in its log.
     */
    boolean isTouched(LoggedTxn txn, int i, int replica, Shown shown) {
        if (shown.names(txn.id())) return true;
        int node = node(txn, i, replica);
        return !shown.isClean() && txn.log(node) != null && TxnId.of(shown.version) == txn.replaced(i, node);
    }

    private void restore(LoggedTxn txn, int i, int replica) {
        int node = node(txn, i, replica);
        if (txn.log(node) == null)
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "node " + node + " has something of transaction " + TxnId.text(txn.id()) + " at "
                            + Pointer.text(txn.pointer(i)) + ", and no log of it");
        round.write(
                        pool.at(node, txn.pointer(i)),
                        Pointer.offset(txn.pointer(i)) + ObjectLayout.VERSION,
                        Words.BYTES + txn.bodyBytes(i),
                        txn.log(node),
                        txn.image(i, node))
                .post()
                .await();
    }

    // ---- the rest of the pool

    Rebuild rebuild(PoolRegions regions, Lane over, Witnesses believed, Set<Long> logged) {
        return new Rebuild(regions, over, believed, logged);
    }

    /** Everything that was repaired is persistent before the logs from which it was repaired are gone. */
    void flushRepaired() {
        flush();
    }

    private void flush() {
        pool.persist(round);
    }

    // ---- what is there

    /** An object as a replica shows it. */
    record Shown(long version, long writer, boolean whole) {
        /** Whether it is one writer's whole image, marked or not. */
        boolean isClean() {
            return whole && TxnId.of(version) == writer;
        }

        boolean names(long txn) {
            return TxnId.of(version) == txn || writer == txn;
        }
    }

    /** Whether every witness shows one writer's whole image, whoever that is. */
    final boolean allClean(LoggedTxn txn) {
        for (int i = 0; i < txn.objects(); i++)
            for (int r = 0; r < pool.copies(txn.pointer(i)); r++)
                if (isWitness(txn.pointer(i), r) && !look(txn, i, r).isClean()) return false;
        return true;
    }

    final int node(LoggedTxn txn, int i, int replica) {
        return pool.placement().replica(Pointer.partition(txn.pointer(i)), replica);
    }

    private Shown look(LoggedTxn txn, int i, int replica) {
        long bytes = Words.BYTES + txn.bodyBytes(i);
        if (landed.byteSize() < bytes) landed = lane.landing(bytes);
        Region region = pool.replica(txn.pointer(i), replica);
        round.read(region, Pointer.offset(txn.pointer(i)) + ObjectLayout.VERSION, bytes, landed, 0)
                .post()
                .await();
        return new Shown(
                Words.plain(landed, 0),
                Words.plain(landed, Words.BYTES + ObjectLayout.BODY_WRITER),
                ObjectLayout.isWhole(landed, Words.BYTES, txn.bodyBytes(i)));
    }
}
