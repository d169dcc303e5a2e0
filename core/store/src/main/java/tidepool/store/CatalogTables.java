package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.schema.Schema;
import tidepool.store.StoreException.Reason;

/** The tables of a catalog: finds and reads them, and makes them under the catalog lock. */
final class CatalogTables {
    /** The maximum number of rows for which a table of parts is made. */
    private static final long MAX_PART_ROWS = 2_000;

    private final Catalog catalog;
    private final CatalogCopies copies;
    private final CatalogWords words;
    private final CatalogLocks locks;
    private final CatalogSpace space;
    private final long tailBytes; // bytes of the trailer after each record

    /** The row format of tables that are made from here on. */
    RowFormat.Maker rows = RowFormat::plain;

    CatalogTables(Catalog catalog, CatalogCopies copies, CatalogLocks locks, long tailBytes) {
        this.catalog = catalog;
        this.copies = copies;
        this.words = copies.first();
        this.locks = locks;
        this.space = new CatalogSpace(copies);
        this.tailBytes = tailBytes;
    }

    List<TableLayout> all() {
        int count = (int) words.get(CatalogLayout.TABLE_COUNT);
        int partitions = catalog.placement().partitions();
        List<TableLayout> tables = new ArrayList<>();
        for (int i = 0; i < count; i++) tables.add(readTable(i, partitions));
        return tables;
    }

    /** Returns the table with this name, or null. */
    TableLayout find(String name) {
        for (TableLayout table : all()) if (table.name().equals(name)) return table;
        return null;
    }

    /**
     * Returns the table with this schema. Makes it with room for {@code count} rows if there is none. A table that
     * exists must have an identical schema, and identical room unless {@code anySize}.
     */
    TableLayout findOrMake(Schema schema, long count, boolean anySize) {
        TableLayout known = find(schema.name());
        boolean exists = known != null;
        if (known == null) {
            locks.take(CatalogLayout.LOCK);
            try {
                known = find(schema.name());
                if (known == null) {
                    makeHidden(schema, count);
                    known = create(schema, count);
                }
            } finally {
                locks.release(CatalogLayout.LOCK);
            }
        }
        // The session that made the table may not have flushed the count yet. Otherwise a loss of power could take the
        // table, and the rows that this session puts into it.
        if (catalog.flush().isDurable()) words.persist(CatalogLayout.TABLE_COUNT);
        if (!schema.accepts(known.schema()))
            throw new StoreException(
                    Reason.MISMATCH,
                    "table " + schema.name() + " has another schema in this pool: there " + known.schema() + ", here "
                            + schema);
        if (exists && !anySize) requireRoom(known, schema, count);
        return known;
    }

    /**
     * Refuses a size that the table does not have. Otherwise a program that asked for more rows would find the table
     * full early.
     */
    void requireRoom(TableLayout known, Schema schema, long count) {
        Schema shape = schema.equals(known.schema()) ? schema : known.schema(); // with the hints of this program
        TableLayout asked = TableGeometry.lay(
                known.id(), shape, count, catalog.placement().partitions(), known.base(), rows.of(shape), tailBytes);
        if (asked.rows() == known.rows()) return;
        throw new StoreException(
                Reason.MISMATCH,
                "table " + schema.name() + " has room for " + known.rows() + " rows in this pool, and for " + count
                        + " rows it would have room for " + asked.rows() + "; open it without a number of rows, or"
                        + " with the one that it was made with");
    }

    /**
     * Makes the tables for the parts of long contents before the table itself. If a session died in between, they are
     * there already, and empty.
     */
    private void makeHidden(Schema schema, long count) {
        for (Schema hidden : ContentParts.tablesOf(schema))
            if (find(hidden.name()) == null) create(hidden, Math.min(count, MAX_PART_ROWS));
    }

