package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.store.StoreException.Reason;
import tidepool.store.schema.Schema;

/**
 * The catalog of a pool, read and written with verbs: any process that attaches finds geometry, tables and schemas here.
 * Changes happen under a lock that names its session; one whose session is dead is taken over, and what it left
 * unfinished is not yet referred to by anything.
 *
 * <p>One strand or thread uses an instance at a time.
 */
public final class Catalog {
    static final int NODE = 0;

    private final Fabric fabric;
    private final CatalogWords words;
    private final CatalogLocks locks;
    private Flush flush;

    private Catalog(Fabric fabric, Session session, Lane lane, Region region) {
        this.fabric = fabric;
        this.words = new CatalogWords(lane, region);
        this.locks = new CatalogLocks(fabric, session, words);
    }

    /** Opens the catalog of a pool for somebody to whom it does not matter which replicas are flushed. */
    public static Catalog open(Fabric fabric, Session session, PoolOptions options) {
        return open(fabric, session, options, null);
    }

    /**
     * Opens the catalog of the pool; formats the pool if nobody has yet. Waits for somebody who is about it.
     *
     * @param flush how this session flushes; refused if the pool was made with something else
     */
    public static Catalog open(Fabric fabric, Session session, PoolOptions options, Flush flush) {
        NodeControl control = fabric.control(NODE);
        if (control.regions().length == 0) {
            Id128 mine = control.createRegion(CatalogLayout.BYTES);
            // Region 0 is the catalog. Whoever was a moment later gives its own back.
            if (!mine.equals(control.regions()[0])) control.freeRegion(mine);
        }
        Lane lane = session.lane();
        Catalog catalog = new Catalog(fabric, session, lane, lane.connect(NODE).open(control.regions()[0]));
        CatalogFormat format = new CatalogFormat(fabric, catalog.words, catalog.locks);
        format.formatOnce(options, flush == null ? Flush.NONE : flush);
        catalog.flush = format.verify(options, flush);
        if (catalog.flush.isDurable()) catalog.words.persist(CatalogLayout.STATE);
        else catalog.refuseIfLost();
        return catalog;
    }

    // ---- power

    /** Which replicas of this pool outlast a loss of power. */
    public Flush flush() {
        return flush;
    }

    /** How often the nodes of the pool have lost their power, as they say now. */
    public long powerLosses() {
        return CatalogFormat.powerLosses(fabric);
    }

    /** Whether power was lost since the pool was last repaired: then nothing of it may be believed but what was flushed. */
    public boolean hasLostPower() {
        return words.get(CatalogLayout.POWER_LOSSES) != powerLosses();
    }

    /**
     * For whoever is about to use the pool in the name of a session that knew it before: fails if power was lost since, as
     * if the fabric had failed, because the pool has to be repaired first.
     */
    public void requirePower() {
        if (flush.isDurable() && hasLostPower())
            throw new FabricException(
                    FabricException.Reason.DISCONNECTED, Effect.NOT_DONE, "memory nodes have lost their power");
    }

    /** The pool is repaired: whatever was lost by the first so many losses of power is made good, and flushed. */
    public void repaired(long losses) {
        words.put(CatalogLayout.POWER_LOSSES, losses);
        words.flush();
    }

    /** After a loss of power nobody owns a coordinator or the catalog, whatever is written there. */
    public void disown() {
        int count = coordinators();
        for (int i = 0; i < count; i++) words.put(CatalogLayout.coordinator(i), 0);
        words.put(CatalogLayout.LOCK, 0);
        words.flush();
    }

    private void refuseIfLost() {
        if (hasLostPower())
            throw new StoreException(
                    Reason.CORRUPT,
                    "memory nodes of this pool have lost their power, and it was made with " + Flush.NONE.text()
                            + ": what it held is lost; make it anew, with flush=selective if it is to outlast that");
    }

    // ---- geometry

    public Placement placement() {
        return new Placement(fabric.nodes(), (int) word(CatalogLayout.PARTITIONS), (int) word(CatalogLayout.REPLICAS));
    }

    public long logSlotBytes() {
        return word(CatalogLayout.LOG_SLOT_BYTES);
    }

    public int coordinators() {
        return (int) word(CatalogLayout.COORDINATOR_COUNT);
    }

    public int logRegion(int node) {
        return (int) word(CatalogLayout.logRegion(node));
    }

    public int partitionRegion(int node, int partition) {
        return (int)
                word(CatalogLayout.partitionRegion(node, partition, placement().partitions()));
    }

