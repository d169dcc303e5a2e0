package tidepool.store;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * The layout of the catalog in region 0 of every memory node. It holds what a process must know to use the pool:
 * geometry, coordinators, tables with their schemas, and the regions of this node.
 *
 * <pre>
 *    header | coordinators: 1024 words, the session that owns each | outcomes: 1024 × { txn, outcome } |
 *    regions of this node: 4097 words | lives of nodes | record of a change of tables | tables: 64 × 4096 bytes
 * </pre>
 *
 * Locks, coordinators and counters are valid on the first node alone. Geometry, tables and outcomes are equal on all
 * nodes. The regions and the losses of power are each node's own.
 */
public final class CatalogLayout {
    /** "TIDECATL" in ASCII, little-endian. */
    public static final long MAGIC = 0x4C54414345444954L;

    /** Version 6: overflow buckets are given back, see {@link OverflowCount}. */
    static final long VERSION = 6;

    /**
     * The version of a pool that has a table with another key than one {@code long}, or with other attributes than
     * primitives, strings and bytes. Older programs cannot read such a table, and refuse the pool. Several bits differ
     * from {@link #VERSION}, so that a flipped bit makes neither of the other.
     */
    static final long VERSION_OF_TYPES = 9;

    /**
     * The version of a pool in which tables were changed after they were made: they have several areas, or were
     * dropped, emptied or renamed. Programs of earlier versions would take the memory of such an area for free, and
     * know no states of entries. Also that of a pool that has a table with long attributes, whose values say where
     * their parts are; and that of a pool that has used its log heap, in which earlier programs look for no logs.
     */
    public static final long VERSION_OF_CHANGES = 10;

    /**
     * The version of a pool whose partitions have grown, see {@link PoolGrowth}; of one in which rows of a table have
     * moved to another layout, or a schema has defaults. Programs of earlier versions would take an interrupted growth
     * for a change of tables, and would not look for rows in the table of before.
     */
    public static final long VERSION_12 = 12;

    /**
     * The version of a pool that has a table with indexes. Programs of earlier versions would change rows and leave the
     * indexes as they are. Several bits differ from the other versions.
     */
    public static final long VERSION_OF_INDEXES = 15;

    /**
     * The version of a pool in which contents with room in their rows became contents that may lie in parts. Programs
     * of earlier versions could not read the rows that have not moved yet. Several bits differ from the other versions.
     */
    public static final long VERSION_OF_LONGER = 17;

    /**
     * The previous version of all pools except Motor's. Zeros in its overflow counts say that no bucket is free, so
     * such a pool is used as it is.
     */
    private static final long BEFORE = 3;

    /**
     * The previous version of Motor's pools. Version 4: slots of Motor have a bound after their tuple. Version 5:
     * blocks of Motor begin at half a cache line. Pools of earlier versions have neither.
     */
    private static final long BEFORE_OF_MOTOR = 5;

    public static final int COORDINATORS = 1024;
    public static final int OUTCOMES = 1024;
    public static final int TABLES = 64;
    public static final int TABLE_BYTES = 4096;