    private TableLayout create(Schema schema, long count) {
        int index = (int) words.get(CatalogLayout.TABLE_COUNT);
        if (index == CatalogLayout.TABLES)
            throw new StoreException(Reason.FULL, "the pool has all its " + index + " tables");
        int partitions = catalog.placement().partitions();
        RowFormat format = rows.of(schema);
        TableLayout anywhere = TableGeometry.lay(index + 1, schema, count, partitions, 0, format, tailBytes);
        long base = space.take(usedAreas(), anywhere.areaBytes(), "table " + schema.name() + " for " + count + " rows");
        TableLayout table = TableGeometry.lay(index + 1, schema, count, partitions, base, format, tailBytes);
        byte[] text = TableGeometry.text(table).getBytes(StandardCharsets.UTF_8);
        if (text.length > CatalogLayout.TABLE_BYTES - CatalogLayout.TABLE_TEXT - Words.BYTES)
            throw new StoreException(Reason.FULL, "the schema of table " + schema.name() + " is too long to be stored");
        raiseVersion(schema); // before the table is there
        MemorySegment landing = words.landing;
        landing.fill((byte) 0);
        Words.plain(landing, CatalogLayout.TABLE_STATE, CatalogLayout.TABLE_READY);
        Words.plain(landing, CatalogLayout.TABLE_TEXT_BYTES, text.length);
        MemorySegment.copy(text, 0, landing, ValueLayout.JAVA_BYTE, CatalogLayout.TABLE_TEXT, text.length);
        Words.plain(landing, CatalogLayout.TABLE_CHECKSUM, entryChecksum());
        copies.putLanded(CatalogLayout.table(index), CatalogLayout.TABLE_BYTES);
        for (int node = 1; node < copies.count(); node++) copies.at(node).put(CatalogLayout.TABLE_COUNT, index + 1);
        if (catalog.flush().isDurable()) copies.flush();
        // The count is raised last: a crash before that leaves bytes that nothing refers to. It is raised by a CAS,
        // because other sessions that find the table persist the count by an atomic verb.
        words.swap(CatalogLayout.TABLE_COUNT, index, index + 1);
        return table;
    }

    /** Returns the areas of all tables. */
    private List<CatalogSpace.Used> usedAreas() {
        equalizeAreas();
        return all().stream()
                .flatMap(table -> table.areas().stream())
                .map(area -> new CatalogSpace.Used(area.base(), area.bytes()))
                .toList();
    }

    /**
     * Makes the words of areas on all nodes equal to those of the first. A session that died while it added an area may
     * have left its word on other nodes. Otherwise the memory could become another table's, and when the first node is
     * lost two tables would have it.
     */
    private void equalizeAreas() {
        if (copies.count() == 1) return;
        int count = (int) words.get(CatalogLayout.TABLE_COUNT);
        for (int i = 0; i < count; i++) {
            words.read(CatalogLayout.table(i), CatalogLayout.TABLE_BYTES);
            if (hasRoomForAreas(Words.plain(words.landing, CatalogLayout.TABLE_TEXT_BYTES)))
                copies.equalize(CatalogLayout.table(i) + CatalogLayout.TABLE_AREAS, AreaWords.BYTES);
        }
    }

    /** Returns whether the text of an entry leaves room for the words of areas. */
    private static boolean hasRoomForAreas(long textBytes) {
        return textBytes <= CatalogLayout.TABLE_AREAS - CatalogLayout.TABLE_TEXT;
    }

    /** Learns the areas that another session may have given to a table. */
    void learnAreas(TableLayout table) {
        words.read(CatalogLayout.table(table.id() - 1), CatalogLayout.TABLE_BYTES);
        if (hasRoomForAreas(Words.plain(words.landing, CatalogLayout.TABLE_TEXT_BYTES))
                && !AreaWords.learn(table, words.landing, CatalogLayout.TABLE_AREAS)) throw damaged(table.id() - 1);
    }

    /**
     * Gives a table one more area, unless another session has done so. The caller's object knows all areas after that.
     */
    void addArea(TableLayout table) {
        locks.take(CatalogLayout.LOCK);
        try {
            int known = table.areaCount();
            long entry = CatalogLayout.table(table.id() - 1);
            words.read(entry, CatalogLayout.TABLE_BYTES);
            requireRoomForAreas(table);
            if (!AreaWords.learn(table, words.landing, CatalogLayout.TABLE_AREAS)) throw damaged(table.id() - 1);
            if (table.areaCount() > known) return;
            long bytes = table.nextAreaBytes();
            if (bytes == 0)
                throw new StoreException(
                        Reason.FULL,
                        "table " + table.name() + " has grown " + (known - 1) + " times, and cannot again");
            if (words.get(CatalogLayout.VERSION_AT) < CatalogLayout.VERSION_OF_CHANGES)
                copies.put(CatalogLayout.VERSION_AT, CatalogLayout.VERSION_OF_CHANGES); // before the area is there
            long base = space.take(usedAreas(), bytes, "the growth of table " + table.name());
            long word = AreaWords.of(table.id(), known, base);
            long at = entry + CatalogLayout.TABLE_AREAS + AreaWords.at(known);
            for (int node = copies.count() - 1; node > 0; node--)
                copies.at(node).put(at, word);
            if (catalog.flush().isDurable()) copies.flush();
            words.swap(at, 0, word); // by a CAS, because other sessions persist the word by an atomic verb
            if (catalog.flush().isDurable()) words.flush();
            table.addArea(known, base);
        } finally {
            locks.release(CatalogLayout.LOCK);
        }
    }

