package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.schema.Schema;
import tidepool.store.StoreException.Reason;

/**
 * The catalog of a pool, read and written with verbs: any process that attaches finds geometry, tables and schemas
 * here. Changes happen under a lock that names its session. The lock of a dead session is taken over. Nothing refers
 * yet to the changes that the dead session left unfinished.
 *
 * <p>One strand or thread uses an instance at a time.
 */
public final class Catalog {
    static final int NODE = 0;
    private static final int REGIONS_AT_ONCE = CatalogWords.LANDING_BYTES / Words.BYTES;
    private static final long OWNED_VCACHE = 1;
    static final long SHARED_VCACHE = 2;

    /**
     * Margin for outcomes that a loss of power takes out of the count, because the count was not flushed. At most one
     * outcome is being recorded at a time.
     */
    private static final int UNFLUSHED_OUTCOMES = 8;

    private final Fabric fabric;
    private final Roster roster;
    private final long trailerBytes;
    private final CatalogCopies copies;
    private final CatalogWords words;
    private final CatalogLocks locks;
    private final CatalogChanges changes;
    private final CatalogTables tables;
    private final Session session;
    private boolean changing; // the tables were being changed when this catalog was opened
    private FlushPolicy flush;
    private long lossesLocked; // the losses of power that the recovery lock names
    private Placement placement;
    private final long[][] regions; // the words of each node, once they were read
    private int coordinators;
    private long logSlotBytes;
    private LogHeapLayout logHeap;

    private Catalog(Fabric fabric, Session session, PoolOptions options, Roster roster) {
        this(fabric, session, session.lane(), SlotTrailer.bytes(options.protocol()), roster);
    }

    private Catalog(Fabric fabric, Session session, Lane lane, long trailerBytes, Roster roster) {
        this.fabric = fabric;
        this.roster = roster;
        this.trailerBytes = trailerBytes;
        this.copies = new CatalogCopies(fabric, lane);
        this.regions = new long[fabric.nodes()][];
        this.words = copies.first();
        this.locks = new CatalogLocks(fabric, session, words);
        this.session = session;
        this.changes = new CatalogChanges(this, copies, locks);
        this.tables = new CatalogTables(this, copies, changes, trailerBytes);
    }

    /** Opens the catalog of a pool for a session that accepts any flush policy. */
    public static Catalog open(Fabric fabric, Session session, PoolOptions options) {
        return open(fabric, session, options, null);
    }

    /**
     * Opens the catalog of the pool, and formats the pool if it is not formatted yet. Waits for another session that is
     * formatting it.
     *
     * @param flush the flush policy of this session; a pool that was made with another policy is refused
     */
    public static Catalog open(Fabric fabric, Session session, PoolOptions options, FlushPolicy flush) {
        return open(fabric, session, options, flush, null);
    }

    /**
     * Opens the catalog of a pool whose nodes may change, and formats the pool if it is not formatted yet.
     *
     * @param roster the members of the fabric, in their order; null if they never change
     */
    public static Catalog open(Fabric fabric, Session session, PoolOptions options, FlushPolicy flush, Roster roster) {
        Catalog catalog;
        CatalogFormat format;
        try {
            catalog = new Catalog(fabric, session, options, roster);
            format = new CatalogFormat(fabric, roster, catalog.copies, catalog.locks);
            format.formatOnce(options, flush == null ? FlushPolicy.NONE : flush);
        } catch (RuntimeException e) {
            if (roster == null) CatalogFormat.discardUnmade(fabric, session, e);
            throw e;
        }
        catalog.flush = format.verify(options, flush);
        if (catalog.flush.isDurable()) new CatalogLives(catalog, fabric, catalog.copies).check();
        if (catalog.flush.isDurable()) catalog.words.persist(CatalogLayout.STATE);
        else catalog.refuseIfLost();
        catalog.changes.opened(format.version());
        catalog.changing = !catalog.changes.settle();
        return catalog;
    }

