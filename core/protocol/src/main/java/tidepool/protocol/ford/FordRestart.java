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
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Recovery;
import tidepool.protocol.record.LogScan;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.PersistencePass;
import tidepool.protocol.record.PoolRegions;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.StoreException;
import tidepool.store.TxnId;

/**
 * Repair of a pool after a loss of power. Locks have no meaning any more, and only some replicas are believed. These
 * are the {@link Witnesses}, as a rule the replicas that were flushed. Where a node holds less than it has
 * acknowledged, its memory is ignored, logs included, and filled from the witnesses.
 *
 * <p><b>The rule.</b> Consider a transaction T with a whole log on every node that holds a witness of an object it
 * wrote. T has committed if every witness of all these objects shows T's whole image, or the image of a later
 * transaction. Otherwise T was never reported and no transaction has read it: every witness that shows something of T
 * is restored. A transaction that lacks a log on such a node has ended, or had not begun to write: there is nothing to
 * do for it.
 *
 * <p><b>In order.</b> Where nodes keep journals, the log travels with the data, and one node may have kept both while
 * another kept neither. Then T has ended if a later log of its coordinator is left, or a word that says that T is over.
 * A transaction whose log took the place of T's log is such a later one. Otherwise a replica without a log has no image
 * either, and T has not committed.
 *
 * <p><b>Run twice, or cut off anywhere,</b> it reaches the same decision again: nothing that was complete is undone,
 * undoing only makes objects less complete, and no log is cleared before everything is flushed.
 * {@code docs/internals/protocols/ford.md} has the proof.
 */
public class FordRestart {
    private final Session session;
    private final Fabric fabric;
    private final Catalog catalog;
    private final Lane lane;
    private final PoolRegions pool;
    private final Round round;
    private final Witnesses witnesses;
    private MemorySegment landed;

    /** The outcome of each transaction of which something was found. */
    private final Map<Long, Boolean> outcomes = new TreeMap<>();

    /** Transactions of {@link #outcomes} that had ended: their client was told the outcome. */
    private final Set<Long> told = new HashSet<>();

    private int finished;
    private int undone;
    private int apart;

    public FordRestart(Session session, Catalog catalog) {
        this(session, catalog, (partition, replica) -> catalog.flush().covers(catalog.placement(), partition, replica));
    }

    /** @param flushed says which copies hold everything that was reported before the loss of power */
    FordRestart(Session session, Catalog catalog, Witnesses.Flushed flushed) {
        this.session = session;
        this.fabric = session.fabric();
        this.catalog = catalog;
        this.lane = session.lane();
        this.pool = new PoolRegions(lane, catalog);
        this.round = lane.round(Math.max(4, pool.nodes()));
        this.landed = lane.landing(1024);
        this.witnesses = new Witnesses(fabric, catalog, pool.placement(), flushed);
    }

    /**
     * Repairs the pool and waits until that is done. Returns null if another session is repairing the pool, or has
     * repaired it.
     */
    public Recovery.Restart run() {
        if (!catalog.tryRecoveryLock()) return null;
        try {
            return catalog.hasLostPower() ? repair() : null;
        } finally {
            catalog.releaseRecoveryLock();
        }
    }

    /** Repairs the pool for a caller that knows that no other session is repairing it. */
    Recovery.Restart repair() {
        long[] losses = catalog.powerLosses();
        Set<Integer> before = shutOut();
        restoreDoubted();
        LogScan logs = believedLogs();
        witnesses.require();
        for (LoggedTxn txn : order(logs)) resolve(txn);
        flushRepaired();
        // Recorded only when a second loss of power can no longer reverse the outcomes, and before the logs are gone.
        recordOpen();
        persistUnflushed();
        RestartScan scan = scan(pool, lane, witnesses, new HashSet<>(outcomes.keySet()));
        scan.run(catalog.tables());
        flushRepaired();
        if (pool.persistsInOrder()) end(logs);
        logs.clear();
        flush();
        catalog.disown();
        // Node 0 is last: its list of sessions says which sessions are still to be forgotten.
        for (int node = fabric.nodes() - 1; node >= 0; node--)
            for (int number : before) fabric.control(node).forget(number);
        disclaimUnflushed();
        for (int node = 0; node < fabric.nodes(); node++)
            if (witnesses.isDoubted(node)) fabric.control(node).setDoubted(false);
        catalog.repaired(losses);
        return new Recovery.Restart(logs.whole(), logs.torn(), finished, undone, apart, scan.marks(), scan.rebuilt());
    }

    /** Restores doubted nodes. If regions were replaced for that, another session has to repair the pool. */
    private void restoreDoubted() {
        if (catalog.restoreDoubted())
            throw FabricException.refused(
                    Refusal.EPOCH,
                    "a memory node came back with regions from before the pool grew; they are larger now");
    }

