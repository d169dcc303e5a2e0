package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.schema.RowKey;

/**
 * An audit of what rows have to do with rows of other tables, in a pool in which no transaction runs: {@link
 * ContentAudit} and {@link IndexAudit}. It is told all rows, in any order.
 */
public final class RowAudit {
    private final ContentAudit contents = new ContentAudit();
    private final IndexAudit indexes = new IndexAudit();

    /** Begins an audit without rows. */
    public RowAudit() {}

    /** Returns whether a table has something to audit. */
    public static boolean covers(TableLayout table) {
        return ContentAudit.covers(table) || IndexAudit.covers(table);
    }

    /** Adds a table, which may have no rows. */
    public void add(TableLayout table) {
        indexes.add(table);
    }

    /** Adds a row of a table that {@link #covers} names. */
    public void add(TableLayout table, RowKey key, MemorySegment memory, long value) {
        if (ContentAudit.covers(table)) contents.add(table, key, memory, value);
        if (IndexAudit.covers(table)) indexes.add(table, key, memory, value);
    }

    /** Returns the parts of contents that rows refer to. */
    public int parts() {
        return contents.parts();
    }

    /** Returns the entries of indexes, once {@link #problems} was asked. */
    public long entries() {
        return indexes.entries();
    }

    /** Returns what is wrong, once all rows were added. */
    public List<String> problems() {
        List<String> all = new ArrayList<>(contents.problems());
        all.addAll(indexes.problems());
        return all;
    }
}