    /**
     * Makes a pool that has content from the beginning. Refuses if there is a pool already.
     *
     * @param content writes the content when the regions of the nodes exist and no session may use them yet
     */
    public static Catalog create(
            Fabric fabric,
            Session session,
            PoolOptions options,
            FlushPolicy flush,
            Roster roster,
            Consumer<Catalog> content) {
        try {
            Catalog catalog = new Catalog(fabric, session, options, roster);
            catalog.flush = flush;
            CatalogFormat format = new CatalogFormat(fabric, roster, catalog.copies, catalog.locks);
            if (!format.formatOnce(options, flush, () -> content.accept(catalog)))
                throw new StoreException(Reason.MISMATCH, "there is a pool already, and nothing of it is overwritten");
            return catalog;
        } catch (RuntimeException e) {
            if (roster == null) CatalogFormat.discardUnmade(fabric, session, e);
            throw e;
        }
    }

    /**
     * Writes the table entries of another catalog into this one. For a pool that is being made.
     *
     * @param timestamp later than all timestamps of rows and buckets in its tables
     */
    public void adopt(MemorySegment entries, int count, long nextOffset, long timestamp) {
        tables.adopt(entries, count, nextOffset);
        copies.put(CatalogLayout.TIMESTAMP, timestamp);
    }

    /**
     * Opens the catalog for a change of the roster, in any epoch. The members must include at least one whole copy of
     * every partition.
     */
    public static Catalog openForChange(Fabric fabric, Session session, PoolOptions options, Roster changing) {
        Catalog catalog = new Catalog(fabric, session, options, changing);
        CatalogFormat format = new CatalogFormat(fabric, changing, catalog.copies, catalog.locks);
        catalog.flush = format.verifyFirst(options, null);
        return catalog;
    }

    // ---- epoch

    /** Returns the value that the epoch word must have for this catalog to be used. */
    public long epoch() {
        if (roster == null) return 1;
        return roster.steady() ? roster.epoch() : roster.epoch() | CatalogLayout.CHANGING;
    }

    /** Refuses, from here on, sessions that know an earlier roster. */
    public void announceChange() {
        copies.put(CatalogLayout.EPOCH, roster.epoch() | CatalogLayout.CHANGING);
        if (flush.isDurable()) copies.flush();
    }

    /**
     * Gives every node what the roster says: a catalog, a log, and a region for each partition that it holds. Frees the
     * regions of partitions that a node no longer holds.
     */
    public void layOut() {
        Arrays.fill(regions, null);
        restoreDoubted();
        new CatalogRegions(this, fabric, copies).layOut();
    }

    /**
     * Returns whether a node's copy of a partition outlasts a loss of power, as the catalog of that node last recorded
     * it.
     */
    public boolean isFlushed(int node, int partition) {
        long region = copies.at(node).get(CatalogLayout.partitionRegion(partition));
        return flush.isDurable() && region != 0 && (region & CatalogLayout.UNFLUSHED) == 0;
    }

    /**
     * Fails if power was lost and some partition has no whole flushed copy here: the content of that partition is
     * unknown.
     */
    public void requireFlushedCopies() {
        if (!hasLostPower()) return;
        if (!flush.isDurable())
            throw new StoreException(
                    Reason.UNAVAILABLE,
                    "memory nodes of this pool have lost their power, and it was made with " + flush.text()
                            + ": what it held is lost");
        for (int p = 0; p < placement().partitions(); p++) {
            boolean any = false;
            for (int copy = 0; copy < placement.whole(p); copy++) any |= isFlushed(placement.replica(p, copy), p);
            if (!any)
                throw new StoreException(
                        Reason.UNAVAILABLE,
                        "memory nodes have lost their power, and of partition " + p
                                + " no copy is left that was flushed (" + flush.text()
                                + "): bring back the node that held one");
        }
    }

    /** Records whether a node's copy of a partition outlasts a loss of power. */
    public void setFlushed(int node, int partition, boolean flushed) {
        CatalogWords own = copies.at(node);
        long region = own.get(CatalogLayout.partitionRegion(partition)) & CatalogLayout.UNFLUSHED - 1;
        own.put(CatalogLayout.partitionRegion(partition), flushed ? region : region | CatalogLayout.UNFLUSHED);
        own.flush();
    }

