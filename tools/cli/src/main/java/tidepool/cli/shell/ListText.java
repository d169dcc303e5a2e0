package tidepool.cli.shell;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import tidepool.schema.Attribute;
import tidepool.schema.AttributeType;
import tidepool.schema.Field;
import tidepool.schema.ValueFields.ListField;

/**
 * Lists as text in both directions, as in {@code [1, null, 3]} and {@code [{sku='a', count=2}, {sku='b'}]}. An element
 * is handled by {@link FieldText} in memory of its own, because it is not aligned in its list.
 */
final class ListText {
    private static final String RECORD = "a record in braces, {name=value, ...}";

    private ListText() {}

    /** Writes a list in brackets into a field of the value that begins at {@code offset}. */
    static void write(ListField field, String text, MemorySegment memory, long offset) {
        if (!isIn(text, '[', ']'))
            throw new StatementException(
                    "field '" + field.attribute().name() + "' is a list, as in [1, 2], not '" + text + "'");
        List<List<LexToken>> elements = split(text);
        field.setCount(memory, offset, elements.size());
        AttributeType element = field.attribute().type().element();
        for (int i = 0; i < elements.size(); i++) {
            String name = field.attribute().name() + "[" + i + "]";
            if (elements.get(i).size() != 1) throw new StatementException(name + " is no single value: " + text);
            write(element, name, elements.get(i).getFirst(), memory, field.at(offset, i));
        }
    }

    private static void write(AttributeType type, String name, LexToken word, MemorySegment memory, long at) {
        MemorySegment own = MemorySegment.ofArray(new long[(type.bytes() + Long.BYTES - 1) / Long.BYTES]);
        if (type.kind() == AttributeType.Kind.RECORD) writeRecord(type, name, word, own);
        else FieldText.write(Field.of(new Attribute(0, name, type, 0)), word, own, 0);
        MemorySegment.copy(own, 0, memory, at, type.bytes());
    }

    private static void writeRecord(AttributeType type, String name, LexToken word, MemorySegment own) {
        if (type.isNullable() && !word.isQuoted() && word.text().equalsIgnoreCase("null")) return;
        if (!isIn(word.text(), '{', '}'))
            throw new StatementException(name + " is " + RECORD + ", not '" + word.text() + "'");
        if (type.isNullable()) own.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        for (List<LexToken> each : split(word.text())) {
            if (each.size() != 3 || !each.get(1).is('='))
                throw new StatementException(name + " is " + RECORD + ", not '" + word.text() + "'");
            Attribute member = member(type, name, each.getFirst().text());
            write(member.type(), name + "." + member.name(), each.get(2), own, head(type) + member.offset());
        }
    }

    private static Attribute member(AttributeType type, String name, String member) {
        List<String> known = new ArrayList<>();
        for (Attribute each : type.members()) {
            if (each.name().equals(member)) return each;
            known.add(each.name());
        }
        throw new StatementException(name + " has no field '" + member + "'; it has " + String.join(", ", known));
    }

    private static boolean isIn(String text, char open, char close) {
        return text.length() >= 2 && text.charAt(0) == open && text.charAt(text.length() - 1) == close;
    }

    /** Returns the tokens between the outer brackets, in groups with commas between them. */
    private static List<List<LexToken>> split(String text) {
        List<List<LexToken>> groups = new ArrayList<>();
        List<LexToken> group = new ArrayList<>();
        List<LexToken> tokens = Lexer.tokens(text.substring(1, text.length() - 1));
        if (tokens.isEmpty()) return groups;
        for (LexToken token : tokens) {
            if (token.is(',')) {
                groups.add(group);
                group = new ArrayList<>();
            } else {
                group.add(token);
            }
        }
        groups.add(group);
        return groups;
    }

    /** Returns a list in the form in which a user would type it. */
    static String print(ListField field, MemorySegment memory, long offset) {
        StringJoiner text = new StringJoiner(", ", "[", "]");
        AttributeType element = field.attribute().type().element();
        for (int i = 0; i < field.count(memory, offset); i++) text.add(print(element, memory, field.at(offset, i)));
        return text.toString();
    }

    private static String print(AttributeType type, MemorySegment memory, long at) {
        MemorySegment own = MemorySegment.ofArray(new long[(type.bytes() + Long.BYTES - 1) / Long.BYTES]);
        MemorySegment.copy(memory, at, own, 0, type.bytes());
        if (type.kind() != AttributeType.Kind.RECORD)
            return FieldText.print(Field.of(new Attribute(0, "element", type, 0)), own, 0);
        if (type.isNullable() && own.get(ValueLayout.JAVA_BYTE, 0) == 0) return "null";
        StringJoiner text = new StringJoiner(", ", "{", "}");
        for (Attribute each : type.members())
            text.add(each.name() + "=" + print(each.type(), own, head(type) + each.offset()));
        return text.toString();
    }

    private static int head(AttributeType type) {
        return type.isNullable() ? 1 : 0;
    }
}
