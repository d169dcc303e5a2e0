package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.fabric.Traffic;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Step;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.TxnRoom;
import tidepool.store.AddressCache;
import tidepool.store.AreaWords;
import tidepool.store.Catalog;
import tidepool.store.CatalogLayout;
import tidepool.store.LogLayout;
import tidepool.store.Placement;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.txn.Txn;

/**
 * A coordinator of transactions on records, for one strand. It has a link and a log area on every memory node, the
 * regions of all partitions, a cache of addresses, and transaction objects that are reused. Log, data and release for
 * one node go over one link.
 */
public abstract class RecordCoordinator implements Coordinator {
    private static final int CACHED_ADDRESSES = 1 << 20;

    /** The number of small transactions after which the memory of a large one is given back. */
    private static final int KEPT = 64;

    protected final Placement placement;
    protected final Lane lane;
    private final Catalog catalog;
    private final int number;
    private final long logSlotBytes;
    private final long areasBytes;
    protected final PoolRegions pool;
    private final TxnCounter counters;
    private final LogClearing clearing;
    private AddressCache[] caches = new AddressCache[CatalogLayout.TABLES + 1];
    private final Round[] releases = new Round[LogLayout.SLOTS];
    private final Round abortRound;
    private final ReadCounts counts = new ReadCounts();
    private TableGrowth growth; // null before the first wish
    private SplitListener splitListener; // null if there is none
    private final RecordTxn[] txns = new RecordTxn[LogLayout.SLOTS];

    /** The round in which the transaction that is under way builds its steps. */
    private Round critical;

    /** The blocks of the log heap; null until a transaction needs some. */
    private LogHeap heap;

    private TxnRoom room = TxnRoom.SMALL;

    /** The room of a transaction that splits a bucket. */
    private TxnRoom roomOfSplits = TxnRoom.SMALL;

    /** The transaction object of a larger room, and how many transactions have begun since without it; or null. */
    private RecordTxn large;

    private int begunSince;
    private int slot;
    private long counter;

    @SuppressWarnings("UnusedVariable") // see expected(long)
    private long expected;

    private MemorySegment areas; // where the words of the areas of a table land; null before they are asked for
    private Round areaRound;
    private String broken; // the reason; null if it is usable
    private boolean closed;

    /** Claims a place among the pool's coordinators. Waits for the memory nodes. */
    protected RecordCoordinator(Session session, Catalog catalog, TxnCounter counters) {
        this(session, catalog, counters, LogClearing.ONE_BY_ONE);
    }

    /** Claims a place among the pool's coordinators, and clears logs as told. Waits for the memory nodes. */
    protected RecordCoordinator(Session session, Catalog catalog, TxnCounter counters, LogClearing clearing) {
        this.clearing = clearing;
        this.catalog = catalog;
        this.lane = session.lane();
        this.pool = new PoolRegions(lane, catalog);
        this.placement = pool.placement();
        this.logSlotBytes = catalog.logSlotBytes();
        this.counters = counters;
        catalog.requirePower(); // after the links are made: they do not survive a loss of power
        number = catalog.claimCoordinator();
        areasBytes = catalog.coordinators() * LogLayout.areaBytes(logSlotBytes);
        for (int i = 0; i < releases.length; i++)
            releases[i] = lane.growingRound(WriteSet.MAX_OBJECTS * (placement.replicas() + 1));
        abortRound = lane.growingRound(WriteSet.MAX_OBJECTS);
    }

    /** Makes the protocol's transaction object; called once, or as often as {@link #transactions} says. */
    protected abstract RecordTxn newTxn();

    /**
     * Returns the number of transaction objects that take turns. Two, one for each log slot, if background rounds after
     * a commit send from the object's memory.
     */
    protected int transactions() {
        return 1;
    }

    /** Waits until everything sent from the memory of the current transaction object has arrived. */
    protected void reuse() {}

    /** Makes the protocol's verbs; tests that plant bugs override one of them. */
    protected RecordVerbs newVerbs(MemorySegment memory) {
        return new RecordVerbs(pool, memory);
    }

    @Override
    public final int number() {
        return number;
    }

    @Override
    public final Txn begin() {
        if (growth != null && growth.isWished()) grow();
        return next();
    }

    @Override
    public final Txn beginReading() {
        return next();
    }