    /**
     * Records that primaries are no longer flushed where a new copy has become whole. All sessions flush a primary that
     * is the only whole copy of its partition. Sessions that know the roster in which a new copy has become whole flush
     * that copy instead. The record must not be made earlier: until then the primary is the only copy that is trusted.
     * Only for callers that have verified that the epoch of the catalog is theirs.
     */
    public void disclaimPrimaries() {
        if (flush != FlushPolicy.SELECTIVE
                || roster == null
                || !roster.steady()
                || placement().isSingle()) return;
        for (int p = 0; p < placement().partitions(); p++) {
            int primary = placement.primary(p);
            if (placement.whole(p) == 1 || (regions(primary)[1 + p] & CatalogLayout.UNFLUSHED) != 0) continue;
            setFlushed(primary, p, false);
            regions(primary)[1 + p] |= CatalogLayout.UNFLUSHED;
        }
    }

    /** Ends the change: sessions that know the roster may use the pool. */
    public void openEpoch() {
        // Recorded events of this epoch come after all earlier ones.
        words.put(CatalogLayout.HISTORY_CLOCK, roster.epoch() << 40);
        // No timestamp is given twice, even if the node that counted them is gone.
        long known = words.get(CatalogLayout.TIMESTAMP);
        if (known >>> CatalogLayout.EPOCH_SHIFT < roster.epoch())
            words.put(CatalogLayout.TIMESTAMP, roster.epoch() << CatalogLayout.EPOCH_SHIFT);
        // A restored pool began with the timestamps of a later epoch: each node has to know how far they have come.
        else copies.put(CatalogLayout.TIMESTAMP, CatalogLayout.timestampAfter(roster.epoch(), known));
        copies.put(CatalogLayout.EPOCH, roster.epoch());
        copies.flush();
    }

    // ---- power

    /** Which replicas of this pool outlast a loss of power. */
    public FlushPolicy flush() {
        return flush;
    }

    /** Returns how often each node of the pool has lost its power, as the nodes say now. */
    public long[] powerLosses() {
        long[] losses = new long[fabric.nodes()];
        for (int node = 0; node < losses.length; node++)
            losses[node] = fabric.control(node).powerLosses();
        return losses;
    }

    /**
     * Returns whether power was lost since the pool was last repaired, or a node holds less than it has acknowledged.
     * If so, only flushed data may be trusted.
     */
    public boolean hasLostPower() {
        for (int node = 0; node < fabric.nodes(); node++) if (hasLostPower(node) || isDoubted(node)) return true;
        return false;
    }

    /** Returns whether a node has lost its power since the pool was last repaired. */
    public boolean hasLostPower(int node) {
        return copies.at(node).get(CatalogLayout.POWER_LOSSES)
                        != fabric.control(node).powerLosses()
                && isLaidOut(node);
    }

    /** Returns whether a node may hold less of this pool than it has acknowledged. */
    public boolean isDoubted(int node) {
        return isLaidOut(node) && fabric.control(node).doubt() != null;
    }

    /**
     * Restores the words that a catalog has on all nodes at doubted nodes, from a node that is not doubted. Regions
     * from before a growth of the pool get the size of the others. Returns whether there were any: then regions that
     * were opened before are no longer those of the pool.
     */
    public boolean restoreDoubted() {
        int source = 0;
        while (source < copies.count() && (isDoubted(source) || !isReady(source))) source++;
        if (source == copies.count()) return false;
        boolean enlarged = false;
        for (int node = 0; node < copies.count(); node++) {
            if (!isDoubted(node)) continue;
            new CatalogRegions(this, fabric, copies).restore(source, node);
            enlarged |= PoolGrowth.enlarge(this, session, copies, changes, node);
        }
        return enlarged;
    }

    private boolean isReady(int node) {
        return copies.at(node).get(CatalogLayout.STATE) == CatalogLayout.READY;
    }

    /** Returns whether a node holds anything of this pool. Earlier losses of power of a new node do not matter. */
    boolean isLaidOut(int node) {
        return copies.at(node).get(CatalogLayout.LOG_REGION) != 0;
    }