    // ---- tables

    /** All tables of the pool. */
    public List<TableInfo> tables() {
        int count = (int) word(CatalogLayout.TABLE_COUNT);
        int partitions = placement().partitions();
        List<TableInfo> tables = new ArrayList<>();
        for (int i = 0; i < count; i++) tables.add(readTable(i, partitions));
        return tables;
    }

    /** The table of that name, or null. */
    public TableInfo table(String name) {
        for (TableInfo table : tables()) if (table.name().equals(name)) return table;
        return null;
    }

    /**
     * The table of that schema; made with room for {@code rows} rows if there is none. A table that exists must have the
     * very same schema.
     */
    public TableInfo table(Schema schema, long rows) {
        TableInfo known = table(schema.name());
        if (known == null) {
            locks.take(CatalogLayout.LOCK);
            try {
                known = table(schema.name());
                if (known == null) known = create(schema, rows);
            } finally {
                locks.release(CatalogLayout.LOCK);
            }
        }
        // Its maker may not have come to its own FLUSH yet, and what we put into the table shall not be lost with it.
        if (flush.isDurable()) words.persist(CatalogLayout.TABLE_COUNT);
        if (known.schema().fingerprint() != schema.fingerprint())
            throw new StoreException(
                    Reason.MISMATCH,
                    "table " + schema.name() + " has another schema in this pool: there " + known.schema() + ", here "
                            + schema);
        return known;
    }

    private TableInfo create(Schema schema, long rows) {
        int index = (int) word(CatalogLayout.TABLE_COUNT);
        if (index == CatalogLayout.TABLES)
            throw new StoreException(Reason.FULL, "the pool has all its " + index + " tables");
        int partitions = placement().partitions();
        long base = word(CatalogLayout.NEXT_OFFSET);
        TableInfo table = TableGeometry.lay(index + 1, schema, rows, partitions, base);
        long end = base + table.areaBytes() + 63 & -64;
        long partitionBytes = word(CatalogLayout.PARTITION_BYTES);
        if (end > partitionBytes)
            throw new StoreException(
                    Reason.FULL,
                    "table " + schema.name() + " for " + rows + " rows needs " + (end - base)
                            + " bytes in each partition, " + (partitionBytes - base)
                            + " are left; open the pool with a larger memory=");
        byte[] text = TableGeometry.text(table).getBytes(StandardCharsets.UTF_8);
        if (text.length > CatalogLayout.TABLE_BYTES - CatalogLayout.TABLE_TEXT - Words.BYTES)
            throw new StoreException(Reason.FULL, "the schema of table " + schema.name() + " is too long to be stored");
        MemorySegment landing = words.landing;
        landing.fill((byte) 0);
        Words.plain(landing, CatalogLayout.TABLE_STATE, CatalogLayout.TABLE_READY);
        Words.plain(landing, CatalogLayout.TABLE_TEXT_BYTES, text.length);
        MemorySegment.copy(text, 0, landing, ValueLayout.JAVA_BYTE, CatalogLayout.TABLE_TEXT, text.length);
        Words.plain(landing, CatalogLayout.TABLE_CHECKSUM, entryChecksum());
        words.round
                .write(words.region, CatalogLayout.table(index), CatalogLayout.TABLE_BYTES, landing, 0)
                .write(words.region, CatalogLayout.NEXT_OFFSET, end)
                .post()
                .await();
        if (flush.isDurable()) words.flush();
        // The count is raised last: a crash before that leaves bytes that nothing refers to. By a swap, because others
        // who find the table persist the count by an atomic.
        words.swap(CatalogLayout.TABLE_COUNT, index, index + 1);
        return table;
    }

    private TableInfo readTable(int index, int partitions) {
        MemorySegment landing = words.landing;
        words.round
                .read(words.region, CatalogLayout.table(index), CatalogLayout.TABLE_BYTES, landing, 0)
                .post()
                .await();
        int length = (int) Words.plain(landing, CatalogLayout.TABLE_TEXT_BYTES);
        boolean sound = length > 0
                && length <= CatalogLayout.TABLE_BYTES - CatalogLayout.TABLE_TEXT
                && Words.plain(landing, CatalogLayout.TABLE_CHECKSUM) == entryChecksum();
        if (!sound) throw new StoreException(Reason.CORRUPT, "entry " + index + " of the catalog is damaged");
        byte[] text = new byte[length];
        MemorySegment.copy(landing, ValueLayout.JAVA_BYTE, CatalogLayout.TABLE_TEXT, text, 0, length);
        return TableGeometry.parse(new String(text, StandardCharsets.UTF_8), partitions);
    }