    /** Carries out the wishes of earlier transactions. The room of the next one stays what it was. */
    private void grow() {
        TxnRoom wanted = room;
        room = roomOfSplits;
        growth.run();
        if (room != TxnRoom.SMALL) roomOfSplits = room; // a split that did not fit: the next one has the room
        room = wanted;
    }

    /** Begins a transaction that carries out no wish of another one. */
    final RecordTxn next() {
        RecordTxn txn = room == TxnRoom.SMALL ? small() : large();
        txn.begin(nextId());
        begun(txn);
        return txn;
    }

    /** Called when a transaction object begins a transaction, to clear what its protocol has left there. */
    protected void begun(RecordTxn txn) {}

    // ---- growth

    final TableGrowth growth() {
        if (growth == null) growth = new TableGrowth(this);
        return growth;
    }

    /** Sets the listener that is called for each split of this coordinator, before its first transaction. */
    public final void splitListener(SplitListener listener) {
        splitListener = listener;
    }

    /** Returns the listener of splits; null if there is none. */
    final SplitListener splitListener() {
        return splitListener;
    }

    /**
     * Keeps the sizes of tables: this coordinator splits no buckets, and an insert that finds no room is refused. For
     * figures of published systems, and for runs that compare memory which must not grow.
     */
    public final void keepTables() {
        growth().keep();
    }

    /** Gives a table one more area, unless another session has done so. Waits for the catalog. */
    void addArea(TableLayout table) {
        catalog.addArea(lane.session(), table);
    }

    /** Fails if this coordinator is unusable. */
    final void requireWhole() {
        if (broken != null) throw FabricException.unavailable(broken);
    }

    private RecordTxn small() {
        if (large != null && ++begunSince == KEPT) dropLarge();
        int turn = slot % transactions();
        if (txns[turn] == null) txns[turn] = newTxn();
        return txns[turn];
    }

    // ---- large transactions

    private RecordTxn large() {
        begunSince = 0;
        if (large != null && large.room().covers(room)) return large;
        large = null; // its memory is free before the larger one is taken
        large = newTxn();
        return large;
    }

    /** Gives back the memory of the large transaction object. No background round sends from it. */
    private void dropLarge() {
        large = null;
        trim();
    }

    /** Gives back the memory of rounds that have grown. */
    protected void trim() {
        critical().discard();
        critical.trim();
        abortRound().trim();
        for (int i = 0; i < releases.length; i++) releaseOf(i).trim();
    }

    @Override
    public final TxnRoom room() {
        return room;
    }

    @Override
    public final void room(TxnRoom next) {
        if (room != next) room = next;
    }

    /** Returns the round of the critical path, which all transaction objects share. */
    final Round criticalRound(int capacity) {
        if (critical == null) critical = lane.growingRound(capacity);
        return critical;
    }

    /** Returns the log heap; null if no transaction of this coordinator has needed it. */
    final LogHeap heap() {
        return heap;
    }

    final LogHeap makeHeap() {
        if (heap == null) heap = newHeap();
        return heap;
    }

    /** Makes the access to the log heap; tests that plant bugs override it. */
    protected LogHeap newHeap() {
        return new LogHeap(this);
    }

    final boolean holdsBlocks() {
        return heap != null && heap.holdsBlocks();
    }

    /**
     * Ends a large transaction. Waits until what it has sent in the background has arrived, and gives its blocks of the
     * log heap back: the next transaction of this coordinator may be the last one for a long time.
     */
    final void endLarge() {
        settleLarge();
        if (!holdsBlocks()) return;
        if (marksLogsFirst() && heap.hasLogs()) markAllOver();
        heap.giveBack();
    }

    /** Waits for the background rounds of a large transaction. Overridden by planted bugs. */
    protected void settleLarge() {
        settle();
    }

    /** Returns an id that no transaction has used or will use. */
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

    /** Marks the coordinator as unusable. The first reason stays; a null message counts as a reason. */
    protected final void markBroken(String why) {
        if (broken == null) broken = String.valueOf(why);
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        if (broken != null) return; // the recoverer of the session cleans up
        try {
            settle();
            clearArea();
            catalog.releaseCoordinator(number, lane.session().number());
        } catch (FabricException e) {
            markBroken(e.getMessage());
        }
        lane.close();
    }