    /** Words of the region table: the log, then one for each partition; 0 where this node holds no copy. */
    public static final int REGIONS = 1 + 4096;

    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    U64.withName("magic"),
                    U64.withName("version"),
                    U64.withName("state"), // 0, session that is formatting, or READY
                    U64.withName("lock"), // 0 = free, otherwise the session that changes the catalog
                    U64.withName(
                            "recoveryLock"), // 0 = free, otherwise the session that recovers another, and the count of
                    // power losses
                    U64.withName("protocol"), // the protocol whose record format this pool has
                    U64.withName("partitions"),
                    U64.withName("replicas"),
                    U64.withName("partitionBytes"),
                    U64.withName("coordinators"), // maximum number at a time
                    U64.withName("logSlotBytes"),
                    U64.withName("flush"), // which replicas outlast a loss of power
                    U64.withName("powerLosses"), // losses of this node that are repaired
                    U64.withName("nextOffset"), // where the next table begins in every partition
                    U64.withName("tables"), // number of tables
                    U64.withName("historyClock"), // fetch-and-add counter that orders recorded events
                    U64.withName("nextOutcome"), // fetch-and-add counter over the ring of outcomes
                    U64.withName("epoch"), // of the roster, and whether it is changing
                    U64.withName("checksum")) // over the geometry
            .withName("catalog-header");

    /** The state of a pool that may be used. */
    public static final long READY = -1;

    public static final long MAGIC_AT = at("magic");
    public static final long VERSION_AT = at("version");
    public static final long STATE = at("state");
    public static final long LOCK = at("lock");
    public static final long RECOVERY_LOCK = at("recoveryLock");
    public static final long PROTOCOL = at("protocol");
    public static final long PARTITIONS = at("partitions");
    public static final long REPLICAS = at("replicas");
    public static final long PARTITION_BYTES = at("partitionBytes");
    public static final long COORDINATOR_COUNT = at("coordinators");
    public static final long LOG_SLOT_BYTES = at("logSlotBytes");
    public static final long FLUSH = at("flush");
    public static final long POWER_LOSSES = at("powerLosses");
    public static final long NEXT_OFFSET = at("nextOffset");
    public static final long TABLE_COUNT = at("tables");
    public static final long HISTORY_CLOCK = at("historyClock");
    public static final long NEXT_OUTCOME = at("nextOutcome");
    public static final long EPOCH = at("epoch");
    public static final long CHECKSUM = at("checksum");

    /** Set in the epoch while the roster changes: no session may use the pool. */
    public static final long CHANGING = 1L << 62;

    private static final long COORDINATOR_TABLE = HEADER.byteSize();
    private static final long OUTCOME_TABLE = COORDINATOR_TABLE + COORDINATORS * (long) Words.BYTES;
    private static final long REGION_TABLE = OUTCOME_TABLE + OUTCOMES * 2L * Words.BYTES;
    private static final long TABLE_TABLE = 64 * 1024;

    public static final long BYTES = TABLE_TABLE + TABLES * (long) TABLE_BYTES;

    /**
     * How versions are cached, for FORD-LV: 0 = not decided, otherwise the kind. The next word is the number of the
     * shared region, or -1.
     */
    public static final long VCACHE_KIND = REGION_TABLE + REGIONS * (long) Words.BYTES;

    public static final long VCACHE_REGION = VCACHE_KIND + Words.BYTES;

    /**
     * The newest timestamp that a transaction has taken, for protocols with versions. It lies on the first node and is
     * changed by FAA alone.
     */
    public static final long TIMESTAMP = VCACHE_REGION + Words.BYTES;

    /** The bits of a timestamp above these are at least the epoch in which it was taken. */
    static final int EPOCH_SHIFT = 48;

    /**
     * Returns a timestamp that is later than all that were taken up to an epoch.
     *
     * @param known the word of any node that was told in that epoch
     */
    public static long timestampAfter(long epoch, long known) {
        return Math.max(epoch, known >>> EPOCH_SHIFT) + 1 << EPOCH_SHIFT;
    }

    /**
     * The lives of nodes that were seen. For each node of the pool three words: the node, number and nonce of its life.
     */
    private static final long LIVES = TIMESTAMP + Words.BYTES;

    /** The number of nodes of which a life is recorded. */
    static final int LIVES_COUNT = 64;

    static final int LIFE_WORDS = 3;

    /** The number of blocks of each node's log heap; 0 in a pool that was made without one. */
    public static final long LOG_HEAP_BLOCKS = LIVES + LIVES_COUNT * (long) LIFE_WORDS * Words.BYTES;

    /** The bytes of a hidden table's new entry in the record of a change; the rest of the entry is zeros. */
    static final int HIDDEN_BYTES = 1152;

    /** The number of hidden tables whose entries the change word names. */
    static final int HIDDEN = 2;

    /** The bytes of a hidden table's new entry in a record with the maximum number of them. */
    static final int THREE_BYTES = 760;

    /** The maximum number of hidden tables of a table: those of parts, and that of nodes of indexes. */
    static final int MAX_HIDDEN = 3;

    /** The new entry of the table that is being changed: see {@link CatalogChanges}. */
    static final long CHANGED_ENTRY = TABLE_TABLE - TABLE_BYTES;

    /** The new entries of its hidden tables. */
    static final long HIDDEN_ENTRY = CHANGED_ENTRY - HIDDEN * HIDDEN_BYTES;

    /** The numbers of the entries of three hidden tables, a word each, after their new entries. */
    static final long HIDDEN_NUMBERS = HIDDEN_ENTRY + MAX_HIDDEN * THREE_BYTES;

    /** The phase of a change of tables or of growth, and the number of changes: see {@link CatalogChanges}. */
    static final long CHANGE = HIDDEN_ENTRY - 64;

    static final long CHANGE_BYTES = TABLE_TABLE - CHANGE;

    /** A table entry: its {@link EntryWord}, length of text, checksum, text; at its end the words of its areas. */
    public static final long TABLE_STATE = 0;

    public static final long TABLE_TEXT_BYTES = 8;
    public static final long TABLE_CHECKSUM = 16;
    public static final long TABLE_TEXT = 24;

    /** Where the words of a table's areas lie in its entry, unless its text reaches so far; see {@link AreaWords}. */
    static final long TABLE_AREAS = TABLE_BYTES - AreaWords.BYTES;

    static {
        Checks.size(HEADER, 152);
        Checks.invariant(HIDDEN_NUMBERS + MAX_HIDDEN * Words.BYTES <= CHANGED_ENTRY, "three hidden entries fit");
        Checks.invariant(LOG_HEAP_BLOCKS + Words.BYTES <= CHANGE, "the tables fit");
    }

    private CatalogLayout() {}

    /** Returns whether this program reads a pool of that format version; the name of its protocol may be cut off. */
    static boolean isRead(long version, String protocol) {
        return version == VERSION
                || version == VERSION_OF_TYPES
                || version == VERSION_OF_CHANGES
                || version == VERSION_12
                || version == VERSION_OF_INDEXES
                || version == VERSION_OF_LONGER
                || version == (protocol.startsWith("motor") ? BEFORE_OF_MOTOR : BEFORE);
    }

    public static long coordinator(int index) {
        return COORDINATOR_TABLE + index * (long) Words.BYTES;
    }

    public static long outcome(long ticket) {
        return OUTCOME_TABLE + Math.floorMod(ticket, (long) OUTCOMES) * 2 * Words.BYTES;
    }

    /** Holds the number of this node's log region. */
    public static final long LOG_REGION = REGION_TABLE;

    /** In the word of a partition: this node's copy may be unflushed. */
    public static final long UNFLUSHED = 1L << 32;

    /**
     * Returns the offset of a partition's word: the number of the region in which this node keeps the partition,
     * perhaps with {@link #UNFLUSHED}; 0 if it has no copy.
     */
    public static long partitionRegion(int partition) {
        return REGION_TABLE + (1 + partition) * (long) Words.BYTES;
    }

    /** Returns the offset at which the last seen life of a node is recorded. */
    static long life(int node) {
        return LIVES + node * (long) LIFE_WORDS * Words.BYTES;
    }

    public static long table(int index) {
        return TABLE_TABLE + index * (long) TABLE_BYTES;
    }

    /** Returns where the words of the areas of a table lie. */
    public static long areas(TableLayout table) {
        return table(table.id() - 1) + TABLE_AREAS;
    }

    private static long at(String field) {
        return HEADER.byteOffset(PathElement.groupElement(field));
    }
}