    /** Revokes all other sessions of the pool, also those that live. From here on none of their verbs lands. */
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

    /**
     * Marks the logs as over. Otherwise, once some logs of a transaction are gone, the remaining ones would mislead a
     * second repair.
     */
    protected void end(LogScan logs) {
        logs.end();
        flush();
    }

    // ---- believed nodes

    /**
     * Returns the logs of all nodes that are not doubted, after every node that contradicts newer copies is doubted.
     */
    private LogScan believedLogs() {
        while (true) {
            LogScan logs = new LogScan(pool, lane, catalog.coordinators(), catalog.logSlotBytes(), catalog.logHeap());
            logs.read(node -> !witnesses.isDoubted(node));
            if (!new Contradictions(pool, lane, witnesses, logs).found(catalog.tables())) return logs;
            restoreDoubted();
        }
    }

    /**
     * Makes unflushed witnesses persistent. The flushed copies are rebuilt from them, so they must survive another loss
     * of power until that is done.
     */
    private void persistUnflushed() {
        PersistencePass pass = new PersistencePass(pool, lane, catalog);
        for (int p = 0; p < pool.placement().partitions(); p++) {
            if (!witnesses.areUnflushed(p)) continue;
            int node = pool.placement().replica(p, witnesses.first(p));
            pass.persist(p, node);
            catalog.setFlushed(node, p, true);
        }
    }

    private void disclaimUnflushed() {
        for (int p = 0; p < pool.placement().partitions(); p++)
            if (witnesses.areUnflushed(p))
                catalog.setFlushed(pool.placement().replica(p, witnesses.first(p)), p, false);
    }

    // ---- one transaction

    /** See {@link LogScan#laterFirst}. */
    protected List<LoggedTxn> order(LogScan logs) {
        return logs.laterFirst();
    }

    /**
     * Records the outcomes of transactions that were never reported. A transaction was reported before its first mark
     * was removed, either by its coordinator or by an earlier repair, which had recorded it. Otherwise the last
     * transaction of every coordinator would be recorded at every restart, and would displace outcomes that a client
     * still asks for.
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
        if (!shows) return; // it has ended, or had not begun to write
        outcomes.put(txn.id(), commits);
        if (commits && unmarked) told.add(txn.id());
        if (!commits && !isLoggedEverywhere(txn)) apart++;
        if (!commits) undone++;
        else if (marked) finished++;
    }

    /** Returns whether a replica is believed. */
    protected boolean isWitness(long pointer, int replica) {
        return witnesses.is(Pointer.partition(pointer), replica);
    }

    /** Returns whether the transaction may have written something and has not ended. */
    protected boolean isOpen(LoggedTxn txn) {
        return pool.persistsInOrder() ? !txn.isFollowed() : isLoggedEverywhere(txn);
    }

    /** Returns whether a log of the transaction is left on every node that holds a witness. */
    protected final boolean isLoggedEverywhere(LoggedTxn txn) {
        for (int i = 0; i < txn.objects(); i++)
            for (int r = 0; r < pool.copies(txn.pointer(i)); r++)
                if (isWitness(txn.pointer(i), r) && txn.log(node(txn, i, r)) == null) return false;
        return true;
    }

    /**
     * Returns whether every witness shows the transaction's whole image, or the version of a later transaction. Returns
     * false if a witness shows the version that the transaction was about to replace, or an object that it may have
     * torn itself, or if the witness's node has no log of it.
     */
    protected boolean decide(LoggedTxn txn) {
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
     * Returns whether a witness must be restored if the transaction is undone. This is so if the object names the
     * transaction, or is torn over the version that the transaction was to replace. In the second case it was torn by
     * this transaction, or by another one that has the same old image in its log.
     */
    protected boolean isTouched(LoggedTxn txn, int i, int replica, Shown shown) {
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

    protected RestartScan scan(PoolRegions regions, Lane over, Witnesses believed, Set<Long> logged) {
        return new RestartScan(regions, over, believed, logged);
    }

    /** Flushes the repairs. They must be persistent before the logs from which they were made are gone. */
    protected void flushRepaired() {
        flush();
    }

    private void flush() {
        pool.persist(round);
    }

    // ---- contents of replicas

    /** An object as a replica shows it. */
    public record Shown(long version, long writer, boolean whole) {
        /** Returns whether the object is the whole image of one writer, marked or not. */
        public boolean isClean() {
            return whole && TxnId.of(version) == writer;
        }

        boolean names(long txn) {
            return TxnId.of(version) == txn || writer == txn;
        }
    }

    protected final int node(LoggedTxn txn, int i, int replica) {
        return pool.placement().replica(Pointer.partition(txn.pointer(i)), replica);
    }

    protected final Shown look(LoggedTxn txn, int i, int replica) {
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
