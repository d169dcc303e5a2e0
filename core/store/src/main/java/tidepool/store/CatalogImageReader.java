package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checksum64;
import tidepool.base.Words;

/**
 * A reader of the catalog in the memory of a node, for programs that inspect that memory and open no session in the
 * pool.
 */
public final class CatalogImageReader {
    private static final int MAX_PARTITIONS = CatalogLayout.REGIONS - 1;

    private final MemorySegment memory;

    private CatalogImageReader(MemorySegment memory) {
        this.memory = memory;
    }

    /** Returns a reader of region 0, as far as verbs reach it; null if no pool was ever laid out there. */
    public static CatalogImageReader of(MemorySegment memory) {
        boolean is = memory.byteSize() >= CatalogLayout.BYTES
                && Words.acquire(memory, CatalogLayout.MAGIC_AT) == CatalogLayout.MAGIC
                && CatalogLayout.isRead(Words.acquire(memory, CatalogLayout.VERSION_AT), protocol(memory));
        return is ? new CatalogImageReader(memory) : null;
    }

    /** Returns the protocol of the pool; a name of more than eight letters is cut off. */
    public String protocol() {
        return protocol(memory);
    }

    private static String protocol(MemorySegment memory) {
        return CatalogFormat.protocolText(Words.plain(memory, CatalogLayout.PROTOCOL));
    }

    /** Returns whether no change of tables was under way when the memory was written. */
    public boolean isSteady() {
        return CatalogChanges.isSteady(memory);
    }

    /** Returns all tables. Fails with {@link StoreException} if one of them cannot be read. */
    public List<TableLayout> tables() {
        long count = Words.acquire(memory, CatalogLayout.TABLE_COUNT);
        long partitions = Words.plain(memory, CatalogLayout.PARTITIONS);
        if (count < 0 || count > CatalogLayout.TABLES || partitions < 1 || partitions > MAX_PARTITIONS)
            throw damaged("the catalog says tables=" + count + " partitions=" + partitions);
        List<TableLayout> tables = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long entry = Words.acquire(memory, CatalogLayout.table(i));
            if (EntryWord.state(entry) != EntryWord.READY) continue;
            tables.add(table(i, (int) partitions).withEntry(entry));
        }
        return tables;
    }

    private TableLayout table(int index, int partitions) {
        MemorySegment entry = MemorySegment.ofArray(new long[CatalogLayout.TABLE_BYTES / Words.BYTES]);
        MemorySegment.copy(memory, CatalogLayout.table(index), entry, 0, CatalogLayout.TABLE_BYTES);
        long length = Words.plain(entry, CatalogLayout.TABLE_TEXT_BYTES);
        // The words of areas have checks of their own; the checksum has zeros in their place.
        MemorySegment areas = MemorySegment.ofArray(new long[Extents.MAX_ADDED]);
        if (CatalogTables.hasRoomForAreas(length)) {
            MemorySegment.copy(entry, CatalogLayout.TABLE_AREAS, areas, 0, AreaWords.BYTES);
            entry.asSlice(CatalogLayout.TABLE_AREAS, AreaWords.BYTES).fill((byte) 0);
        }
        long checked = CatalogLayout.TABLE_BYTES - CatalogLayout.TABLE_TEXT;
        boolean sound = length > 0
                && length <= checked
                && Words.plain(entry, CatalogLayout.TABLE_CHECKSUM)
                        == Checksum64.of(entry, CatalogLayout.TABLE_TEXT, checked, length);
        if (!sound) throw damaged("entry " + index + " of the catalog is damaged");
        byte[] text = new byte[(int) length];
        MemorySegment.copy(entry, ValueLayout.JAVA_BYTE, CatalogLayout.TABLE_TEXT, text, 0, text.length);
        TableLayout table = TableGeometry.parse(
                new String(text, StandardCharsets.UTF_8), partitions, SlotTrailer.bytes(protocol()));
        if (!AreaWords.learn(table, areas, 0)) throw damaged("entry " + index + " of the catalog is damaged");
        return table;
    }

    private static StoreException damaged(String what) {
        return new StoreException(StoreException.Reason.CORRUPT, what);
    }
}
