package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import tidepool.base.Checks;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.fabric.Refusal;
import tidepool.schema.RowMapping;
import tidepool.schema.Schema;
import tidepool.store.StoreException.Reason;

/**
 * The change word of a catalog, and the record from which a change of tables, or of the size of partitions, is
 * repeated. All phases but the first are entered under the catalog lock. {@code docs/decisions/0034-schema-changes.md}
 * and {@code docs/decisions/0037-pool-growth.md} have the crash tables.
 *
 * <pre>
 *    word:     | phase, 2 bits | entry, 7 bits | entries of hidden tables, 7 bits each | number of changes, 41 bits |
 *    record:   the first 1152 bytes of the new entries of two hidden tables | the new entry
 *           or the first 2304 bytes of the new entry of a second table       | the new entry
 *           or the first 760 bytes of those of three hidden tables, the numbers of these entries, a word each
 *                                                                            | the new entry
 *    growth:   entry 65; the record has, in place of the new entry: bytes of a partition before | bytes after
 * </pre>
 */
final class CatalogChanges {
    /** No change is under way. */
    private static final int STEADY = 0;

    /** Sessions leave the pool or are revoked. Nothing has changed. */
    private static final int ANNOUNCED = 1;

    /** No other session uses the pool. The record is copied over the entries. */
    private static final int APPLYING = 2;

    /** Larger regions are made, which no word names yet. Sessions go on. */
    private static final int PREPARING = 3;

    private static final int NO_ENTRY = CatalogLayout.TABLES;

    /** Stands for the size of the partitions in the place of an entry. */
    private static final int GROWTH = CatalogLayout.TABLES + 1;

    /** In the place of the second hidden table: the image of the first one takes both places. */
    private static final int LONG_FIRST = CatalogLayout.TABLES + 1;

    /** In the place of the second hidden table: there are three, and the record has their numbers. */
    private static final int THREE = CatalogLayout.TABLES + 2;

    /** The bytes of the image of the second table that changes with another one. */
    static final int SECOND_BYTES = CatalogLayout.HIDDEN * CatalogLayout.HIDDEN_BYTES;

    private static final int ENTRY_SHIFT = 2;
    private static final int HIDDEN_SHIFT = 9;
    private static final int HIDDEN_BITS = 7;
    private static final int COUNT_SHIFT = HIDDEN_SHIFT + CatalogLayout.HIDDEN * HIDDEN_BITS;
    private static final int ENTRY_MASK = 0x7f;

    private static final long PAUSE_NANOS = 100_000;
    private static final int MAX_PAUSES = 100_000;

    /** The number of tries to take the lock between two readings of the change word. */
    private static final int TRIES_PER_LOOK = 16;

    private final Catalog catalog;
    private final CatalogCopies copies;
    private final CatalogWords words;
    private final CatalogLocks locks;
    private boolean any = true;

    CatalogChanges(Catalog catalog, CatalogCopies copies, CatalogLocks locks) {
        this.catalog = catalog;
        this.copies = copies;
        this.words = copies.first();
        this.locks = locks;
    }

    /**
     * Called when a session opens the catalog, with the format version that it found. The first change raises it before
     * it is announced, so a session that has found a lower one need not read the change word: it is revoked before
     * anything changes.
     */
    void opened(long version) {
        any = version >= CatalogLayout.VERSION_OF_CHANGES;
    }

    /** Returns whether tables may have been changed before this session. */
    boolean any() {
        return any;
    }

    /** Returns how many changes of tables there were. */
    long count() {
        return any ? words.get(CatalogLayout.CHANGE) >>> COUNT_SHIFT : 0;
    }

    /** Returns whether sessions may use the pool. */
    boolean isSteady() {
        return isSteady(words.get(CatalogLayout.CHANGE));
    }

    private static boolean isSteady(long word) {
        return phase(word) == STEADY || phase(word) == PREPARING;
    }

    /**
     * Finishes or undoes the change of a session that is over. Returns whether sessions may use the pool then; if not,
     * the session of a change lives.
     */
    boolean settle() {
        if (!any) return true;
        long word = words.get(CatalogLayout.CHANGE);
        if (phase(word) == STEADY) return true;
        if (!locks.tryTake(CatalogLayout.LOCK)) return isSteady(word);
        try {
            finish();
        } finally {
            locks.release(CatalogLayout.LOCK);
        }
        return true;
    }