    /**
     * Called before the pool is used on behalf of a session that knew it before. If power was lost since, fails as if
     * the fabric had failed, because the pool must be repaired first.
     */
    public void requirePower() {
        if (flush.isDurable() && hasLostPower())
            throw new FabricException(
                    FabricException.Reason.DISCONNECTED, Effect.NOT_DONE, "memory nodes have lost their power");
    }

    /**
     * Records that the pool is repaired and flushed.
     *
     * @param losses for each node, the number of power losses whose damage is repaired
     */
    public void repaired(long[] losses) {
        for (int node = 0; node < losses.length; node++) copies.at(node).put(CatalogLayout.POWER_LOSSES, losses[node]);
        copies.flush();
    }

    /** After a loss of power, makes all coordinators and the catalog lock unowned, whatever their words say. */
    public void disown() {
        int count = coordinators();
        read(CatalogLayout.coordinator(0), count * (long) Words.BYTES);
        List<Integer> owned = new ArrayList<>();
        for (int i = 0; i < count; i++) if (Words.plain(words.landing, i * (long) Words.BYTES) != 0) owned.add(i);
        for (int i : owned) words.put(CatalogLayout.coordinator(i), 0);
        words.put(CatalogLayout.LOCK, 0);
        words.flush();
    }

    /** After a change of the roster, clears the recovery lock as well, and the choice of where versions are cached. */
    public void disownAll() {
        disown();
        words.put(CatalogLayout.RECOVERY_LOCK, 0);
        forgetVersions();
    }

    /** Makes the next session choose anew where versions are cached. Only while no other session uses the pool. */
    void forgetVersions() {
        Id128 versions = words.get(CatalogLayout.VCACHE_KIND) == SHARED_VCACHE ? versionTableRegion() : null;
        words.put(CatalogLayout.VCACHE_KIND, 0);
        // The word is flushed before the region is freed. Otherwise a loss of power could bring the word back, and it
        // would name another region with this number.
        words.flush();
        if (versions != null) fabric.control(NODE).freeRegion(versions);
    }

    private void refuseIfLost() {
        if (hasLostPower())
            throw new StoreException(
                    Reason.CORRUPT,
                    "memory nodes of this pool have lost their power, and it was made with " + FlushPolicy.NONE.text()
                            + ": what it held is lost; make it anew, with flush=selective if it is to outlast that");
    }

    // ---- geometry

    public Placement placement() {
        if (placement == null)
            placement = roster != null
                    ? new Placement(roster, (int) word(CatalogLayout.REPLICAS))
                    : new Placement(
                            fabric.nodes(), (int) word(CatalogLayout.PARTITIONS), (int) word(CatalogLayout.REPLICAS));
        return placement;
    }

    public long logSlotBytes() {
        if (logSlotBytes == 0) logSlotBytes = word(CatalogLayout.LOG_SLOT_BYTES);
        return logSlotBytes;
    }

    /** Returns the log heap of each node. It has no blocks in a pool that was made without one. */
    public LogHeapLayout logHeap() {
        if (logHeap == null)
            logHeap = new LogHeapLayout(
                    coordinators() * LogLayout.areaBytes(logSlotBytes()),
                    Math.toIntExact(word(CatalogLayout.LOG_HEAP_BLOCKS)));
        return logHeap;
    }

    public int coordinators() {
        if (coordinators == 0) coordinators = (int) word(CatalogLayout.COORDINATOR_COUNT);
        return coordinators;
    }

    public int logRegion(int node) {
        return (int) regions(node)[0];
    }

    public int partitionRegion(int node, int partition) {
        return (int) regions(node)[1 + partition];
    }

    /** Returns the region word of a node's log, then those of the partitions that it holds. They are read once. */
    long[] regions(int node) {
        if (regions[node] != null) return regions[node];
        long[] read = new long[1 + placement().partitions()];
        for (int done = 0; done < read.length; done += REGIONS_AT_ONCE) {
            int count = Math.min(REGIONS_AT_ONCE, read.length - done);
            CatalogWords own = copies.at(node);
            own.read(CatalogLayout.LOG_REGION + done * (long) Words.BYTES, count * (long) Words.BYTES);
            for (int i = 0; i < count; i++) read[done + i] = Words.plain(own.landing, i * (long) Words.BYTES);
        }
        regions[node] = read;
        return read;
    }

