package tidepool.store;

import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.store.schema.Keys;
import tidepool.store.schema.Schema;

/**
 * Where a table lies: in every partition the same area, at the same offset, with the same number of buckets.
 *
 * <pre>
 *    base          base + 64                                        overflowBase
 *    +-------------+-----------+-----------+--   --+---------------+-------------+--   --+
 *    |  overflow   | bucket 0  | bucket 1  |       | bucket n-1    | overflow 0  |       |
 *    |  count      |           |           |       |               |             |       |
 *    +-------------+-----------+-----------+--   --+---------------+-------------+--   --+
 *
 *    behind all buckets: for each slot a block of its own, if the format of the rows asks for one
 *    behind the overflow count, in the word that is left of its 64 bytes: the owner of the partition, on the primary
 *    bucket:   head (an object whose content points to the next bucket of its chain), then slots (objects with values)
 *    slot:     an object with a value; behind it, in some protocols, a few words more: {@link SlotTail}
 * </pre>
 *
 * <p>A key's bucket follows from its hash. In a large table of small rows it follows from its <b>run</b>, see {@link #inRuns}:
 * neighbours, which are often wanted together or are new together, then lie in few pages of memory, of which a processor
 * remembers only some thousand.
 *
 * <pre>
 *    key:      | ... | number of the run | which of the run's keys of a bucket | which of the run's buckets, 6 bits |
 * </pre>
 *
 * Keys that follow each other lie in buckets that do: their inserts do not meet in one head. Runs that follow each other, 4096
 * of them, are laid by the golden section, so that they share the buckets evenly; where the first of them lies is hashed.
 *
 * After FStore (§5.1 of the paper), with two additions: the head is an object of its own, in which all inserts and
 * deletes of its keys meet; and the count of overflow buckets is an object too, so that taking one is part of
 * the transaction that needs it and is undone with it. One that becomes empty is given back: {@link OverflowCount}.
 */
public final class TableInfo {
    /** A head, or the overflow count: an object with one word of content. */
    public static final long HEAD_CONTENT = Words.BYTES;

    public static final long HEAD_BYTES = ObjectLayout.bytes(HEAD_CONTENT);

    /** Rows lie in all partitions. */
    private static final int SPREAD = -1;

    /** A key's bucket says nothing about its neighbours'. */
    static final int SCATTERED = 0;

    /** Buckets of a run, as bits. */
    static final int RUN_BUCKET_BITS = 6;

    /** The most bits of a run: as many keys of it belong to each of its buckets, in all partitions together. */
    static final int MOST_RUN_BITS = 12;

    /** Runs that are laid out beside each other, as bits. */
    private static final int EVEN_BITS = 12;

    private static final long GOLDEN_SECTION = 0x9e3779b97f4a7c15L; // of 2^64

    private final int id;
    private final Schema schema;
    private final int partitions;
    private final int buckets;
    private final int slots;
    private final int overflow;
    private final long base;
    private final int home;
    private final int runBits;
    private final RowFormat format;
    private final long tailBytes;
    private final long slotBytes;
    private final long bucketBytes;
    private final long sideBase;
    private final Quotient perBucket;
    private final Quotient perSlot;

    /** A table of plain rows. */
    public TableInfo(int id, Schema schema, int partitions, int buckets, int slots, int overflow, long base) {
        this(id, schema, partitions, buckets, slots, overflow, base, RowFormat.plain(schema), 0);
    }

    /** @param tailBytes what each slot has behind its object: see {@link SlotTail} */
    public TableInfo(
            int id,
            Schema schema,
            int partitions,
            int buckets,
            int slots,
            int overflow,
            long base,
            RowFormat format,
            long tailBytes) {
        this(id, schema, partitions, buckets, slots, overflow, base, format, tailBytes, SPREAD, SCATTERED);
    }