    /**
     * Waits until this session holds the catalog lock. If another session announces a change meanwhile, fails as if
     * this session were revoked, which it is about to be: it must not keep the changer waiting. Waits as long as a
     * living session makes larger regions, because that ends with more memory, or with an announcement.
     */
    void lock() {
        for (int i = 0; i < MAX_PAUSES; i++) {
            if (locks.tryTake(CatalogLayout.LOCK)) {
                finish();
                return;
            }
            if (i % TRIES_PER_LOOK == TRIES_PER_LOOK - 1) {
                int phase = phase(words.get(CatalogLayout.CHANGE));
                if (phase == ANNOUNCED || phase == APPLYING)
                    throw FabricException.refused(Refusal.EPOCH, "the tables of this pool are being changed");
                if (phase == PREPARING) i = 0;
            }
            Waiting.pause(PAUSE_NANOS);
        }
        throw new StoreException(Reason.BUSY, "session " + words.get(CatalogLayout.LOCK) + " holds the catalog's lock");
    }

    void unlock() {
        locks.release(CatalogLayout.LOCK);
    }

    /** Ends what a session has left that held the lock before. Only with the lock. */
    private void finish() {
        if (!any) return;
        long word = words.get(CatalogLayout.CHANGE);
        if (phase(word) == APPLYING) applyAny(word);
        else undo(word);
    }

    /** Takes back what was prepared or announced, and frees the regions that were made for it. */
    private void undo(long word) {
        if (phase(word) == STEADY) return;
        if (isOfGrowth(word)) catalog.freeUnnamed();
        put(steady(word >>> COUNT_SHIFT));
    }

    private void applyAny(long word) {
        if (isOfGrowth(word)) applySize(word);
        else apply(word);
    }

    /** Announces a change: sessions that open the pool from here on do not use it. Only with the lock. */
    void announce() {
        beginChanges(CatalogLayout.VERSION_OF_CHANGES);
        put(count() << COUNT_SHIFT | ANNOUNCED);
    }

    /** Makes programs refuse the pool that know no changes, or not this one. Only with the lock. */
    private void beginChanges(long version) {
        raiseVersion(version);
        any = true;
        flush();
    }

    /** Returns the version of a pool in which rows of the one schema become rows of the other one. */
    static long versionOf(Schema before, Schema after) {
        boolean makesLong = RowMapping.between(before, after).makesLong();
        return makesLong ? CatalogLayout.VERSION_OF_LONGER : CatalogLayout.VERSION_12;
    }

    /** Makes programs refuse the pool that read earlier formats only. Only with the lock. */
    void raiseVersion(long needed) {
        if (words.get(CatalogLayout.VERSION_AT) < needed) copies.put(CatalogLayout.VERSION_AT, needed);
    }

    /**
     * Takes back what was prepared or announced. Does nothing if there is nothing, or the change has happened. Only
     * with the lock.
     */
    void withdraw() {
        long word = words.get(CatalogLayout.CHANGE);
        if (phase(word) != APPLYING) undo(word);
    }

    /**
     * Replaces an entry, and those of hidden tables. Only with the lock, after an announcement, when no other session
     * uses the pool.
     *
     * @param hidden the numbers of the hidden tables' entries
     */
    void commit(int entry, byte[] image, int[] hidden, List<byte[]> hiddenImages) {
        long word = words.get(CatalogLayout.CHANGE);
        Checks.invariant(phase(word) == ANNOUNCED, "a change that was announced", word);
        write(CatalogLayout.CHANGED_ENTRY, image, CatalogLayout.TABLE_BYTES);
        if (hidden.length > CatalogLayout.HIDDEN) {
            writeThree(hidden, hiddenImages);
            applyAll(word, entry, NO_ENTRY, THREE);
            return;
        }
        for (int i = 0; i < hidden.length; i++) write(hiddenAt(i), hiddenImages.get(i), CatalogLayout.HIDDEN_BYTES);
        int more = hidden.length > 1 ? hidden[1] : NO_ENTRY;
        applyAll(word, entry, hidden.length > 0 ? hidden[0] : NO_ENTRY, more);
    }

