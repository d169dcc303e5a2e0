package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
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
    private static final int NODE = 0;
    private static final long PAUSE_NANOS = 100_000;
    private static final int MOST_PAUSES = 100_000;

    private final Fabric fabric;
    private final Session session;
    private final Region region;
    private final Round round;
    private final MemorySegment landing;

    private Catalog(Fabric fabric, Session session, Lane lane, Region region) {
        this.fabric = fabric;
        this.session = session;
        this.region = region;
        this.round = lane.round(4);
        this.landing = lane.landing(CatalogLayout.TABLE_BYTES);
    }

    /** Opens the catalog of the pool; formats the pool if nobody has yet. Waits for somebody who is about it. */
    public static Catalog open(Fabric fabric, Session session, PoolOptions options) {
        NodeControl control = fabric.control(NODE);
        if (control.regions().length == 0) {
            Id128 mine = control.createRegion(CatalogLayout.BYTES);
            // Region 0 is the catalog. Whoever was a moment later gives its own back.
            if (!mine.equals(control.regions()[0])) control.freeRegion(mine);
        }
        Lane lane = session.lane();
        Catalog catalog = new Catalog(fabric, session, lane, lane.connect(NODE).open(control.regions()[0]));
        catalog.formatOnce(options);
        catalog.verify(options);
        return catalog;
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
            lock();
            try {
                known = table(schema.name());
                if (known == null) known = create(schema, rows);
            } finally {
                unlock();
            }
        }
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
        landing.fill((byte) 0);
        Words.plain(landing, CatalogLayout.TABLE_STATE, CatalogLayout.TABLE_READY);
        Words.plain(landing, CatalogLayout.TABLE_TEXT_BYTES, text.length);
        MemorySegment.copy(text, 0, landing, ValueLayout.JAVA_BYTE, CatalogLayout.TABLE_TEXT, text.length);
        Words.plain(landing, CatalogLayout.TABLE_CHECKSUM, entryChecksum());
        // The count is raised last, behind the entry: a crash before that leaves bytes that nothing refers to.
        round.write(region, CatalogLayout.table(index), CatalogLayout.TABLE_BYTES, landing, 0)
                .write(region, CatalogLayout.NEXT_OFFSET, end)
                .write(region, CatalogLayout.TABLE_COUNT, index + 1)
                .post()
                .await();
        return table;
    }

    private TableInfo readTable(int index, int partitions) {
        round.read(region, CatalogLayout.table(index), CatalogLayout.TABLE_BYTES, landing, 0)
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
                landing,
                CatalogLayout.TABLE_TEXT,
                CatalogLayout.TABLE_BYTES - CatalogLayout.TABLE_TEXT,
                Words.plain(landing, CatalogLayout.TABLE_TEXT_BYTES));
    }

    // ---- coordinators

    /** Takes a place among the coordinators for this session; its number says where its logs lie. */
    public int claimCoordinator() {
        int count = coordinators();
        for (int i = 0; i < count; i++) {
            if (word(CatalogLayout.coordinator(i)) != 0) continue;
            if (swap(CatalogLayout.coordinator(i), 0, session.number()) == 0) return i;
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
        swap(CatalogLayout.coordinator(coordinator), owner, 0);
    }

    // ---- recovery's words

    /** Tries to become the one that recovers; true if it did. A dead recoverer is replaced. */
    public boolean tryRecoveryLock() {
        return tryTake(CatalogLayout.RECOVERY_LOCK);
    }

    public void releaseRecoveryLock() {
        swap(CatalogLayout.RECOVERY_LOCK, session.number(), 0);
    }

    /** A session that is over holds the catalog no longer. */
    public void releaseLockOf(int dead) {
        swap(CatalogLayout.LOCK, dead, 0);
    }

    /** Remembers what became of a transaction whose coordinator could not say. */
    public void recordOutcome(long txn, boolean committed) {
        round.fetchAndAdd(region, CatalogLayout.NEXT_OUTCOME, 1, landing, 0)
                .post()
                .await();
        long at = CatalogLayout.outcome(Words.plain(landing, 0));
        // The outcome first: a reader that finds the id finds what belongs to it.
        round.write(region, at + Words.BYTES, committed ? 1 : 2)
                .write(region, at, txn)
                .post()
                .await();
    }

    /** 1 committed, 2 not, 0 if it is not (or no longer) known. */
    public int outcome(long txn) {
        for (int i = 0; i < CatalogLayout.OUTCOMES; i++)
            if (word(CatalogLayout.outcome(i)) == txn) return (int) word(CatalogLayout.outcome(i) + Words.BYTES);
        return 0;
    }

    /** The next number of the clock that orders recorded events of all processes. */
    public long tick() {
        round.fetchAndAdd(region, CatalogLayout.HISTORY_CLOCK, 1, landing, 0)
                .post()
                .await();
        return Words.plain(landing, 0);
    }

    // ---- formatting

    private void formatOnce(PoolOptions options) {
        for (int i = 0; i < MOST_PAUSES; i++) {
            long state = word(CatalogLayout.STATE);
            if (state == CatalogLayout.READY) return;
            boolean mine = state == 0
                    ? swap(CatalogLayout.STATE, 0, session.number()) == 0
                    : isGone((int) state) && takeOver(CatalogLayout.STATE, state);
            if (mine) {
                format(options);
                return;
            }
            Waiting.pause(PAUSE_NANOS);
        }
        throw new StoreException(Reason.BUSY, "somebody has been formatting this pool for too long");
    }

    private void format(PoolOptions options) {
        int partitions = options.partitions() == 0 ? fabric.nodes() : options.partitions();
        Placement placement = new Placement(fabric.nodes(), partitions, options.replicas());
        if (fabric.nodes() > 64 || fabric.nodes() * partitions > 4096)
            throw new StoreException(Reason.FULL, "at most 64 memory nodes, and 4096 partitions times nodes");
        for (int node = 0; node < fabric.nodes(); node++) {
            NodeControl control = fabric.control(node);
            // A formatter that died left regions that nothing refers to.
            Id128[] left = control.regions();
            for (int i = node == NODE ? 1 : 0; i < left.length; i++) if (left[i] != null) control.freeRegion(left[i]);
            long logBytes = options.coordinators() * LogLayout.areaBytes(options.logSlotBytes());
            put(CatalogLayout.logRegion(node), create(control, logBytes));
            for (int p = 0; p < partitions; p++)
                if (placement.holds(node, p))
                    put(CatalogLayout.partitionRegion(node, p, partitions), create(control, options.partitionBytes()));
        }
        put(CatalogLayout.PROTOCOL, protocolWord(options.protocol()));
        put(CatalogLayout.PARTITIONS, partitions);
        put(CatalogLayout.REPLICAS, options.replicas());
        put(CatalogLayout.PARTITION_BYTES, options.partitionBytes());
        put(CatalogLayout.COORDINATOR_COUNT, options.coordinators());
        put(CatalogLayout.LOG_SLOT_BYTES, options.logSlotBytes());
        put(CatalogLayout.NEXT_OFFSET, 64); // no object lies at offset 0: a pointer of 0 is nowhere
        put(CatalogLayout.VERSION_AT, CatalogLayout.VERSION);
        put(CatalogLayout.CHECKSUM, geometryChecksum());
        put(CatalogLayout.MAGIC_AT, CatalogLayout.MAGIC);
        put(CatalogLayout.STATE, CatalogLayout.READY);
    }

    private static long create(NodeControl control, long bytes) {
        Id128 capability = control.createRegion(bytes);
        Id128[] all = control.regions();
        for (int i = all.length - 1; i >= 0; i--) if (capability.equals(all[i])) return i;
        throw new StoreException(Reason.CORRUPT, "a region that was just made is not there");
    }

    private void verify(PoolOptions options) {
        if (word(CatalogLayout.MAGIC_AT) != CatalogLayout.MAGIC)
            throw new StoreException(Reason.CORRUPT, "region 0 of node 0 is not a catalog");
        if (word(CatalogLayout.VERSION_AT) != CatalogLayout.VERSION)
            throw new StoreException(
                    Reason.MISMATCH,
                    "the catalog has format version " + word(CatalogLayout.VERSION_AT) + ", this program reads "
                            + CatalogLayout.VERSION);
        if (word(CatalogLayout.CHECKSUM) != geometryChecksum())
            throw new StoreException(Reason.CORRUPT, "the geometry in the catalog is damaged");
        if (word(CatalogLayout.PROTOCOL) != protocolWord(options.protocol()))
            throw new StoreException(
                    Reason.MISMATCH,
                    "this pool holds records of protocol " + protocolText(word(CatalogLayout.PROTOCOL)) + ", not of "
                            + options.protocol());
    }

    private long geometryChecksum() {
        long h = Checksum64.start(CatalogLayout.MAGIC);
        h = Checksum64.mix(h, word(CatalogLayout.PROTOCOL));
        h = Checksum64.mix(h, word(CatalogLayout.PARTITIONS));
        h = Checksum64.mix(h, word(CatalogLayout.REPLICAS));
        h = Checksum64.mix(h, word(CatalogLayout.PARTITION_BYTES));
        h = Checksum64.mix(h, word(CatalogLayout.COORDINATOR_COUNT));
        h = Checksum64.mix(h, word(CatalogLayout.LOG_SLOT_BYTES));
        return Checksum64.finish(h);
    }

    /** Up to eight ASCII letters of a name in one word. */
    private static long protocolWord(String name) {
        long word = 0;
        for (int i = 0; i < Math.min(8, name.length()); i++) word |= (long) (name.charAt(i) & 0x7f) << 8 * i;
        return word;
    }

    private static String protocolText(long word) {
        StringBuilder text = new StringBuilder();
        for (; word != 0; word >>>= 8) text.append((char) (word & 0x7f));
        return text.toString();
    }

    // ---- words

    private void lock() {
        for (int i = 0; i < MOST_PAUSES; i++) {
            if (tryTake(CatalogLayout.LOCK)) return;
            Waiting.pause(PAUSE_NANOS);
        }
        throw new StoreException(Reason.BUSY, "session " + word(CatalogLayout.LOCK) + " holds the catalog's lock");
    }

    private void unlock() {
        swap(CatalogLayout.LOCK, session.number(), 0);
    }

    private boolean tryTake(long lockAt) {
        long holder = swap(lockAt, 0, session.number());
        if (holder == 0) return true;
        return holder != session.number() && isGone((int) holder) && takeOver(lockAt, holder);
    }

    /** Dead, or cut off by its own process, which goes on under another number. */
    private boolean isGone(int holder) {
        return fabric.isDead(holder) || fabric.control(NODE).isRevoked(holder);
    }

    /** Nothing that the holder has sent may land behind what its successor does: it is revoked everywhere first. */
    private boolean takeOver(long lockAt, long holder) {
        for (int node = 0; node < fabric.nodes(); node++) fabric.control(node).revoke((int) holder);
        return swap(lockAt, holder, session.number()) == holder;
    }

    private long word(long offset) {
        round.read(region, offset, Words.BYTES, landing, 0).post().await();
        return Words.plain(landing, 0);
    }

    private void put(long offset, long word) {
        round.write(region, offset, word).post().await();
    }

    private long swap(long offset, long expected, long desired) {
        round.compareAndSwap(region, offset, expected, desired, landing, 0)
                .post()
                .await();
        return Words.plain(landing, 0);
    }
}
