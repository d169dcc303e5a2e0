package tidepool.schema;

import java.util.List;
import java.util.stream.Collectors;
import tidepool.base.Checks;
import tidepool.schema.AttributeType.Kind;

/**
 * The text form of a schema.
 *
 * <pre>
 *   schema    = name [ key ] "(" attribute *( "," attribute ) ")"
 *   key       = "[" attribute *( "," attribute ) "]"       none if the key is one long
 *   attribute = name ":" type
 *   type      = "byte" | "short" | "int" | "long" | "float" | "double" | "boolean" | "char"
 *             | "bytes" "[" length "]" | "string" "[" length "]"
 *   length    = digit *digit                              from 1 to 4096, no zero in front
 *   name      = ( letter | "_" ) *( letter | digit | "_" | "-" )         ASCII, at most 64 of them
 * </pre>
 *
 * Blanks may stand between any two of these. Printing writes one after each comma and none elsewhere.
 */
final class SchemaText {
    private static final int MAX_NAME = 64;
    private static final int MAX_QUOTED = 120;

    private final String text;
    private int at;

    private SchemaText(String text) {
        this.text = text;
    }

    static String print(String name, KeySchema key, List<Attribute> attributes) {
        String before = name + key.text() + "(";
        return attributes.stream().map(Attribute::text).collect(Collectors.joining(", ", before, ")"));
    }

    static Schema parse(String text) {
        Checks.argument(text != null, "not a schema: the text is null");
        return new SchemaText(text).schema();
    }

    /** Returns the name. Refuses a name that the text form cannot hold. */
    static String checkName(String what, String name) {
        boolean good = name != null && !name.isEmpty() && name.length() <= MAX_NAME && isFirst(name.charAt(0));
        for (int i = 1; good && i < name.length(); i++) good = isLetter(name.charAt(i));
        if (!good)
            throw new IllegalArgumentException("not a name of " + (what.startsWith("a") ? "an " : "a ") + what + ": "
                    + quote(name) + "; a name is a letter or _, then letters, digits, _ and -, at most " + MAX_NAME
                    + " in all, from ASCII");
        return name;
    }

    private Schema schema() {
        Schema.Builder builder = Schema.builder(name("table"));
        if (accept('[')) {
            do {
                String part = name("attribute");
                expect(':', "after the name of a part of the key");
                builder.key(part, type());
            } while (accept(','));
            expect(']', "or ',' after a part of the key");
        }
        expect('(', "behind the table's name");
        do {
            String attribute = name("attribute");
            expect(':', "behind the attribute's name");
            builder.attribute(attribute, type());
        } while (accept(','));
        expect(')', "or ',' behind an attribute");
        skipBlanks();
        if (at < text.length()) throw wrong("nothing more is expected behind ')'");
        return builder.build();
    }

    private String name(String what) {
        String word = word();
        if (word.isEmpty()) throw wrong("the name of " + (what.startsWith("a") ? "an " : "a ") + what + " is expected");
        return checkName(what, word);
    }

    private AttributeType type() {
        String word = word();
        for (Kind kind : Kind.values()) {
            if (!kind.text().equals(word)) continue;
            if (!kind.hasLength()) return AttributeType.of(kind);
            expect('[', "and a length behind '" + word + "'");
            int length = length();
            expect(']', "behind the length");
            return new AttributeType(kind, length);
        }
        at -= word.length();
        throw wrong("a type is expected: byte, short, int, long, float, double, boolean, char, bytes[n] or string[n]");
    }

    private int length() {
        skipBlanks();
        int from = at;
        while (at < text.length() && isDigit(text.charAt(at))) at++;
        String digits = text.substring(from, at);
        // A number of five digits exceeds the longest value; the type refuses it.
        if (!digits.isEmpty() && digits.length() <= 5 && digits.charAt(0) != '0') return Integer.parseInt(digits);
        at = from;
        throw wrong("a length from 1 to " + Schema.MAX_BYTES + " is expected");
    }

    private String word() {
        skipBlanks();
        int from = at;
        while (at < text.length() && isLetter(text.charAt(at))) at++;
        return text.substring(from, at);
    }

    private void expect(char mark, String where) {
        if (!accept(mark)) throw wrong("'" + mark + "' is expected " + where);
    }

    private boolean accept(char mark) {
        skipBlanks();
        if (at == text.length() || text.charAt(at) != mark) return false;
        at++;
        return true;
    }

    private void skipBlanks() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\n')) at++;
    }

    private IllegalArgumentException wrong(String what) {
        String where = at == text.length() ? "at the end" : "at character " + at;
        return new IllegalArgumentException("not a schema: " + what + ", " + where + " of " + quote(text));
    }

    /** Returns the text in quotation marks, cut where it is too long for a message. */
    static String quote(String text) {
        if (text == null) return "null";
        return text.length() <= MAX_QUOTED ? "'" + text + "'" : "'" + text.substring(0, MAX_QUOTED) + "…'";
    }

    private static boolean isFirst(char c) {
        return isLetter(c) && !isDigit(c) && c != '-';
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c == '_' || c == '-';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