    // ---- tables

    /** Returns all tables of the pool. */
    public List<TableLayout> tables() {
        return tables.all();
    }

    /** Returns the table with this name, or null. */
    public TableLayout table(String name) {
        return tables.find(name);
    }

    /** Returns the name of the protocol whose records a pool holds, as the catalog of its first node says. */
    public static String protocolOf(Fabric fabric, Session session) {
        try (Lane lane = session.lane()) {
            MemorySegment landing = lane.landing(Words.BYTES);
            Region catalog = lane.connect(0).open(fabric.control(0).regions()[0]);
            lane.round(1)
                    .read(catalog, CatalogLayout.PROTOCOL, Words.BYTES, landing, 0)
                    .post()
                    .await();
            return CatalogFormat.protocolText(Words.plain(landing, 0));
        }
    }

    /** Sets the row format of tables that are made through this catalog from here on. */
    public Catalog withRows(RowFormat.Maker maker) {
        tables.rows = maker;
        return this;
    }

    /**
     * Returns the table with this schema. Makes it with room for {@code count} rows if there is none. A table that
     * exists must have an identical schema and identical room.
     */
    public TableLayout table(Schema schema, long count) {
        return tables.findOrMake(schema, count, false);
    }

    /**
     * Returns the table with this schema, whatever its room. Makes it with room for {@code count} rows if there is
     * none.
     */
    public TableLayout tableOfAnySize(Schema schema, long count) {
        return tables.findOrMake(schema, count, true);
    }

    /**
     * Makes the hidden table for the nodes of the indexes of a table, unless it is there: {@link IndexNodes}. Waits for
     * the catalog lock.
     *
     * @param schema a schema of the table that has indexes
     * @param count the rows of the table
     */
    public void makeIndexNodes(Schema schema, long count) {
        tables.makeNodesAlone(schema, count);
    }

    /** Learns the areas that another session may have given to a table. */
    public void learnAreas(TableLayout table) {
        tables.learnAreas(table);
    }

    /**
     * Gives a table one more area, unless another session has done so since. Waits for the catalog lock. Any strand may
     * call it, also while another one uses this instance.
     */
    public void addArea(Session session, TableLayout table) {
        try (Lane lane = session.lane()) {
            Catalog own = new Catalog(fabric, session, lane, trailerBytes, roster);
            own.flush = flush;
            own.tables.addArea(table);
        }
    }

    /** Refuses a number of rows for which the table would have been made with other room. */
    public void requireRoom(TableLayout known, long count) {
        tables.requireRoom(known, known.schema(), count);
    }

    /**
     * Refuses parameters of a URL that differ from those of the pool. Parameters that the URL leaves out are taken from
     * the pool. Otherwise a program that asks for three copies would run on two.
     */
    public void requireAsked(FabricUrl asked) {
        PoolOptions options = PoolOptions.of(asked);
        words.read(0, CatalogLayout.HEADER.byteSize());
        require(asked, "replicas", options.replicas(), CatalogLayout.REPLICAS);
        require(asked, "partitions", options.partitions(), CatalogLayout.PARTITIONS);
        if (asked.has("memory"))
            PoolOptions.requireMemory(
                    options.partitionBytes(), Words.plain(words.landing, CatalogLayout.PARTITION_BYTES));
        require(asked, "coordinators", options.coordinators(), CatalogLayout.COORDINATOR_COUNT);
        require(asked, "log", options.logSlotBytes(), CatalogLayout.LOG_SLOT_BYTES);
        if (asked.has("logheap"))
            PoolOptions.requireAlike(
                    asked, "logheap", options.logHeapBytes(), logHeap().blocks() * LogHeapLayout.BLOCK_BYTES);
    }

    private void require(FabricUrl asked, String name, long value, long offset) {
        PoolOptions.requireAlike(asked, name, value, Words.plain(words.landing, offset));
    }

    // ---- changes of tables

    /**
     * Returns whether the tables were being changed by a living session when this catalog was opened. Its session must
     * leave the pool then, and open it anew.
     */
    public boolean isChanging() {
        return changing;
    }

    /** Returns whether a change of the tables is announced now: all sessions have to leave. */
    public boolean isChangeAnnounced() {
        return !changes.isSteady();
    }

