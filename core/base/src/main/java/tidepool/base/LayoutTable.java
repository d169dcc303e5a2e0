package tidepool.base;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The byte table of a layout as text: offset, size, name, meaning. Tests compare it with {@code
 * docs/internals/layouts}, so that a changed layout shows up in review as a changed table.
 */
public final class LayoutTable {
    private final Map<String, String> meanings;
    private final Set<String> used = new HashSet<>();
    private final StringBuilder text = new StringBuilder();

    private LayoutTable(Map<String, String> meanings) {
        this.meanings = meanings;
    }

    /** Returns the table without meanings. */
    public static String of(StructLayout layout) {
        return of(layout, Map.of());
    }

    /**
     * Returns the table with the meanings of fields, by name. A field of a nested struct is {@code outer.inner}. A
     * meaning for a field that does not exist is refused, because it is left over from an older layout.
     */
    public static String of(StructLayout layout, Map<String, String> meanings) {
        LayoutTable table = new LayoutTable(meanings);
        table.text
                .append(layout.name().orElse("struct"))
                .append(", ")
                .append(layout.byteSize())
                .append(" bytes, aligned to ")
                .append(layout.byteAlignment())
                .append("\n\n");
        table.line("offset", "size", "field", "meaning");
        table.members(layout, 0, "");
        Set<String> unknown = new TreeSet<>(meanings.keySet());
        unknown.removeAll(table.used);
        Checks.argument(unknown.isEmpty(), "meanings of fields that are not there: fields=" + unknown);
        return table.text.toString();
    }

    /** Returns the contents of memory, field by field: offset, name, and the word in hex and as a signed decimal. */
    public static String values(StructLayout layout, MemorySegment memory, long at) {
        StringBuilder text = new StringBuilder();
        long offset = at;
        for (MemoryLayout member : layout.memberLayouts()) {
            boolean isWord = member instanceof ValueLayout.OfLong || member instanceof ValueLayout.OfInt;
            if (isWord && offset + member.byteSize() <= memory.byteSize()) {
                long value = member.byteSize() == Words.BYTES
                        ? memory.get(Words.U64, offset)
                        : Integer.toUnsignedLong(memory.get(Words.U32, offset));
                String name = member.name().orElse("(no name)");
                text.append(" ".repeat(Math.max(0, 8 - Long.toString(offset).length())))
                        .append(offset)
                        .append("  ")
                        .append(name)
                        .append(" ".repeat(Math.max(1, 16 - name.length())))
                        .append("0x")
                        .append(Long.toHexString(value))
                        .append("  ")
                        .append(value)
                        .append('\n');
            }
            offset += member.byteSize();
        }
        return text.toString();
    }

    private void members(GroupLayout group, long offset, String prefix) {
        for (MemoryLayout member : group.memberLayouts()) {
            member(member, offset, prefix);
            offset += member.byteSize();
        }
    }

    private void member(MemoryLayout member, long offset, String prefix) {
        String name = prefix + member.name().orElse(member instanceof PaddingLayout ? "(padding)" : "(no name)");
        if (member instanceof StructLayout inner) {
            if (meanings.containsKey(name)) field(offset, inner.byteSize(), name, name);
            members(inner, offset, name + ".");
        } else if (member instanceof SequenceLayout sequence) {
            field(offset, sequence.byteSize(), name, name + "[" + sequence.elementCount() + "]");
        } else {
            field(offset, member.byteSize(), name, name);
        }
    }

    private void field(long offset, long size, String name, String shown) {
        used.add(name);
        line(Long.toString(offset), Long.toString(size), shown, meanings.getOrDefault(name, ""));
    }

    private void line(String offset, String size, String name, String meaning) {
        text.append(" ".repeat(Math.max(0, 6 - offset.length())))
                .append(offset)
                .append(" ".repeat(Math.max(1, 7 - size.length())))
                .append(size)
                .append("  ")
                .append(name);
        if (!meaning.isEmpty())
            text.append(" ".repeat(Math.max(1, 24 - name.length()))).append(meaning);
        text.append('\n');
    }
}