    private TableInfo(
            int id,
            Schema schema,
            int partitions,
            int buckets,
            int slots,
            int overflow,
            long base,
            RowFormat format,
            long tailBytes,
            int home,
            int runBits) {
        Checks.invariant(HEAD_BYTES == 56, "a head is seven words", HEAD_BYTES);
        Checks.argument(buckets >= 1 && slots >= 1 && overflow >= 0, "a table has buckets and slots");
        this.id = id;
        this.schema = schema;
        this.partitions = partitions;
        this.buckets = buckets;
        this.slots = slots;
        this.overflow = overflow;
        this.base = base;
        this.home = home;
        this.runBits = runBits;
        this.format = format;
        this.tailBytes = tailBytes;
        this.slotBytes = ObjectLayout.bytes(format.contentBytes()) + tailBytes;
        this.bucketBytes = 64 + slots * slotBytes;
        this.sideBase = base + 64 + (long) (buckets + overflow) * bucketBytes;
        this.perBucket = new Quotient(bucketBytes);
        this.perSlot = new Quotient(slotBytes);
    }

    /**
     * The same table with all its rows in one partition, for those who place tables by hand and not keys by their hash. No
     * catalog knows of it: everybody who uses the table has to be told.
     */
    public TableInfo within(int partition) {
        Checks.argument(partition >= 0 && partition < partitions, "a partition of the pool, not " + partition);
        return new TableInfo(
                id, schema, partitions, buckets, slots, overflow, base, format, tailBytes, partition, runBits);
    }

    /**
     * The same table with neighbouring keys near each other; before anything is put into it. The catalog says so.
     *
     * @param bits of the number of keys that make a run; or {@link #SCATTERED}
     */
    TableInfo inRuns(int bits) {
        Checks.argument(
                bits == SCATTERED
                        || bits >= RUN_BUCKET_BITS && bits <= MOST_RUN_BITS && buckets >= 1 << RUN_BUCKET_BITS,
                "a table has room for its runs");
        return new TableInfo(id, schema, partitions, buckets, slots, overflow, base, format, tailBytes, home, bits);
    }

    /** Bits of the number of keys that make a run; or {@link #SCATTERED}. */
    int runBits() {
        return runBits;
    }

    public int id() {
        return id;
    }

    public String name() {
        return schema.name();
    }

    public Schema schema() {
        return schema;
    }

    /** Buckets of one partition, overflow not counted. */
    public int buckets() {
        return buckets;
    }

    public int slots() {
        return slots;
    }

    /** Overflow buckets that one partition can hand out. */
    public int overflow() {
        return overflow;
    }

    /** For how many rows there is room, if they spread evenly. */
    public long rows() {
        return (long) (buckets + overflow) * slots * (home == SPREAD ? partitions : 1);
    }

    public long base() {
        return base;
    }

    /** Bytes of the table's area in each partition. */
    public long areaBytes() {
        return sideBase - base + (long) (buckets + overflow) * slots * format.sideStride();
    }

    /** How its rows are laid out. */
    public RowFormat format() {
        return format;
    }

    /** Content of the object in a slot: the value itself, if rows are plain. */
    public long contentBytes() {
        return format.contentBytes();
    }

    /** Whether a block of memory belongs to each slot. */
    public boolean hasSides() {
        return format.sideBytes() > 0;
    }

    /** The block that belongs to a slot, in the same partition. */
    public long side(long slotPointer) {
        long at = Pointer.offset(slotPointer) - base - 64;
        long bucket = perBucket.of(at);
        long slot = perSlot.of(at - bucket * bucketBytes - 64);
        return Pointer.of(Pointer.partition(slotPointer), sideBase + (bucket * slots + slot) * format.sideStride());
    }

    public long valueBytes() {
        return schema.length();
    }

    public long bucketBytes() {
        return bucketBytes;
    }

    /** Bytes of a slot: an object with a value, and what lies behind it. */
    public long slotBytes() {
        return slotBytes;
    }

    /** Bytes of an object with a value. */
    public long recordBytes() {
        return slotBytes - tailBytes;
    }

    public int partition(long key) {
        return partitionOf(Keys.hash(key));
    }

    private int partitionOf(long hash) {
        return home != SPREAD ? home : (int) (hash >>> 40) % partitions;
    }