    private void writeThree(int[] hidden, List<byte[]> images) {
        Checks.invariant(hidden.length == CatalogLayout.MAX_HIDDEN, "at most three hidden tables", hidden.length);
        for (int i = 0; i < hidden.length; i++) {
            write(threeAt(i), images.get(i), CatalogLayout.THREE_BYTES);
            copies.put(numberAt(i), hidden[i]);
        }
    }

    /**
     * Replaces the entries of two tables. Only with the lock, after an announcement, when no other session uses the
     * pool.
     *
     * @param second the number of an entry whose image has at most {@link #SECOND_BYTES}
     */
    void commitTwo(int entry, byte[] image, int second, byte[] secondImage) {
        long word = words.get(CatalogLayout.CHANGE);
        Checks.invariant(phase(word) == ANNOUNCED, "a change that was announced", word);
        write(CatalogLayout.CHANGED_ENTRY, image, CatalogLayout.TABLE_BYTES);
        write(hiddenAt(0), secondImage, SECOND_BYTES);
        applyAll(word, entry, second, LONG_FIRST);
    }

    private void applyAll(long announced, int entry, int hidden, int more) {
        flush();
        long applying = announced >>> COUNT_SHIFT << COUNT_SHIFT | (long) entry << ENTRY_SHIFT | APPLYING;
        applying |= (long) hidden << HIDDEN_SHIFT | (long) more << HIDDEN_SHIFT + HIDDEN_BITS;
        put(applying);
        apply(applying);
    }

    // ---- growth

    /** Says that regions are made which no word names: if this session dies, they are freed. Only with the lock. */
    void prepareGrowth() {
        beginChanges(CatalogLayout.VERSION_12);
        put(count() << COUNT_SHIFT | (long) GROWTH << ENTRY_SHIFT | PREPARING);
    }

    /** Announces growth that was prepared: sessions that open the pool from here on do not use it. */
    void announceGrowth() {
        put(count() << COUNT_SHIFT | (long) GROWTH << ENTRY_SHIFT | ANNOUNCED);
    }

    /**
     * Makes the size of partitions larger. Only with the lock, after an announcement, when every copy has the new size.
     */
    void commitSize(long bytes) {
        copies.put(CatalogLayout.CHANGED_ENTRY, words.get(CatalogLayout.PARTITION_BYTES));
        copies.put(CatalogLayout.CHANGED_ENTRY + Words.BYTES, bytes);
        flush();
        long applying = count() << COUNT_SHIFT | (long) GROWTH << ENTRY_SHIFT | APPLYING;
        put(applying);
        applySize(applying);
    }

    private void applySize(long word) {
        copies.put(CatalogLayout.PARTITION_BYTES, words.get(CatalogLayout.CHANGED_ENTRY + Words.BYTES));
        copies.put(CatalogLayout.CHECKSUM, CatalogFormat.geometryChecksum(words));
        flush();
        put(steady((word >>> COUNT_SHIFT) + 1));
    }

    /**
     * Says at one node, whose catalog is from before a growth, that the size of others is being applied. Until all its
     * words are replaced, its checksum may be wrong.
     */
    void announceSize(CatalogWords source, CatalogWords old, long bytes) {
        old.put(CatalogLayout.CHANGED_ENTRY, old.get(CatalogLayout.PARTITION_BYTES));
        old.put(CatalogLayout.CHANGED_ENTRY + Words.BYTES, bytes);
        old.put(CatalogLayout.VERSION_AT, CatalogLayout.VERSION_12);
        old.flush();
        long count = source.get(CatalogLayout.CHANGE) >>> COUNT_SHIFT;
        old.put(CatalogLayout.CHANGE, count << COUNT_SHIFT | (long) GROWTH << ENTRY_SHIFT | APPLYING);
        old.flush();
    }

    /** Returns the size of partitions; while a larger one is being applied, that one. */
    long partitionBytes() {
        boolean growing = any && isGrowing(words);
        return words.get(growing ? CatalogLayout.CHANGED_ENTRY + Words.BYTES : CatalogLayout.PARTITION_BYTES);
    }

    /** Returns the size of partitions that a larger one is replacing at this moment; 0 if none is. */
    static long replacedPartitionBytes(CatalogWords words) {
        return isGrowing(words) ? words.get(CatalogLayout.CHANGED_ENTRY) : 0;
    }

