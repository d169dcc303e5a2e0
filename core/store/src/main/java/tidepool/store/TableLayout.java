package tidepool.store;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.schema.EightByteKeys;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.txn.TableHandle;

/**
 * The place of a table. It has an equal area in every partition, with equal offset and number of buckets.
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
 *    slot:     an object with a value; behind it, in some protocols, a few words more: {@link SlotTrailer}
 * </pre>
 *
 * <p>A key's bucket follows from its hash. In a large table of small rows it follows from the <b>run</b> of the key,
 * see {@link #inRuns}. Neighbouring keys are often accessed or inserted together. In runs they lie in few pages of
 * memory, and a processor's TLB covers only some thousand pages.
 *
 * <pre>
 *    key:      | ... | number of the run | which of the run's keys of a bucket | which of the run's buckets, 6 bits |
 * </pre>
 *
 * Consecutive keys lie in consecutive buckets, so their inserts do not meet in one head. Each 4096 consecutive runs are
 * placed by the golden section, so that they share the buckets evenly. The place of the first of them is hashed.
 *
 * <p>After FStore (§5.1 of the paper), with two additions. The head is an object of its own, in which all inserts and
 * deletes of its keys meet. The count of overflow buckets is an object too, so that taking a bucket is part of the
 * transaction that needs it and is undone with it. A bucket that becomes empty is given back: {@link OverflowCount}.
 */
public final class TableLayout implements TableHandle {
    /** A head, or the overflow count: an object with one word of content. */
    public static final long HEAD_CONTENT = Words.BYTES;

    public static final long HEAD_BYTES = ObjectLayout.bytes(HEAD_CONTENT);

    /** Rows lie in all partitions. */
    private static final int SPREAD = -1;

    /** The buckets of neighbouring keys are unrelated. */
    static final int SCATTERED = 0;

    /** The buckets of a run, as bits. */
    static final int RUN_BUCKET_BITS = 6;

    /**
     * The maximum bits of a run. A run then has as many keys in each of its buckets, over all partitions, as it has
     * buckets.
     */
    static final int MAX_RUN_BITS = 12;

    /** The number of runs that are placed evenly among each other, as bits. */
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
    private final long keyBytes;
    private final long tailBytes;
    private final long slotBytes;
    private final long bucketBytes;
    private final long sideBase;
    private final FixedDivisor perBucket;
    private final FixedDivisor perSlot;

    /** A table of plain rows. */
    public TableLayout(int id, Schema schema, int partitions, int buckets, int slots, int overflow, long base) {
        this(id, schema, partitions, buckets, slots, overflow, base, RowFormat.plain(schema), 0);
    }