    private void requireRoomForAreas(TableLayout table) {
        if (hasRoomForAreas(Words.plain(words.landing, CatalogLayout.TABLE_TEXT_BYTES))) return;
        throw new StoreException(
                Reason.FULL,
                "table " + table.name()
                        + " cannot grow: its schema is so long that its entry in the catalog has no room"
                        + " for more areas; make it with more rows");
    }

    private static StoreException damaged(int index) {
        return new StoreException(Reason.CORRUPT, "entry " + index + " of the catalog is damaged");
    }

    /** Makes programs refuse the pool by its version that cannot read this schema. */
    private void raiseVersion(Schema schema) {
        if (schema.isBasic()) return;
        boolean hasParts = schema.isHidden() || !schema.contents().isEmpty();
        long needed = hasParts ? CatalogLayout.VERSION_OF_CHANGES : CatalogLayout.VERSION_OF_TYPES;
        if (words.get(CatalogLayout.VERSION_AT) < needed) copies.put(CatalogLayout.VERSION_AT, needed);
    }

    /** Writes the table entries of another catalog into this one. For a pool that is being made. */
    void adopt(MemorySegment entries, int count, long nextOffset) {
        for (int i = 0; i < count; i++) {
            long at = i * (long) CatalogLayout.TABLE_BYTES;
            MemorySegment.copy(entries, at, words.landing, 0, CatalogLayout.TABLE_BYTES);
            copies.putLanded(CatalogLayout.table(i), CatalogLayout.TABLE_BYTES);
        }
        copies.put(CatalogLayout.NEXT_OFFSET, nextOffset);
        copies.put(CatalogLayout.TABLE_COUNT, count);
        for (TableLayout table : all()) {
            raiseVersion(table.schema());
            if (table.hasGrown()) copies.put(CatalogLayout.VERSION_AT, CatalogLayout.VERSION_OF_CHANGES);
        }
    }

    private TableLayout readTable(int index, int partitions) {
        MemorySegment landing = words.landing;
        words.round
                .read(words.region, CatalogLayout.table(index), CatalogLayout.TABLE_BYTES, landing, 0)
                .post()
                .await();
        int length = (int) Words.plain(landing, CatalogLayout.TABLE_TEXT_BYTES);
        boolean grows = hasRoomForAreas(length);
        MemorySegment areas = MemorySegment.ofArray(new long[Extents.MAX_ADDED]);
        if (grows) takeAreas(areas);
        boolean sound = length > 0
                && length <= CatalogLayout.TABLE_BYTES - CatalogLayout.TABLE_TEXT
                && Words.plain(landing, CatalogLayout.TABLE_CHECKSUM) == entryChecksum();
        if (!sound) throw damaged(index);
        byte[] text = new byte[length];
        MemorySegment.copy(landing, ValueLayout.JAVA_BYTE, CatalogLayout.TABLE_TEXT, text, 0, length);
        TableLayout table = TableGeometry.parse(new String(text, StandardCharsets.UTF_8), partitions, tailBytes);
        if (!AreaWords.learn(table, areas, 0)) throw damaged(index);
        return table;
    }

    /** Moves the words of areas out of an entry that has landed. Each has its own check, so the checksum has zeros. */
    private void takeAreas(MemorySegment areas) {
        MemorySegment.copy(words.landing, CatalogLayout.TABLE_AREAS, areas, 0, AreaWords.BYTES);
        words.landing.asSlice(CatalogLayout.TABLE_AREAS, AreaWords.BYTES).fill((byte) 0);
    }

    private long entryChecksum() {
        return Checksum64.of(
                words.landing,
                CatalogLayout.TABLE_TEXT,
                CatalogLayout.TABLE_BYTES - CatalogLayout.TABLE_TEXT,
                Words.plain(words.landing, CatalogLayout.TABLE_TEXT_BYTES));
    }
}