    private long entryChecksum() {
        return Checksum64.of(
                words.landing,
                CatalogLayout.TABLE_TEXT,
                CatalogLayout.TABLE_BYTES - CatalogLayout.TABLE_TEXT,
                Words.plain(words.landing, CatalogLayout.TABLE_TEXT_BYTES));
    }

    // ---- localized validation

    /**
     * Agrees on how versions are cached: those who own what they write, and those who share one table of versions, cannot
     * use a pool together. Returns the capability of the shared table, on node 0; null if there is none.
     */
    public Id128 versionTable(boolean shared, long bytes) {
        long kind = shared ? 2 : 1;
        if (words.get(CatalogLayout.VCACHE_KIND) == 0) {
            locks.take(CatalogLayout.LOCK);
            try {
                if (words.get(CatalogLayout.VCACHE_KIND) == 0) {
                    words.put(
                            CatalogLayout.VCACHE_REGION,
                            shared ? CatalogFormat.create(fabric.control(NODE), bytes) : -1);
                    words.put(CatalogLayout.VCACHE_KIND, kind);
                }
            } finally {
                locks.release(CatalogLayout.LOCK);
            }
        }
        if (words.get(CatalogLayout.VCACHE_KIND) != kind)
            throw new StoreException(
                    Reason.MISMATCH,
                    "the versions of this pool are cached " + (shared ? "by their owners" : "in one place for all")
                            + ": open it with vcache=" + (shared ? "local or partition" : "global"));
        return shared ? fabric.control(NODE).regions()[(int) words.get(CatalogLayout.VCACHE_REGION)] : null;
    }

    // ---- coordinators

    /** Takes a place among the coordinators for this session; its number says where its logs lie. */
    public int claimCoordinator() {
        int count = coordinators();
        for (int i = 0; i < count; i++) {
            if (word(CatalogLayout.coordinator(i)) != 0) continue;
            if (words.swap(CatalogLayout.coordinator(i), 0, locks.me()) == 0) return i;
        }
        throw new StoreException(
                Reason.FULL,
                "all " + count + " coordinators are taken; close some, or make the pool with more by coordinators=");
    }

    /** The session that owns a coordinator; 0 if nobody does. */
    public int ownerOf(int coordinator) {
        return (int) word(CatalogLayout.coordinator(coordinator));
    }

    /** Gives the place back. Its logs and intents must be clean. */
    public void releaseCoordinator(int coordinator, int owner) {
        words.swap(CatalogLayout.coordinator(coordinator), owner, 0);
    }

    // ---- recovery's words

    /** Tries to become the one that recovers; true if it did. A dead recoverer is replaced. */
    public boolean tryRecoveryLock() {
        return locks.tryTake(CatalogLayout.RECOVERY_LOCK);
    }

    public void releaseRecoveryLock() {
        locks.release(CatalogLayout.RECOVERY_LOCK);
    }

    /** A session that is over holds the catalog no longer. */
    public void releaseLockOf(int dead) {
        words.swap(CatalogLayout.LOCK, dead, 0);
    }

    /** Remembers what became of a transaction whose coordinator could not say. */
    public void recordOutcome(long txn, boolean committed) {
        long at = CatalogLayout.outcome(words.add(CatalogLayout.NEXT_OUTCOME, 1));
        // The outcome first: a reader that finds the id finds what belongs to it.
        words.round
                .write(words.region, at + Words.BYTES, committed ? 1 : 2)
                .write(words.region, at, txn)
                .post()
                .await();
        if (flush.isDurable()) words.flush();
    }

    /** 1 committed, 2 not, 0 if it is not (or no longer) known. */
    public int outcome(long txn) {
        for (int i = 0; i < CatalogLayout.OUTCOMES; i++)
            if (word(CatalogLayout.outcome(i)) == txn) return (int) word(CatalogLayout.outcome(i) + Words.BYTES);
        return 0;
    }

    /** The next number of the clock that orders recorded events of all processes. */
    public long tick() {
        long tick = words.add(CatalogLayout.HISTORY_CLOCK, 1);
        if (flush.isDurable()) words.flush();
        return tick;
    }

    // ---- words

    private long word(long offset) {
        return words.get(offset);
    }
}
