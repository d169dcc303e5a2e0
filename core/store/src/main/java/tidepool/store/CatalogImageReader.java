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
            tables.add(TableGeometry.parse(text(i), (int) partitions, SlotTrailer.bytes(protocol()))
                    .withEntry(entry));
        }
        return tables;
    }

    private String text(int index) {
        long at = CatalogLayout.table(index);
        long length = Words.plain(memory, at + CatalogLayout.TABLE_TEXT_BYTES);
        long checked = CatalogLayout.TABLE_BYTES - CatalogLayout.TABLE_TEXT;
        boolean sound = length > 0
                && length <= checked
                && Words.plain(memory, at + CatalogLayout.TABLE_CHECKSUM)
                        == Checksum64.of(memory, at + CatalogLayout.TABLE_TEXT, checked, length);
        if (!sound) throw damaged("entry " + index + " of the catalog is damaged");
        byte[] text = new byte[(int) length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at + CatalogLayout.TABLE_TEXT, text, 0, text.length);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static StoreException damaged(String what) {
        return new StoreException(StoreException.Reason.CORRUPT, what);
    }
}