    /** @param tailBytes the bytes that each slot has behind its object: see {@link SlotTrailer} */
    public TableLayout(
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

    private TableLayout(
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
        this.keyBytes = schema.key().areaBytes();
        this.tailBytes = tailBytes;
        this.slotBytes = ObjectLayout.bytes(format.contentBytes()) + tailBytes;
        this.bucketBytes = 64 + slots * slotBytes;
        this.sideBase = base + 64 + (long) (buckets + overflow) * bucketBytes;
        this.perBucket = new FixedDivisor(bucketBytes);
        this.perSlot = new FixedDivisor(slotBytes);
    }

    /**
     * Returns this table with all its rows in one partition, for callers that place tables explicitly and not keys by
     * their hash. The catalog does not record it: every session that uses the table must do this.
     */
    public TableLayout within(int partition) {
        Checks.argument(partition >= 0 && partition < partitions, "a partition of the pool, not " + partition);
        return new TableLayout(
                id, schema, partitions, buckets, slots, overflow, base, format, tailBytes, partition, runBits);
    }

    /**
     * Returns this table with neighbouring keys near each other; only for a table that is still empty. The catalog
     * records it.
     *
     * @param bits of the number of keys that make a run; or {@link #SCATTERED}
     */
    TableLayout inRuns(int bits) {
        Checks.argument(
                bits == SCATTERED || bits >= RUN_BUCKET_BITS && bits <= MAX_RUN_BITS && buckets >= 1 << RUN_BUCKET_BITS,
                "a table has room for its runs");
        return new TableLayout(id, schema, partitions, buckets, slots, overflow, base, format, tailBytes, home, bits);
    }

    /** Returns the bits of the number of keys that make a run; or {@link #SCATTERED}. */
    int runBits() {
        return runBits;
    }

    public int id() {
        return id;
    }

    @Override
    public String name() {
        return schema.name();
    }

    @Override
    public Schema schema() {
        return schema;
    }

    /** Returns the partitions of the pool. */
    public int partitions() {
        return partitions;
    }

    /** Returns the buckets of one partition, without overflow buckets. */
    public int buckets() {
        return buckets;
    }

    public int slots() {
        return slots;
    }

    /** Returns the overflow buckets that one partition can hand out. */
    public int overflow() {
        return overflow;
    }

    /** Returns for how many rows there is room, if they spread evenly. */
    @Override
    public long rows() {
        return (long) (buckets + overflow) * slots * (home == SPREAD ? partitions : 1);
    }

    /** Returns the schema and the room for rows, such as {@code accounts(balance:long) rows=1000}. */
    @Override
    public String toString() {
        return schema + " rows=" + rows();
    }

    public long base() {
        return base;
    }

    /** Returns the bytes of the table's area in each partition. */
    public long areaBytes() {
        return sideBase - base + (long) (buckets + overflow) * slots * format.sideStride();
    }

    /** Returns the format of the rows. */
    public RowFormat format() {
        return format;
    }

    /** Returns the bytes of the content of the object in a slot: the value itself, if rows are plain. */
    public long contentBytes() {
        return format.contentBytes();
    }

    /** Returns whether each slot has a block of memory of its own. */
    public boolean hasSides() {
        return format.sideBytes() > 0;
    }

    /** Returns the block that belongs to a slot, in the partition of the slot. */
    public long side(long slotPointer) {
        long at = Pointer.offset(slotPointer) - base - 64;
        long bucket = perBucket.of(at);
        long slot = perSlot.of(at - bucket * bucketBytes - 64);
        return Pointer.of(Pointer.partition(slotPointer), sideBase + (bucket * slots + slot) * format.sideStride());
    }

    /** Returns whether rows have the bytes of their keys, because a word cannot hold them. */
    public boolean hasWideKey() {
        return keyBytes > 0;
    }

    /** Returns where in the body of a row the bytes of its wide key begin: they are the end of its content. */
    public long keyOffset() {
        return ObjectLayout.BODY_CONTENT + format.contentBytes() - keyBytes;
    }

    /** Returns the bytes that a row has for its wide key; 0 if a word holds the keys of the table. */
    public long keyBytes() {
        return keyBytes;
    }

    /** Returns whether a body that has landed is of the wide key whose bytes lie at {@code key} in the same memory. */
    public boolean isOfKey(MemorySegment memory, long body, long key) {
        return isSameKey(memory, body + keyOffset(), key);
    }

    /** Returns whether two wide keys, whose bytes lie in one memory, are equal. */
    public boolean isSameKey(MemorySegment memory, long one, long other) {
        for (long at = 0; at < keyBytes; at += Words.BYTES)
            if (Words.plain(memory, one + at) != Words.plain(memory, other + at)) return false;
        return true;
    }

    /** Returns the key of a row whose body has landed, in a new object. */
    public RowKey keyOf(MemorySegment memory, long body) {
        long word = Words.plain(memory, body + ObjectLayout.BODY_KEY);
        return schema.key().newKey().setFrom(memory, body + keyOffset(), word);
    }

    public long valueBytes() {
        return schema.length();
    }

    public long bucketBytes() {
        return bucketBytes;
    }

    /** Returns the bytes of a slot: an object with a value, and its trailer. */
    public long slotBytes() {
        return slotBytes;
    }

    /** Returns the bytes of an object with a value. */
    public long recordBytes() {
        return slotBytes - tailBytes;
    }

    public int partition(long key) {
        return partitionOf(EightByteKeys.hash(key));
    }

    private int partitionOf(long hash) {
        return home != SPREAD ? home : (int) (hash >>> 40) % partitions;
    }

    /** Returns the head of the first bucket of a key's chain. */
    public long home(long key) {
        long hash = EightByteKeys.hash(key);
        long bucket = runBits == SCATTERED ? (hash & 0xff_ffff_ffffL) % buckets : bucketInRun(key);
        return Pointer.of(partitionOf(hash), bucketOffset(bucket));
    }

    private long bucketInRun(long key) {
        long run = key >>> runBits;
        long start = EightByteKeys.hash(run >>> EVEN_BITS) + (run & (1 << EVEN_BITS) - 1) * GOLDEN_SECTION;
        long bucket = Math.unsignedMultiplyHigh(start, buckets) + (key & (1 << RUN_BUCKET_BITS) - 1);
        return bucket < buckets ? bucket : bucket - buckets;
    }

    /** Returns the i-th slot of the first bucket of a key's chain. */
    public long homeSlot(long key, int i) {
        return home(key) + (slotOffset(i) >>> 3);
    }

    /** Returns which slot of the first bucket of a key's chain a pointer leads to; -1 if it leads elsewhere. */
    public int slotAtHome(long key, long pointer) {
        long at = pointer - home(key) << 3;
        if (at < slotOffset(0) || at >= bucketBytes) return -1;
        long slot = (at - slotOffset(0)) / slotBytes;
        return at == slotOffset((int) slot) ? (int) slot : -1;
    }

    /** Returns the object that counts the overflow buckets in use of a partition. */
    public long overflowCount(int partition) {
        return Pointer.of(partition, base);
    }

    /**
     * Returns the word that names the only session that may write in a partition, for protocols with owners; see
     * FORD-LV.
     */
    public long owner(int partition) {
        return Pointer.of(partition, base + HEAD_BYTES);
    }

    /**
     * Returns the word behind the head of a bucket: the time of its last write, for protocols that need it; see Motor.
     */
    public static long stamp(long bucket) {
        return bucket + (HEAD_BYTES >>> 3);
    }

    /** Returns the i-th overflow bucket of a partition. */
    public long overflowBucket(int partition, long i) {
        Checks.invariant(i >= 0 && i < overflow, "an overflow bucket that exists", i);
        return Pointer.of(partition, bucketOffset(buckets + i));
    }

    /** Returns the number of an overflow bucket in its partition. */
    public long overflowNumber(long bucket) {
        long number = bucketNumber(bucket) - buckets;
        Checks.invariant(isBucket(bucket) && number >= 0, "an overflow bucket", bucket);
        return number;
    }

    /** Returns whether a row lies in an overflow bucket. */
    public boolean isOverflow(long slotPointer) {
        return bucketNumber(slotPointer) >= buckets;
    }

    /** Returns the bucket in which a row lies. */
    public long bucketOf(long slotPointer) {
        return Pointer.of(Pointer.partition(slotPointer), bucketOffset(bucketNumber(slotPointer)));
    }

    private long bucketNumber(long pointer) {
        return perBucket.of(Pointer.offset(pointer) - base - 64);
    }

    /** Returns any bucket of a partition by its number; overflow buckets follow the others. */
    public long bucket(int partition, long i) {
        Checks.invariant(i >= 0 && i < buckets + (long) overflow, "a bucket that exists", i);
        return Pointer.of(partition, bucketOffset(i));
    }

    /** Returns whether a pointer leads to the beginning of a bucket: pointers read from memory are not trusted. */
    public boolean isBucket(long pointer) {
        long at = Pointer.offset(pointer) - base - 64;
        return at >= 0 && at % bucketBytes == 0 && at / bucketBytes < buckets + overflow;
    }

    /** Returns whether a pointer leads into the table's area of its partition. */
    public boolean contains(long pointer) {
        long at = Pointer.offset(pointer) - base;
        return at >= 0 && at < areaBytes();
    }

    /** Returns the kind of the object at a place of this table. */
    public Role role(long pointer) {
        if (Pointer.offset(pointer) == base) return Role.COUNT;
        return isBucket(pointer) ? Role.HEAD : Role.ROW;
    }

    /** Returns the bytes from the beginning of a bucket to one of its slots. */
    public long slotOffset(int slot) {
        return 64 + slot * slotBytes;
    }

    private long bucketOffset(long bucket) {
        return base + 64 + bucket * bucketBytes;
    }
}
