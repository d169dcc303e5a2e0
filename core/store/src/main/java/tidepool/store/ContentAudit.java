package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tidepool.schema.ContentField;
import tidepool.schema.RowKey;
import tidepool.store.farmv2.ChainLayout;
import tidepool.store.motor.PackageLayout;

/**
 * An audit of the long contents of a pool in which no transaction runs: every part belongs to exactly one row, and no
 * row lacks one. It is told all rows and all parts, in any order.
 */
public final class ContentAudit {
    private final Map<String, Integer> wanted = new TreeMap<>(); // bytes, by the name of the part
    private final Map<String, Integer> found = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    /** Begins an audit without rows and parts. */
    public ContentAudit() {}

    /** Returns whether a table has something to audit. */
    public static boolean covers(TableLayout table) {
        return ContentParts.isOfParts(table) || !table.schema().contents().isEmpty();
    }

    /** Returns where the newest value of a row lies, in the partition of its slot. */
    public static long valueOffset(TableLayout table, long slotPointer) {
        if (table.format().isPlain()) return Pointer.offset(slotPointer) + ObjectLayout.CONTENT;
        return table.format().kind().equals(ChainLayout.KIND)
                ? Pointer.offset(slotPointer) + ObjectLayout.CONTENT + ChainLayout.VALUE
                : Pointer.offset(table.side(slotPointer)) + PackageLayout.VALUE;
    }

    /** Adds a row of a table that {@link #covers} names. */
    public void add(TableLayout table, RowKey key, MemorySegment memory, long value) {
        if (ContentParts.isOfParts(table)) part(table, key, memory, value);
        else row(table, key, memory, value);
    }

    private void row(TableLayout table, RowKey key, MemorySegment memory, long value) {
        try {
            for (ContentField field : table.schema().contents()) {
                if (!field.isInParts(memory, value)) continue;
                int length = field.length(memory, value);
                for (int i = 0; i < ContentParts.count(length); i++) {
                    String hidden = ContentParts.nameOf(table.schema(), length, i);
                    String part = name(hidden, field.writer(memory, value), field.firstPart(memory, value) + i);
                    if (wanted.put(part, ContentParts.bytes(length, i)) != null)
                        problems.add(part + " belongs to two contents, one of them in row " + key);
                }
            }
        } catch (IllegalStateException e) {
            problems.add("row " + key + " of table " + table.name() + ": " + e.getMessage());
        }
    }

    private void part(TableLayout hidden, RowKey key, MemorySegment memory, long value) {
        String part = name(hidden.name(), (Long) key.get(0), (Integer) key.get(1));
        found.put(part, ContentParts.length(memory, value));
    }

    private static String name(String hidden, long writer, int number) {
        return "part " + TxnId.text(writer) + ":" + number + " of " + hidden;
    }

    /** Returns the parts that rows refer to. */
    public int parts() {
        return wanted.size();
    }

    /** Returns what is wrong, once all rows and parts were added. */
    public List<String> problems() {
        List<String> all = new ArrayList<>(problems);
        wanted.forEach((part, bytes) -> {
            Integer there = found.get(part);
            if (there == null) all.add(part + " is missing");
            else if (!there.equals(bytes)) all.add(part + " has " + there + " bytes, its row wants " + bytes);
        });
        for (String part : found.keySet()) if (!wanted.containsKey(part)) all.add(part + " belongs to no row");
        return all;
    }
}
