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

    /** The bytes of each partition that are zeroed while the catalog lock is held. */
    private static final long SLICE_BYTES = 4L << 20;

    private final Catalog catalog;
    private final CatalogCopies copies;
    private final CatalogWords words;
    private final CatalogSpace space;
    private final CatalogChanges changes;
    private final long tailBytes; // bytes of the trailer after each record

    /** The row format of tables that are made from here on. */
    RowFormat.Maker rows = RowFormat::plain;

    CatalogTables(Catalog catalog, CatalogCopies copies, CatalogChanges changes, long tailBytes) {
        this.catalog = catalog;
        this.copies = copies;
        this.words = copies.first();
        this.space = new CatalogSpace(copies);
        this.changes = changes;
        this.tailBytes = tailBytes;
    }

    /** Returns the tables that may be used. */
    List<TableLayout> all() {
        return entries().stream().filter(TableLayout::isReady).toList();
    }

    /** Returns the tables that may be used now or when their memory is clean. */
    List<TableLayout> named() {
        return entries().stream()
                .filter(table -> table.isReady() || table.isEmptying())
                .toList();
    }

    /** Returns all entries that have memory, also those of dropped tables. */
    private List<TableLayout> entries() {
        int count = (int) words.get(CatalogLayout.TABLE_COUNT);
        int partitions = catalog.placement().partitions();
        List<TableLayout> tables = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TableLayout table = readTable(i, partitions);
            if (table != null) tables.add(table);
        }
        for (TableLayout each : List.copyOf(tables)) if (each.isBefore() && each.isReady()) join(tables, each);
        return tables;
    }

    /** Tells a table from which other one its rows move. */
    private static void join(List<TableLayout> tables, TableLayout before) {
        String name = before.name().substring(0, before.name().length() - TableLayout.BEFORE.length());
        for (int i = 0; i < tables.size(); i++)
            if (tables.get(i).name().equals(name) && tables.get(i).origin() == before.origin())
                tables.set(i, tables.get(i).withBefore(before));
    }

    /** Returns the table with this name, or null. Cleans its memory if it was emptied. */
    TableLayout find(String name) {
        while (true) {
            TableLayout found = named(name);
            if (found == null || found.isReady()) return found;
            clean(found);
        }
    }

    private TableLayout named(String name) {
        for (TableLayout table : named()) if (table.name().equals(name)) return table;
        return null;
    }

    /**
     * Returns the table with this schema. Makes it with room for {@code count} rows if there is none. A table that
     * exists must have an identical schema, and identical room unless {@code anySize}.
     */
    TableLayout findOrMake(Schema schema, long count, boolean anySize) {
        TableLayout known = find(schema.name());
        boolean exists = known != null;
        if (known == null) known = make(schema, count);
        // The session that made the table may not have flushed the count or the entry yet. Otherwise a loss of power
        // could take the table, and the rows that this session puts into it.
        if (catalog.flush().isDurable()) {
            if (changes.any()) words.persist(CatalogLayout.table(known.id() - 1));
            words.persist(CatalogLayout.TABLE_COUNT);
        }
        if (!schema.accepts(known.schema())) {
            if (schema.withIndexes(List.of()).accepts(known.schema())) throw lacksIndex(known, schema);
            throw new StoreException(
                    Reason.MISMATCH,
                    "table " + schema.name() + " has another schema in this pool: there " + known.schema() + ", here "
                            + schema);
        }
        if (exists && !anySize) requireRoom(known, schema, count);
        return known;
    }

    /** The message says which index, and how the table gets it. */
    private static StoreException lacksIndex(TableLayout known, Schema schema) {
        try {
            schema.requireSame(known.schema());
        } catch (IllegalArgumentException e) {
            return new StoreException(Reason.MISMATCH, e.getMessage());
        }
        throw new AssertionError(schema);
    }

    /**
     * Refuses a size that the table does not have. Otherwise a program that asked for more rows would find the table
     * full early.
     */
    void requireRoom(TableLayout known, Schema schema, long count) {
        if (known.keptOrigin() != 0) return; // the room follows from that of the version before
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
     * Makes the tables for the parts of long contents, and for the nodes of indexes, before the table itself. If a
     * session died in between, they are there already, and empty. Only with the lock.
     */
    private void makeHidden(Schema schema, long count) {
        for (Schema hidden : ContentParts.tablesOf(schema))
            if (named(hidden.name()) == null) create(hidden, Math.min(count, MAX_PART_ROWS));
        makeNodes(schema, count);
    }

    /**
     * Makes the table for the nodes of the indexes of a table with {@code count} rows, unless it is there or the schema
     * has no indexes. Only with the lock.
     */
    void makeNodes(Schema schema, long count) {
        if (schema.indexes().isEmpty() || named(IndexNodes.nameOf(schema)) != null) return;
        create(IndexNodes.tableOf(schema), IndexNodes.rows(count));
    }

    /** Makes the table for nodes, unless it is there. If there is no room, cleans that of dropped tables first. */
    void makeNodesAlone(Schema schema, long count) {
        while (true) {
            changes.lock();
            try {
                makeNodes(schema, count);
                return;
            } catch (StoreException full) {
                if (full.reason() != Reason.FULL || !anyToClean()) throw full;
            } finally {
                changes.unlock();
            }
            clean();
        }
    }

    /** Makes a table, unless another session has made it. If there is no room, cleans that of dropped tables first. */
    private TableLayout make(Schema schema, long count) {
        while (true) {
            changes.lock();
            try {
                TableLayout known = named(schema.name());
                if (known == null) {
                    makeHidden(schema, count);
                    return create(schema, count);
                }
                if (known.isReady()) return known;
            } catch (StoreException full) {
                if (full.reason() != Reason.FULL || !anyToClean()) throw full;
            } finally {
                changes.unlock();
            }
            clean();
        }
    }

    private TableLayout create(Schema schema, long count) {
        int made = (int) words.get(CatalogLayout.TABLE_COUNT);
        int index = freeEntry(made);
        if (index == CatalogLayout.TABLES)
            throw new StoreException(Reason.FULL, "the pool has all its " + index + " tables");
        int partitions = catalog.placement().partitions();
        RowFormat format = rows.of(schema);
        TableLayout anywhere = TableGeometry.lay(index + 1, schema, count, partitions, 0, format, tailBytes);
        long base = space.take(usedAreas(), anywhere.areaBytes(), "table " + schema.name() + " for " + count + " rows");
        long changed = changes.count();
        TableLayout table = TableGeometry.lay(index + 1, schema, count, partitions, base, format, tailBytes)
                .withEntry(EntryWord.of(EntryWord.READY, changed, changed));
        byte[] image = image(table);
        raiseVersion(schema); // before the table is there
        boolean isNew = index == made;
        MemorySegment.copy(image, 0, words.landing, ValueLayout.JAVA_BYTE, 0, image.length);
        // An entry that was used before is free until its first word says otherwise.
        if (!isNew) Words.plain(words.landing, CatalogLayout.TABLE_STATE, EntryWord.FREE);
        copies.putLanded(CatalogLayout.table(index), CatalogLayout.TABLE_BYTES);
        if (!isNew && catalog.flush().isDurable()) copies.flush();
        // The word that makes the entry a table is written last, and to the first node last: a crash before that leaves
        // bytes that nothing refers to. It is changed by a CAS, because other sessions that find the table persist the
        // word by an atomic verb.
        long at = isNew ? CatalogLayout.TABLE_COUNT : CatalogLayout.table(index);
        long before = isNew ? index : EntryWord.FREE;
        long after = isNew ? index + 1 : table.entry();
        for (int node = 1; node < copies.count(); node++) copies.at(node).put(at, after);
        if (catalog.flush().isDurable()) copies.flush();
        words.swap(at, before, after);
        return table;
    }

    /** Returns the first entry without a table; the one after the last if all before it have one. */
    private int freeEntry(int made) {
        for (int i = 0; changes.any() && i < made; i++)
            if (words.get(CatalogLayout.table(i)) == EntryWord.FREE) return i;
        return made;
    }

    /** Returns the entry of a table as it lies in the catalog. */
    private byte[] image(TableLayout table) {
        byte[] text = TableGeometry.text(table).getBytes(StandardCharsets.UTF_8);
        if (text.length > CatalogLayout.TABLE_BYTES - CatalogLayout.TABLE_TEXT - Words.BYTES)
            throw new StoreException(Reason.FULL, "the schema of table " + table.name() + " is too long to be stored");
        MemorySegment landing = words.landing;
        landing.asSlice(0, CatalogLayout.TABLE_BYTES).fill((byte) 0);
        Words.plain(landing, CatalogLayout.TABLE_STATE, table.entry());
        Words.plain(landing, CatalogLayout.TABLE_TEXT_BYTES, text.length);
        MemorySegment.copy(text, 0, landing, ValueLayout.JAVA_BYTE, CatalogLayout.TABLE_TEXT, text.length);
        Words.plain(landing, CatalogLayout.TABLE_CHECKSUM, entryChecksum());
        return landing.asSlice(0, CatalogLayout.TABLE_BYTES).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Returns the areas that are in use, also those that are not clean yet. */
    private List<CatalogSpace.Used> usedAreas() {
        equalizeAreas();
        return entries().stream()
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
    static boolean hasRoomForAreas(long textBytes) {
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
        changes.lock();
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
            changes.raiseVersion(CatalogLayout.VERSION_OF_CHANGES); // before the area is there
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
            changes.unlock();
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

    // ---- changes of tables, by a session that holds the catalog lock and has shut out all others

    /** Returns what has become of a table; null if it is no more. */
    TableLayout now(TableLayout table) {
        return named().stream()
                .filter(each -> each.isOfTable(table))
                .findFirst()
                .orElse(null);
    }

    /** Returns the tables that belong to a table and that no application sees. */
    List<TableLayout> hiddenOf(TableLayout table) {
        List<TableLayout> hidden = new ArrayList<>();
        for (String name : ContentParts.allNamesOf(table.schema())) {
            TableLayout found = named(name);
            if (found != null) hidden.add(found);
        }
        TableLayout nodes = named(IndexNodes.nameOf(table.schema()));
        if (nodes != null) hidden.add(nodes);
        return hidden;
    }

    /** Replaces two tables by other states of them. */
    void replaceTwo(TableLayout after, TableLayout second) {
        byte[] image = image(after);
        changes.commitTwo(after.id() - 1, image, second.id() - 1, image(second));
    }

    /** Refuses states of two tables that cannot change together. */
    void requireFitsTwo(TableLayout after, TableLayout second) {
        requireFits(after, List.of());
        int bytes = TableGeometry.text(second).getBytes(StandardCharsets.UTF_8).length;
        CatalogChanges.requireFitsSecond(second, (int) CatalogLayout.TABLE_TEXT + bytes);
    }

    /** Replaces a table, and those that belong to it, by other states of them. */
    void replace(TableLayout after, List<TableLayout> hidden) {
        byte[] image = image(after);
        int[] entries = hidden.stream().mapToInt(each -> each.id() - 1).toArray();
        changes.commit(
                after.id() - 1, image, entries, hidden.stream().map(this::image).toList());
    }

    /** Refuses a state of a table that its entry cannot hold, or those of hidden ones that the record cannot hold. */
    void requireFits(TableLayout after, List<TableLayout> hidden) {
        byte[] text = TableGeometry.text(after).getBytes(StandardCharsets.UTF_8);
        image(after);
        if (after.hasGrown() && !hasRoomForAreas(text.length))
            throw new StoreException(
                    Reason.FULL, "the schema of table " + after.name() + " is too long for a table that has grown");
        for (TableLayout each : hidden) {
            int bytes = TableGeometry.text(each).getBytes(StandardCharsets.UTF_8).length;
            CatalogChanges.requireFits(each, (int) CatalogLayout.TABLE_TEXT + bytes, hidden.size());
        }
    }

    // ---- memory of dropped and emptied tables

    private boolean anyToClean() {
        return entries().stream().anyMatch(table -> !table.isReady());
    }

    /** Cleans the memory of all dropped and emptied tables, so that it can be used. */
    void clean() {
        for (TableLayout table : entries()) if (!table.isReady()) clean(table);
    }

    /**
     * Writes zeros over the area of a table in all copies, then makes its entry free, or the table ready. Other
     * sessions may do the same: each writes under the lock, and only while the entry is as it was. So no session
     * writes any more once another one has ended it.
     */
    private void clean(TableLayout table) {
        try (AreaCleaner cleaner = catalog.cleaner()) {
            for (TableLayout.Area area : table.areas())
                for (long at = 0; at < area.bytes(); at += SLICE_BYTES)
                    if (!cleanSlice(cleaner, table, area.base() + at, Math.min(SLICE_BYTES, area.bytes() - at))) return;
            end(cleaner, table);
        }
    }

    private boolean cleanSlice(AreaCleaner cleaner, TableLayout table, long at, long bytes) {
        changes.lock();
        try {
            if (words.get(CatalogLayout.table(table.id() - 1)) != table.entry()) return false;
            cleaner.zero(at, bytes);
            return true;
        } finally {
            changes.unlock();
        }
    }

    /** Makes the entry free, or the table ready. All of its memory was zeroed here, in the state that it still has. */
    private void end(AreaCleaner cleaner, TableLayout table) {
        changes.lock();
        try {
            if (words.get(CatalogLayout.table(table.id() - 1)) != table.entry()) return;
            if (catalog.flush().isDurable()) cleaner.flush();
            long next = table.isEmptying() ? EntryWord.with(table.entry(), EntryWord.READY) : EntryWord.FREE;
            copies.put(CatalogLayout.table(table.id() - 1), next);
            if (catalog.flush().isDurable()) copies.flush();
        } finally {
            changes.unlock();
        }
    }

    /** Makes programs refuse the pool by its version that cannot read this schema. */
    private void raiseVersion(Schema schema) {
        if (!schema.indexes().isEmpty() || IndexNodes.isOfNodes(schema)) {
            changes.raiseVersion(CatalogLayout.VERSION_OF_INDEXES);
            return;
        }
        boolean hasVersions = schema.hasDefaults() || TableLayout.isVersion(schema.name());
        if (schema.isBasic() && !hasVersions) return;
        boolean hasParts = schema.isHidden() || !schema.contents().isEmpty();
        long needed = hasParts ? CatalogLayout.VERSION_OF_CHANGES : CatalogLayout.VERSION_OF_TYPES;
        changes.raiseVersion(hasVersions ? CatalogLayout.VERSION_12 : needed);
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
        long changed = 0;
        boolean plain = true;
        for (int i = 0; i < count; i++) {
            long word = Words.plain(entries, i * (long) CatalogLayout.TABLE_BYTES);
            changed = Math.max(changed, EntryWord.emptied(word));
            plain &= word == EntryWord.READY;
        }
        // Handles of earlier tables are told apart by the number of the change at which a table was made.
        if (!plain) {
            changes.raiseVersion(CatalogLayout.VERSION_OF_CHANGES);
            changes.adopt(changed);
        }
        for (TableLayout table : entries()) {
            raiseVersion(table.schema());
            if (table.hasGrown()) changes.raiseVersion(CatalogLayout.VERSION_OF_CHANGES);
            if (table.keptOrigin() != 0) changes.raiseVersion(CatalogLayout.VERSION_12);
            TableLayout before = table.before();
            if (before != null) changes.raiseVersion(CatalogChanges.versionOf(before.schema(), table.schema()));
        }
    }

    /** Returns the table of an entry; null if it is free. */
    private TableLayout readTable(int index, int partitions) {
        MemorySegment landing = words.landing;
        words.round
                .read(words.region, CatalogLayout.table(index), CatalogLayout.TABLE_BYTES, landing, 0)
                .post()
                .await();
        long entry = Words.plain(landing, CatalogLayout.TABLE_STATE);
        if (entry == EntryWord.FREE) return null;
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
        return table.withEntry(entry);
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