    /** Waits until all background rounds have been answered. */
    protected final void settle() {
        for (Round release : releases) release.settle();
        abortRound.settle();
    }

    /** Whether all logs are marked as over before one is cleared. Overridden by planted bugs. */
    protected boolean marksLogsFirst() {
        return clearing.marksFirst(pool);
    }

    /**
     * Clears intents and logs for the next owner of this place, so that its recoverer finds nothing of this session.
     */
    private void clearArea() {
        MemorySegment zeros = lane.landing(LogLayout.INTENT_BYTES);
        Round round = lane.round((1 + LogLayout.SLOTS) * pool.nodes());
        if (marksLogsFirst()) markAllOver();
        for (int node = 0; node < pool.nodes(); node++) {
            round.write(pool.log(node), LogLayout.intents(number, logSlotBytes), LogLayout.INTENT_BYTES, zeros, 0);
            for (int slot = 0; slot < LogLayout.SLOTS; slot++) round.write(pool.log(node), logSlot(slot), 0);
            round.post().await();
        }
    }

    /**
     * Marks all logs of this coordinator as over, on all nodes, before the first is cleared. Those in the slots are
     * older than one in the heap. They would not be followed by a later one any more while they are overwritten.
     */
    private void markAllOver() {
        critical().discard();
        for (int node = 0; node < pool.nodes(); node++) {
            for (int s = 0; s < LogLayout.SLOTS; s++) critical.write(pool.log(node), logSlot(s), LogLayout.OVER);
            if (holdsBlocks() && heap.hasLog(node)) critical.write(pool.log(node), heap.logAt(node), LogLayout.OVER);
        }
        Step.RELEASE.on(critical).post().await();
        pool.persist(critical);
    }

    private Round critical() {
        return criticalRound((1 + LogLayout.SLOTS) * pool.nodes());
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

    /** Returns the bytes of the areas of all coordinators; after them lies the log heap. */
    long areasBytes() {
        return areasBytes;
    }

    /** Returns the log slot of the current transaction. */
    public int slot() {
        return slot;
    }

    /** Called when the log slot is used: the next transaction takes the other one. */
    void nextSlot() {
        slot = (slot + 1) % LogLayout.SLOTS;
    }

    public long logSlotBytes() {
        return logSlotBytes;
    }

    long intent(int index) {
        return LogLayout.intents(number, logSlotBytes) + index * (long) Words.BYTES;
    }

    /**
     * Returns the release round of this log slot. Waits until its previous release is answered, so that the slot is
     * free.
     */
    public Round releaseOf(int slot) {
        releases[slot].settle();
        return releases[slot];
    }

    protected Round abortRound() {
        abortRound.settle();
        return abortRound;
    }

    /** Returns the cache of addresses of a table's keys. Its entries are hints; callers may add their own. */
    public AddressCache addresses(TableLayout table) {
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

    /** Keeps the result of {@link PoolRegions#expect}, so that the compiler does not remove the loads. */
    void expected(long sum) {
        expected += sum;
    }

    /** Reads the places of the areas of a table, which another session may have added. Waits for the catalog. */
    void learnAreas(TableLayout table) {
        if (areas == null) {
            areas = lane.landing(AreaWords.BYTES);
            areaRound = lane.round(3);
        }
        long at = CatalogLayout.areas(table);
        Region first = pool.catalog(0);
        areaRound.read(first, at, AreaWords.BYTES, areas, 0).post().await();
        int known = table.areaCount();
        if (!AreaWords.learn(table, areas, 0))
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "the areas of table " + table.name() + " are damaged in the catalog");
        // The session that has added an area may not have flushed its word. Otherwise a loss of power could take the
        // area, and the rows that this session puts into it.
        if (table.areaCount() == known || !catalog.flush().isDurable()) return;
        for (int i = known; i < table.areaCount(); i++)
            areaRound
                    .fetchAndAdd(first, at + AreaWords.at(i), 0, null, 0)
                    .flush(first.link())
                    .post()
                    .await();
    }

    AddressCache cache(TableLayout table) {
        AddressCache cache = caches[table.id()];
        if (cache == null) cache = caches[table.id()] = new AddressCache(table, CACHED_ADDRESSES);
        return cache;
    }
}
