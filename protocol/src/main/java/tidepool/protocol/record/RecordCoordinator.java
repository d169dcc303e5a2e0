package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.fabric.Traffic;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Txn;
import tidepool.protocol.TxnCounter;
import tidepool.store.AddressCache;
import tidepool.store.Catalog;
import tidepool.store.CatalogLayout;
import tidepool.store.LogLayout;
import tidepool.store.Placement;
import tidepool.store.TableInfo;
import tidepool.store.TxnId;

/**
 * What one strand needs to run transactions on records: a link and a log area on every memory node, the regions of all
 * partitions, addresses it has seen, and a transaction object that is used again and again. Log, data and release for
 * one node go over one link.
 */
public abstract class RecordCoordinator implements Coordinator {
    private static final int CACHED_ADDRESSES = 1 << 20;

    protected final Placement placement;
    protected final Lane lane;
    private final Catalog catalog;
    private final int number;
    private final long logSlotBytes;
    protected final PoolRegions pool;
    private final TxnCounter counters;
    private AddressCache[] caches = new AddressCache[CatalogLayout.TABLES + 1];
    private final Round[] releases = new Round[LogLayout.SLOTS];
    private final Round abortRound;
    private final ReadCounts counts = new ReadCounts();
    private final RecordTxn[] txns = new RecordTxn[LogLayout.SLOTS];
    private int slot;
    private long counter;

    @SuppressWarnings("UnusedVariable") // see expected(long)
    private long expected;

    private String broken; // why; null if it is not
    private boolean closed;

    /** Takes a place among the pool's coordinators. Waits. */
    protected RecordCoordinator(Session session, Catalog catalog, TxnCounter counters) {
        this.catalog = catalog;
        this.lane = session.lane();
        this.pool = new PoolRegions(lane, catalog);
        this.placement = pool.placement();
        this.logSlotBytes = catalog.logSlotBytes();
        this.counters = counters;
        catalog.requirePower(); // now that there are links, which do not outlast a loss
        number = catalog.claimCoordinator();
        for (int i = 0; i < releases.length; i++) releases[i] = lane.round(WriteSet.MOST * (placement.replicas() + 1));
        abortRound = lane.round(WriteSet.MOST);
    }

    /** The protocol's transaction; made once, or as often as {@link #transactions} says. */
    protected abstract RecordTxn newTxn();

    /** Transaction objects that take turns: two, one for each log slot, if work behind a commit sends from its memory. */
    protected int transactions() {
        return 1;
    }

    /** What was sent from the memory of the transaction object that is used now must have arrived. Waits. */
    protected void reuse() {}

    /** The protocol's verbs; tests that plant bugs override one of them. */
    protected RecordVerbs newVerbs(MemorySegment memory) {
        return new RecordVerbs(pool, memory);
    }

    @Override
    public Txn begin() {
        int turn = slot % transactions();
        if (txns[turn] == null) txns[turn] = newTxn();
        RecordTxn txn = txns[turn];
        txn.begin(nextId());
        return txn;
    }

    /** An id that nobody has used or will use. */
    final long nextId() {
        counter = TxnCounter.isLastOfBlock(counter) ? counters.block() : counter + 1;
        return TxnId.of(lane.session().number(), counter);
    }

    @Override
    public Traffic traffic() {
        return lane.traffic();
    }

    public ReadCounts counts() {
        return counts;
    }

    @Override
    public final String whyBroken() {
        return broken;
    }

    /** The first reason stays; one that has no words is one, too. */
    protected final void broke(String why) {
        if (broken == null) broken = String.valueOf(why);
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        if (broken != null) return; // whoever recovers the session cleans up
        try {
            settle();
            clearArea();
            catalog.releaseCoordinator(number, lane.session().number());
        } catch (FabricException e) {
            broke(e.getMessage());
        }
        lane.close();
    }

    /** Waits until everything in the background has been answered. */
    protected final void settle() {
        for (Round release : releases) release.settle();
        abortRound.settle();
    }

    /** Whether all logs are said to be over before one is cleared; see {@link LoggedTxn#isFollowed}. */
    protected boolean needsWholeLogs() {
        return pool.persistsInOrder();
    }

    /** Leaves intents and logs empty for the next owner of this place, so that its recoverer finds nothing of ours. */
    private void clearArea() {
        MemorySegment zeros = lane.landing(LogLayout.INTENT_BYTES);
        Round round = lane.round((1 + LogLayout.SLOTS) * pool.nodes());
        if (needsWholeLogs()) {
            for (int node = 0; node < pool.nodes(); node++)
                for (int slot = 0; slot < LogLayout.SLOTS; slot++)
                    round.write(pool.log(node), logSlot(slot), LogLayout.OVER);
            round.post().await();
            pool.persist(round);
        }
        for (int node = 0; node < pool.nodes(); node++) {
            round.write(pool.log(node), LogLayout.intents(number, logSlotBytes), LogLayout.INTENT_BYTES, zeros, 0);
            for (int slot = 0; slot < LogLayout.SLOTS; slot++) round.write(pool.log(node), logSlot(slot), 0);
            round.post().await();
        }
    }

    // ---- places

    public Lane lane() {
        return lane;
    }

    public PoolRegions pool() {
        return pool;
    }

    public long logSlot(int slot) {
        return LogLayout.slot(number, slot, logSlotBytes);
    }

    /** The log slot of the transaction that is under way. */
    public int slot() {
        return slot;
    }

    /** It is used: the next transaction takes the other one. */
    void nextSlot() {
        slot = (slot + 1) % LogLayout.SLOTS;
    }

    public long logSlotBytes() {
        return logSlotBytes;
    }

    long intent(int index) {
        return LogLayout.intents(number, logSlotBytes) + index * (long) Words.BYTES;
    }

    /** The release of the transaction that used this log slot before; settled, so the slot is free. */
    public Round releaseOf(int slot) {
        releases[slot].settle();
        return releases[slot];
    }

    protected Round abortRound() {
        abortRound.settle();
        return abortRound;
    }

    /** Where the keys of a table were last seen: a hint that may be given from outside, too. */
    public AddressCache addresses(TableInfo table) {
        return cache(table);
    }

    @Override
    public void shareAddresses(Coordinator other) {
        if (other instanceof RecordCoordinator like) caches = like.caches;
    }

    @Override
    public void rememberAlone() {
        caches = new AddressCache[CatalogLayout.TABLES + 1];
    }

    /** Keeps what {@link PoolRegions#expect} said, for the compiler's sake. */
    void expected(long sum) {
        expected += sum;
    }

    AddressCache cache(TableInfo table) {
        AddressCache cache = caches[table.id()];
        if (cache == null) cache = caches[table.id()] = new AddressCache(table, CACHED_ADDRESSES);
        return cache;
    }
}