    /** The first bucket of the chain that a key belongs to: its head. */
    public long home(long key) {
        long hash = Keys.hash(key);
        long bucket = runBits == SCATTERED ? (hash & 0xff_ffff_ffffL) % buckets : bucketInRun(key);
        return Pointer.of(partitionOf(hash), bucketOffset(bucket));
    }

    private long bucketInRun(long key) {
        long run = key >>> runBits;
        long start = Keys.hash(run >>> EVEN_BITS) + (run & (1 << EVEN_BITS) - 1) * GOLDEN_SECTION;
        long bucket = Math.unsignedMultiplyHigh(start, buckets) + (key & (1 << RUN_BUCKET_BITS) - 1);
        return bucket < buckets ? bucket : bucket - buckets;
    }

    /** The i-th slot of the first bucket of a key's chain. */
    public long homeSlot(long key, int i) {
        return home(key) + (slotOffset(i) >>> 3);
    }

    /** Which slot of the first bucket of a key's chain a pointer leads to; -1 if it leads elsewhere. */
    public int slotAtHome(long key, long pointer) {
        long at = pointer - home(key) << 3;
        if (at < slotOffset(0) || at >= bucketBytes) return -1;
        long slot = (at - slotOffset(0)) / slotBytes;
        return at == slotOffset((int) slot) ? (int) slot : -1;
    }

    /** The object that counts the overflow buckets in use of a partition. */
    public long overflowCount(int partition) {
        return Pointer.of(partition, base);
    }

    /** The word that names the session which alone may write in a partition, where a protocol wants that; see FORD-LV. */
    public long owner(int partition) {
        return Pointer.of(partition, base + HEAD_BYTES);
    }

    /** The word behind the head of a bucket: when it was last written, where a protocol wants to know; see Motor. */
    public static long stamp(long bucket) {
        return bucket + (HEAD_BYTES >>> 3);
    }

    /** The i-th overflow bucket of a partition. */
    public long overflowBucket(int partition, long i) {
        Checks.invariant(i >= 0 && i < overflow, "an overflow bucket that exists", i);
        return Pointer.of(partition, bucketOffset(buckets + i));
    }

    /** Which overflow bucket of its partition a bucket is. */
    public long overflowNumber(long bucket) {
        long number = bucketNumber(bucket) - buckets;
        Checks.invariant(isBucket(bucket) && number >= 0, "an overflow bucket", bucket);
        return number;
    }

    /** Whether a row lies in an overflow bucket. */
    public boolean isOverflow(long slotPointer) {
        return bucketNumber(slotPointer) >= buckets;
    }

    /** The bucket in which a row lies. */
    public long bucketOf(long slotPointer) {
        return Pointer.of(Pointer.partition(slotPointer), bucketOffset(bucketNumber(slotPointer)));
    }

    private long bucketNumber(long pointer) {
        return perBucket.of(Pointer.offset(pointer) - base - 64);
    }

    /** Any bucket of a partition by its number, overflow buckets behind the others. */
    public long bucket(int partition, long i) {
        Checks.invariant(i >= 0 && i < buckets + (long) overflow, "a bucket that exists", i);
        return Pointer.of(partition, bucketOffset(i));
    }

    /** Whether an offset is the beginning of a bucket: a pointer read from memory is not trusted. */
    public boolean isBucket(long pointer) {
        long at = Pointer.offset(pointer) - base - 64;
        return at >= 0 && at % bucketBytes == 0 && at / bucketBytes < buckets + overflow;
    }

    /** Whether an offset lies in the table's area of its partition. */
    public boolean contains(long pointer) {
        long at = Pointer.offset(pointer) - base;
        return at >= 0 && at < areaBytes();
    }

    /** The part that the object at a place of this table plays. */
    public Role role(long pointer) {
        if (Pointer.offset(pointer) == base) return Role.COUNT;
        return isBucket(pointer) ? Role.HEAD : Role.ROW;
    }

    /** Bytes from the beginning of a bucket to its i-th slot. */
    public long slotOffset(int slot) {
        return 64 + slot * slotBytes;
    }

    private long bucketOffset(long bucket) {
        return base + 64 + bucket * bucketBytes;
    }
}