    /** Returns how many changes of tables there were. What a session knows of tables holds until the next one. */
    public long changes() {
        return changes.count();
    }

    /** Returns the tables that may be used now or when their memory is clean. */
    public List<TableLayout> namedTables() {
        return tables.named();
    }

    /** Returns a change of a table, in the name of the session of this catalog, which must be used for nothing else. */
    public TableChange change() {
        return new TableChange(this, tables, changes);
    }

    /** Cleans the memory of dropped and emptied tables in all copies, so that it can be used. Waits for that. */
    public void clean() {
        tables.clean();
    }

    /**
     * Returns a growth of all partitions, in the name of the session of this catalog, which must be used for nothing
     * else.
     *
     * @param bytes of each copy of a partition
     */
    public PoolGrowth growth(long bytes) {
        return PoolGrowth.begin(this, session, copies, changes, bytes);
    }

    /** Returns the bytes of each copy of a partition. */
    public long partitionBytes() {
        return changes.partitionBytes();
    }

    CatalogChanges catalogChanges() {
        return changes;
    }

    /** Forgets which regions the words name. */
    void forgetRegions() {
        Arrays.fill(regions, null);
    }

    /** Frees regions that a session has made which died before a word named them. Only with the catalog lock. */
    void freeUnnamed() {
        forgetRegions();
        new CatalogRegions(this, fabric, copies).freeUnnamed();
    }

    /** Returns the identity of a member; the number of a node that never changes. */
    String nameOf(int node) {
        return roster == null ? "" + node : roster.members().get(node).identity();
    }

    AreaCleaner cleaner() {
        return new AreaCleaner(fabric, session, this);
    }

    // ---- localized validation

    /**
     * Agrees on how versions are cached. Sessions that own the partitions they write, and sessions that share one table
     * of versions, cannot use a pool together. Returns the capability of the shared table, on node 0; null if there is
     * none.
     */
    public Id128 versionTable(boolean shared, long bytes) {
        long kind = shared ? SHARED_VCACHE : OWNED_VCACHE;
        if (words.get(CatalogLayout.VCACHE_KIND) == 0) {
            changes.lock();
            try {
                if (words.get(CatalogLayout.VCACHE_KIND) == 0) {
                    words.put(
                            CatalogLayout.VCACHE_REGION,
                            shared ? CatalogFormat.create(fabric.control(NODE), bytes) : -1);
                    words.put(CatalogLayout.VCACHE_KIND, kind);
                }
            } finally {
                changes.unlock();
            }
        }
        if (words.get(CatalogLayout.VCACHE_KIND) != kind)
            throw new StoreException(
                    Reason.MISMATCH,
                    "the versions of this pool are cached " + (shared ? "by their owners" : "in one place for all")
                            + ": open it with vcache=" + (shared ? "local or partition" : "global"));
        return shared ? versionTableRegion() : null;
    }

    private Id128 versionTableRegion() {
        return fabric.control(NODE).regions()[(int) words.get(CatalogLayout.VCACHE_REGION)];
    }

    // ---- coordinators

    /** Claims a coordinator for this session. Its number determines where its logs lie. */
    public int claimCoordinator() {
        int count = coordinators();
        // From here on older programs, which know of no free overflow buckets, refuse this pool.
        if (word(CatalogLayout.VERSION_AT) < CatalogLayout.VERSION)
            copies.put(CatalogLayout.VERSION_AT, CatalogLayout.VERSION);
        for (int i : coordinatorsOf(0)) if (words.swap(CatalogLayout.coordinator(i), 0, locks.me()) == 0) return i;
        throw new StoreException(
                Reason.FULL,
                "all " + count + " coordinators are taken; close some, or make the pool with more by coordinators=");
    }

    /** Returns the session that owns a coordinator; 0 if it is free. */
    public int ownerOf(int coordinator) {
        return (int) word(CatalogLayout.coordinator(coordinator));
    }

