package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
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

    /**
     * The bytes of a slot from which on lookups leave out values. Of smaller slots a bucket is one READ of about 1 KB:
     * more READs would cost more than the bytes.
     */
    private static final long WIDE_SLOT = 512;

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

    /** The word of an entry that no other table had before. */
    private static final long ONLY_ENTRY = EntryWord.of(EntryWord.READY, 0, 0);

    private static final long GOLDEN_SECTION = 0x9e3779b97f4a7c15L; // of 2^64

    private final int id;
    private final Schema schema;
    private final boolean isIndexNodes;
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
    private final FixedDivisor perBucket;
    private final FixedDivisor perSlot;
    private final Growth growth;
    private final long entry;
    private final Lineage lineage;

    /**
     * Which table this one is in the eyes of applications, and the table from which rows move here.
     *
     * @param origin the number of the first table of which this is a later version; 0 if it is the first
     * @param before the table that still has rows in the layout of before; null if there is none
     */
    private record Lineage(long origin, TableLayout before) {
        static final Lineage NONE = new Lineage(0, null);
    }

    /** What changes while a table grows; one object for all layouts that stand for one table. */
    private static final class Growth {
        volatile Extents extents;

        /** For each partition the number of first buckets, as far as it is known here; 0: none was split. */
        final AtomicLongArray sizes;

        Growth(Extents first, int partitions) {
            extents = first;
            sizes = new AtomicLongArray(partitions);
        }
    }

    /**
     * An area of a table: one of equal offset and size in every partition.
     *
     * @param base where it begins: an object of 64 bytes, which is the overflow count in the first area and the size in
     *     the second, and is not used in others
     * @param bytes of the whole area
     * @param chains of it: its first buckets, which precede its overflow buckets
     * @param buckets of it, overflow buckets included
     */
    public record Area(long base, long bytes, long chains, long buckets) {
        /** Returns the offset of the first of its buckets. */
        public long firstBucket() {
            return base + 64;
        }
    }

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
        this(
                id,
                schema,
                partitions,
                buckets,
                slots,
                overflow,
                base,
                format,
                tailBytes,
                SPREAD,
                SCATTERED,
                null,
                ONLY_ENTRY,
                Lineage.NONE);
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
            int runBits,
            Growth growth,
            long entry,
            Lineage lineage) {
        Checks.invariant(HEAD_BYTES == 56, "a head is seven words", HEAD_BYTES);
        Checks.argument(buckets >= 1 && slots >= 1 && overflow >= 0, "a table has buckets and slots");
        this.id = id;
        this.schema = schema;
        this.isIndexNodes = IndexNodes.isOfNodes(schema);
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
        this.perBucket = new FixedDivisor(bucketBytes);
        this.perSlot = new FixedDivisor(slotBytes);
        long sideBytes = slots * format.sideStride();
        this.growth = growth != null
                ? growth
                : new Growth(Extents.first(base, buckets, overflow, bucketBytes, sideBytes), partitions);
        this.entry = entry;
        this.lineage = lineage;
    }

    /** Returns this table as the first word of its entry says that it is. */
    TableLayout withEntry(long word) {
        return new TableLayout(
                id,
                schema,
                partitions,
                buckets,
                slots,
                overflow,
                base,
                format,
                tailBytes,
                home,
                runBits,
                growth,
                word,
                lineage);
    }

    /** Returns this table with another schema, whose values have the same bytes. */
    TableLayout withSchema(Schema other) {
        Checks.invariant(other.length() == schema.length(), "values of the same bytes", other.length());
        return new TableLayout(
                id,
                other,
                partitions,
                buckets,
                slots,
                overflow,
                base,
                format,
                tailBytes,
                home,
                runBits,
                growth,
                entry,
                lineage);
    }

    // ---- versions of a table

    /** Ends the name of the table that has the rows of before, while they move. */
    public static final String BEFORE = ".before";

    /** Ends the name of a table to which rows will move. */
    public static final String NEXT = ".next";

    private TableLayout with(Lineage other) {
        return new TableLayout(
                id,
                schema,
                partitions,
                buckets,
                slots,
                overflow,
                base,
                format,
                tailBytes,
                home,
                runBits,
                growth,
                entry,
                other);
    }

    /** Returns this table as a later version of another one. */
    TableLayout ofOrigin(long origin) {
        return with(new Lineage(origin, lineage.before));
    }

    /** Returns this table with the one from which rows move here. */
    TableLayout withBefore(TableLayout before) {
        return with(new Lineage(lineage.origin, before));
    }

    /** Returns the table that still has rows in the layout of before; null if there is none. */
    public TableLayout before() {
        return lineage.before;
    }

    /** Returns the number that all versions of a table share, and no other table. */
    public long origin() {
        return lineage.origin != 0 ? lineage.origin : EntryWord.made(entry) * (CatalogLayout.TABLES + 1) + id;
    }

    /** Returns the origin that the catalog keeps; 0 if the table is the first of its versions. */
    long keptOrigin() {
        return lineage.origin;
    }

    /** Returns whether it has the rows of a version of a table that is being left. */
    public boolean isBefore() {
        return name().endsWith(BEFORE);
    }

    /** Returns the name of the table to which its rows move; its own name if it is no predecessor. */
    public String currentName() {
        return isBefore() ? name().substring(0, name().length() - BEFORE.length()) : name();
    }

    /** Returns whether it is one of two tables between which rows move, by its name. */
    static boolean isVersion(String name) {
        return name.endsWith(BEFORE) || name.endsWith(NEXT);
    }

    /** Returns the first word of its entry; see {@link EntryWord}. */
    long entry() {
        return entry;
    }

    /** Returns whether the table may be used. */
    public boolean isReady() {
        return EntryWord.state(entry) == EntryWord.READY;
    }

    /** Returns whether the table was emptied, and its memory is still being cleaned. */
    public boolean isEmptying() {
        return EntryWord.state(entry) == EntryWord.EMPTYING;
    }

    /** Returns whether this is a state of a table, and not of another one that had its entry before or after. */
    public boolean isOfTable(TableLayout other) {
        return id == other.id && EntryWord.made(entry) == EntryWord.made(other.entry);
    }

    /** Returns whether rows of the one lie where the other looks for them. */
    public boolean isPlacedLike(TableLayout other) {
        return isOfTable(other)
                && EntryWord.emptied(entry) == EntryWord.emptied(other.entry)
                && base == other.base
                && buckets == other.buckets
                && slots == other.slots
                && overflow == other.overflow;
    }

    /**
     * Returns this table with all its rows in one partition, for callers that place tables explicitly and not keys by
     * their hash. The catalog does not record it: every session that uses the table must do this.
     */
    public TableLayout within(int partition) {
        Checks.argument(partition >= 0 && partition < partitions, "a partition of the pool, not " + partition);
        return new TableLayout(
                id,
                schema,
                partitions,
                buckets,
                slots,
                overflow,
                base,
                format,
                tailBytes,
                partition,
                runBits,
                growth,
                entry,
                lineage);
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
        return new TableLayout(
                id,
                schema,
                partitions,
                buckets,
                slots,
                overflow,
                base,
                format,
                tailBytes,
                home,
                bits,
                growth,
                entry,
                lineage);
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

    /** Returns the buckets with which one partition was made, without overflow buckets. */
    public int buckets() {
        return buckets;
    }

    public int slots() {
        return slots;
    }

    /** Returns the overflow buckets with which one partition was made. */
    public int overflow() {
        return overflow;
    }

    /** Returns for how many rows there was room when the table was made, if they spread evenly. */
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

    /** Returns the bytes of the table's first area in each partition. */
    public long areaBytes() {
        return growth.extents.end[0] - base;
    }

    /** Returns the bytes of all areas of the table in each partition. */
    public long bytes() {
        long bytes = 0;
        for (Area area : areas()) bytes += area.bytes();
        return bytes;
    }

    /** Returns the areas of the table that are known here, in the order in which the table got them. */
    public List<Area> areas() {
        Extents extents = growth.extents;
        List<Area> areas = new ArrayList<>();
        for (int i = 0; i < extents.count; i++)
            areas.add(new Area(
                    extents.base[i],
                    extents.end[i] - extents.base[i],
                    extents.buckets[i],
                    extents.buckets[i] + extents.overflow[i]));
        return areas;
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
        Extents extents = growth.extents;
        int area = extents.of(Pointer.offset(slotPointer));
        long at = Pointer.offset(slotPointer) - extents.base[area] - 64;
        long bucket = perBucket.of(at);
        long slot = perSlot.of(at - bucket * bucketBytes - 64);
        long offset = extents.sideBase[area] + (bucket * slots + slot) * format.sideStride();
        return Pointer.of(Pointer.partition(slotPointer), offset);
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

    /** Returns the head of the first bucket of a key's chain, as far as it is known here how the table has grown. */
    public long home(long key) {
        long hash = EightByteKeys.hash(key);
        long bucket = bucketWhenMade(key, hash);
        int partition = partitionOf(hash);
        Extents extents = growth.extents;
        if (extents.count == 1) return Pointer.of(partition, bucketOffset(bucket));
        return home(extents, partition, bucket, splitBits(key, hash));
    }

    /** If it is known that buckets were made in an area that is not known, returns the bucket that tells the rest. */
    private long home(Extents extents, int partition, long whenMade, long bits) {
        long size = Math.min(size(partition), extents.allBuckets());
        return bucketAt(extents, partition, SplitOrder.bucket(buckets, size, whenMade, bits));
    }

    /** Returns the head of the chain that contains keys of some bits, as far as it is known here. */
    long home(int partition, long whenMade, long bits) {
        return home(growth.extents, partition, whenMade, bits);
    }

    private long bucketWhenMade(long key, long hash) {
        return runBits == SCATTERED ? (hash & 0xff_ffff_ffffL) % buckets : bucketInRun(key);
    }

    /** Returns the bits by which splits tell keys of one bucket apart; equal ones for the keys of a run. */
    private long splitBits(long key, long hash) {
        return EightByteKeys.hash((runBits == SCATTERED ? hash : EightByteKeys.hash(key >>> runBits)) ^ GOLDEN_SECTION);
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
        Extents extents = growth.extents;
        Checks.invariant(i >= 0 && i < extents.allOverflow(), "an overflow bucket that exists", i);
        int area = extents.ofOverflow(i);
        return cell(extents, area, partition, extents.buckets[area] + i - extents.firstOverflow[area]);
    }

    /** Returns the number of an overflow bucket in its partition. */
    public long overflowNumber(long bucket) {
        Extents extents = growth.extents;
        int area = extents.of(Pointer.offset(bucket));
        long number = cellNumber(extents, area, bucket) - extents.buckets[area];
        Checks.invariant(isBucket(bucket) && number >= 0, "an overflow bucket", bucket);
        return extents.firstOverflow[area] + number;
    }

    /** Returns whether a row lies in an overflow bucket. */
    public boolean isOverflow(long slotPointer) {
        Extents extents = growth.extents;
        int area = extents.of(Pointer.offset(slotPointer));
        return cellNumber(extents, area, slotPointer) >= extents.buckets[area];
    }

    /** Returns the bucket in which a row lies. */
    public long bucketOf(long slotPointer) {
        Extents extents = growth.extents;
        int area = extents.of(Pointer.offset(slotPointer));
        return cell(extents, area, Pointer.partition(slotPointer), cellNumber(extents, area, slotPointer));
    }

    private long cellNumber(Extents extents, int area, long pointer) {
        return perBucket.of(Pointer.offset(pointer) - extents.base[area] - 64);
    }

    private long cell(Extents extents, int area, int partition, long i) {
        return Pointer.of(partition, extents.base[area] + 64 + i * bucketBytes);
    }

    /** Returns any bucket of the first area of a partition by its number; overflow buckets follow the others. */
    public long bucket(int partition, long i) {
        Checks.invariant(i >= 0 && i < buckets + (long) overflow, "a bucket that exists", i);
        return Pointer.of(partition, bucketOffset(i));
    }

    /** Returns whether a pointer leads to the beginning of a bucket: pointers read from memory are not trusted. */
    public boolean isBucket(long pointer) {
        Extents extents = growth.extents;
        int area = extents.of(Pointer.offset(pointer));
        long at = Pointer.offset(pointer) - extents.base[area] - 64;
        return at >= 0 && at % bucketBytes == 0 && at / bucketBytes < extents.buckets[area] + extents.overflow[area];
    }

    /** Returns whether a pointer leads into an area of the table in its partition. */
    public boolean contains(long pointer) {
        Extents extents = growth.extents;
        int area = extents.of(Pointer.offset(pointer));
        return Pointer.offset(pointer) >= extents.base[area] && Pointer.offset(pointer) < extents.end[area];
    }

    /** Returns the kind of the object at a place of this table. */
    public Role role(long pointer) {
        Extents extents = growth.extents;
        if (Pointer.offset(pointer) == base) return Role.COUNT;
        if (extents.count > 1 && Pointer.offset(pointer) == extents.base[1]) return Role.SIZE;
        return isBucket(pointer) ? Role.HEAD : Role.ROW;
    }

    // ---- growth

    /** Returns whether the table has more than its first area. */
    public boolean hasGrown() {
        return growth.extents.count > 1;
    }

    /** Returns the number of areas that the table has, as far as it is known here. */
    public int areaCount() {
        return growth.extents.count;
    }

    /** Returns the number of first buckets of a partition for which the known areas have room. */
    public long bucketRoom() {
        return growth.extents.allBuckets();
    }

    /** Returns the number of overflow buckets of a partition for which the known areas have room. */
    public long overflowRoom() {
        return growth.extents.allOverflow();
    }

    /** Returns the bytes of the area that the table gets next, in each partition; 0 if it can get no more. */
    public long nextAreaBytes() {
        return growth.extents.nextBytes();
    }

    /** Adds the area that begins at an offset. Ignored if areas up to this number are known already. */
    void addArea(int number, long offset) {
        synchronized (growth) {
            if (growth.extents.count == number) growth.extents = growth.extents.and(offset);
        }
    }

    /** Returns the object that has the number of first buckets of a partition; only a table that has grown has it. */
    public long sizeObject(int partition) {
        Extents extents = growth.extents;
        Checks.invariant(extents.count > 1, "a table that has grown");
        return Pointer.of(partition, extents.base[1]);
    }

    /** Returns the number of first buckets that a partition has at least; other sessions may have split more. */
    public long size(int partition) {
        return Math.max(buckets, growth.sizes.getOpaque(partition));
    }

    /** Notes that a partition has at least this number of first buckets. */
    public void learnSize(int partition, long size) {
        for (long known = growth.sizes.getOpaque(partition); known < size; known = growth.sizes.getOpaque(partition))
            if (growth.sizes.weakCompareAndSetVolatile(partition, known, size)) return;
    }

    /** Forgets what is known about the sizes of partitions, for tests of lookups that know too little or too much. */
    public void assumeSize(int partition, long size) {
        growth.sizes.set(partition, size);
    }

    /** Returns the head of a first bucket by its number, or {@link Pointer#NOWHERE} if its area is not known here. */
    public long firstBucket(int partition, long number) {
        return bucketAt(growth.extents, partition, number);
    }

    private long bucketAt(Extents extents, int partition, long number) {
        if (number >= extents.allBuckets()) return Pointer.NOWHERE;
        int area = extents.ofBucket(number);
        return cell(extents, area, partition, number - extents.firstBucket[area]);
    }

    /** Returns the number of a first bucket in its partition. */
    public long firstBucketNumber(long bucket) {
        Extents extents = growth.extents;
        int area = extents.of(Pointer.offset(bucket));
        long number = cellNumber(extents, area, bucket);
        Checks.invariant(number < extents.buckets[area], "a first bucket", bucket);
        return extents.firstBucket[area] + number;
    }

    /** Returns the first bucket that is split next in a partition of this size. */
    public long nextSplit(long size) {
        return SplitOrder.next(buckets, size);
    }

    /** Returns the depth of the bucket that is split next in a partition of this size. */
    public int depthOfNextSplit(long size) {
        return SplitOrder.depthOfNext(buckets, size);
    }

    /** Returns the depth of a first bucket, as far as it is known here. */
    int depthExpected(long bucket) {
        long size = Math.min(size(Pointer.partition(bucket)), growth.extents.allBuckets());
        return SplitOrder.depth(buckets, size, firstBucketNumber(bucket));
    }

    /** Returns whether a split of a bucket of this depth moves a key to the new bucket. */
    public boolean isMoved(long key, int depth) {
        return (splitBits(key, EightByteKeys.hash(key)) >>> depth & 1) != 0;
    }

    /**
     * Returns whether the chain that begins with a bucket is that of a key, given the content of the bucket's head. A
     * bucket that is not born yet is no key's.
     */
    public boolean isHome(long key, long bucket, long headWord) {
        int depth = HeadWord.depth(headWord);
        if (depth == 0) return growth.extents.of(Pointer.offset(bucket)) == 0;
        long hash = EightByteKeys.hash(key);
        return isHome(bucketWhenMade(key, hash), splitBits(key, hash), bucket, depth);
    }

    boolean isHome(long whenMade, long bits, long bucket, int depth) {
        if (depth == 0) return growth.extents.of(Pointer.offset(bucket)) == 0;
        return SplitOrder.bucketAtDepth(buckets, depth, whenMade, bits) == firstBucketNumber(bucket);
    }

    /**
     * Returns the bucket in which to look for a key instead, given the head of a bucket that is not its own, read at
     * one moment; {@link Pointer#NOWHERE} if the area of that bucket is not known here.
     */
    public long homeInstead(long key, long bucket, long headWord) {
        long hash = EightByteKeys.hash(key);
        return homeInstead(bucketWhenMade(key, hash), splitBits(key, hash), bucket, HeadWord.depth(headWord));
    }

    long homeInstead(long whenMade, long bits, long bucket, int depth) {
        int partition = Pointer.partition(bucket);
        long number = firstBucketNumber(bucket);
        if (depth == 0) return firstBucket(partition, SplitOrder.parent(buckets, number)); // unborn
        long size = Math.max(
                SplitOrder.leastSize(buckets, number, depth), Math.min(size(partition), growth.extents.allBuckets()));
        return firstBucket(partition, SplitOrder.bucket(buckets, size, whenMade, bits));
    }

    /** Learns from the head of a first bucket, read at one moment, how far its partition has grown. */
    public void learn(long bucket, long headWord) {
        int depth = HeadWord.depth(headWord);
        int partition = Pointer.partition(bucket);
        long number = firstBucketNumber(bucket);
        if (depth > 0) {
            learnSize(partition, SplitOrder.leastSize(buckets, number, depth));
            return;
        }
        long known = growth.sizes.getOpaque(partition);
        if (number >= buckets && known > number) growth.sizes.weakCompareAndSetVolatile(partition, known, number);
    }

    /** Returns whether its rows are nodes of indexes of another table. */
    public boolean isIndexNodes() {
        return isIndexNodes;
    }

    /** Returns whether slots are so large that a lookup leaves out their values. */
    public boolean hasWideSlots() {
        return slotBytes >= WIDE_SLOT;
    }

    /** Returns the bytes from the beginning of a bucket to one of its slots. */
    public long slotOffset(int slot) {
        return 64 + slot * slotBytes;
    }

    private long bucketOffset(long bucket) {
        return base + 64 + bucket * bucketBytes;
    }
}