    private static boolean isGrowing(CatalogWords words) {
        long word = words.get(CatalogLayout.CHANGE);
        return phase(word) == APPLYING && isOfGrowth(word);
    }

    private static boolean isOfGrowth(long word) {
        return ((word >>> ENTRY_SHIFT) & ENTRY_MASK) == GROWTH;
    }

    private static long hiddenAt(int i) {
        return CatalogLayout.HIDDEN_ENTRY + i * (long) CatalogLayout.HIDDEN_BYTES;
    }

    private static long threeAt(int i) {
        return CatalogLayout.HIDDEN_ENTRY + i * (long) CatalogLayout.THREE_BYTES;
    }

    private static long numberAt(int i) {
        return CatalogLayout.HIDDEN_NUMBERS + i * (long) Words.BYTES;
    }

    /** Copies the record over the entries. Another session may have done so, wholly or in part. */
    private void apply(long word) {
        int first = (int) (word >>> HIDDEN_SHIFT) & ENTRY_MASK;
        int second = (int) (word >>> HIDDEN_SHIFT + HIDDEN_BITS) & ENTRY_MASK;
        boolean isLong = second == LONG_FIRST;
        if (second == THREE)
            for (int i = 0; i < CatalogLayout.MAX_HIDDEN; i++)
                copy(threeAt(i), (int) words.get(numberAt(i)), CatalogLayout.THREE_BYTES);
        if (first != NO_ENTRY) copy(hiddenAt(0), first, isLong ? SECOND_BYTES : CatalogLayout.HIDDEN_BYTES);
        if (second < NO_ENTRY) copy(hiddenAt(1), second, CatalogLayout.HIDDEN_BYTES);
        copy(CatalogLayout.CHANGED_ENTRY, (int) (word >>> ENTRY_SHIFT) & ENTRY_MASK, CatalogLayout.TABLE_BYTES);
        flush();
        put(steady((word >>> COUNT_SHIFT) + 1));
    }

    /** Copies an entry without the words of its areas, which stay as they are. */
    private void copy(long from, int entry, int bytes) {
        MemorySegment landing = words.landing;
        landing.asSlice(0, CatalogLayout.TABLE_BYTES).fill((byte) 0);
        words.read(from, bytes);
        boolean hasAreas = CatalogTables.hasRoomForAreas(Words.plain(landing, CatalogLayout.TABLE_TEXT_BYTES));
        copies.putLanded(CatalogLayout.table(entry), hasAreas ? CatalogLayout.TABLE_AREAS : CatalogLayout.TABLE_BYTES);
    }

    private void write(long at, byte[] image, int bytes) {
        words.landing.asSlice(0, bytes).fill((byte) 0);
        MemorySegment.copy(image, 0, words.landing, ValueLayout.JAVA_BYTE, 0, Math.min(image.length, bytes));
        copies.putLanded(at, bytes);
    }

    private void put(long word) {
        copies.put(CatalogLayout.CHANGE, word);
        flush();
    }

    private void flush() {
        if (catalog.flush().isDurable()) copies.flush();
    }

    private static long steady(long count) {
        return count << COUNT_SHIFT;
    }

    private static int phase(long word) {
        return (int) (word & 3);
    }

    /** Refuses a second entry whose text does not fit into the record. */
    static void requireFitsSecond(TableLayout second, int bytes) {
        if (bytes > SECOND_BYTES)
            throw new StoreException(
                    Reason.FULL,
                    "the new schema of table " + second.name() + " is too long for a change that moves rows: bytes="
                            + bytes + " most=" + SECOND_BYTES);
    }

    /** Refuses a hidden entry whose text does not fit into the record, next to those of {@code count} in all. */
    static void requireFits(TableLayout hidden, int bytes, int count) {
        if (bytes > (count > CatalogLayout.HIDDEN ? CatalogLayout.THREE_BYTES : CatalogLayout.HIDDEN_BYTES))
            throw new StoreException(
                    Reason.FULL, "the schema of table " + hidden.name() + " is too long to be changed");
    }

    /** Returns whether no change was under way when a catalog in the memory of a node was written. */
    static boolean isSteady(MemorySegment catalog) {
        return isSteady(Words.acquire(catalog, CatalogLayout.CHANGE));
    }

    /** Sets the number of changes of a pool that is being made. */
    void adopt(long count) {
        put(steady(count));
    }
}