    /** Returns the coordinators that a session owns. */
    public List<Integer> coordinatorsOf(int session) {
        int count = coordinators();
        read(CatalogLayout.coordinator(0), count * (long) Words.BYTES);
        List<Integer> owned = new ArrayList<>();
        for (int i = 0; i < count; i++) if (Words.plain(words.landing, i * (long) Words.BYTES) == session) owned.add(i);
        return owned;
    }

    /** Releases a coordinator. Its logs and intents must be clean. */
    public void releaseCoordinator(int coordinator, int owner) {
        words.swap(CatalogLayout.coordinator(coordinator), owner, 0);
    }

    // ---- recovery

    /** Tries to take the recovery lock; returns true if it did. The lock of a dead recoverer is taken over. */
    public boolean tryRecoveryLock() {
        lossesLocked = flush.isDurable() ? Arrays.stream(powerLosses()).sum() : 0;
        return locks.tryTake(CatalogLayout.RECOVERY_LOCK, lossesLocked);
    }

    public void releaseRecoveryLock() {
        locks.release(CatalogLayout.RECOVERY_LOCK, lossesLocked);
    }

    /** Releases the catalog lock of a session that is over. */
    public void releaseLockOf(int dead) {
        words.swap(CatalogLayout.LOCK, dead, 0);
    }

    /** Records the outcome of a transaction whose coordinator could not report it. */
    public void recordOutcome(long txn, boolean committed) {
        long ticket = words.add(CatalogLayout.NEXT_OUTCOME, 1);
        long at = CatalogLayout.outcome(ticket);
        for (int node = copies.count() - 1; node >= 0; node--) {
            CatalogWords copy = copies.at(node);
            // The old id goes first and the new one comes last. An id that a reader finds before and after the outcome
            // belongs to it. Otherwise the reader could take an outcome that overwrites the one it looks for.
            copy.round
                    .write(copy.region, at, 0)
                    .write(copy.region, at + Words.BYTES, committed ? 1 : 2)
                    .write(copy.region, at, txn);
            if (node > 0) copy.round.write(copy.region, CatalogLayout.NEXT_OUTCOME, ticket + 1);
            copy.round.post().await();
        }
        if (flush.isDurable()) copies.flush();
    }

    /**
     * Returns 1 if the transaction committed, 2 if not. Returns 0 if its outcome is not there: none was recorded, or
     * later outcomes have overwritten it.
     */
    public int outcome(long txn) {
        long bytes = CatalogLayout.OUTCOMES * 2L * Words.BYTES;
        read(CatalogLayout.outcome(0), bytes);
        for (int i = 0; i < CatalogLayout.OUTCOMES; i++)
            if (Words.plain(words.landing, i * 2L * Words.BYTES) == txn)
                return outcomeAt(CatalogLayout.outcome(i), txn);
        return 0;
    }

    /** Reads the outcome, then the id once more, over one link; see {@link #recordOutcome}. */
    private int outcomeAt(long at, long txn) {
        words.round
                .read(words.region, at + Words.BYTES, Words.BYTES, words.landing, 0)
                .read(words.region, at, Words.BYTES, words.landing, Words.BYTES)
                .post()
                .await();
        return Words.plain(words.landing, Words.BYTES) == txn ? (int) Words.plain(words.landing, 0) : 0;
    }

    /**
     * Returns how many outcomes were recorded so far. A recoverer revokes a session before it recovers it, and a
     * revoked session reads nothing. So the number that a session has read precedes the outcomes of all its own
     * transactions.
     */
    public long outcomesRecorded() {
        return word(CatalogLayout.NEXT_OUTCOME);
    }

    /**
     * Returns whether every outcome is still there that was recorded after the first {@code recorded} ones. Call it
     * after {@link #outcome}.
     */
    public boolean keepsOutcomesAfter(long recorded) {
        return outcomesRecorded() - recorded < CatalogLayout.OUTCOMES - UNFLUSHED_OUTCOMES;
    }

    /** Returns the next number of the clock that orders recorded events of all processes. */
    public long historyTick() {
        long tick = words.add(CatalogLayout.HISTORY_CLOCK, 1);
        if (flush.isDurable()) words.flush();
        return tick;
    }

    // ---- words

    private void read(long offset, long bytes) {
        words.read(offset, bytes);
    }

    private long word(long offset) {
        return words.get(offset);
    }
}
