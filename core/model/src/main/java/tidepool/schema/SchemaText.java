package tidepool.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import tidepool.base.Checks;
import tidepool.schema.AttributeType.Kind;

/**
 * The text form of a schema.
 *
 * <pre>{@code
 *   schema    = name [ "." name ] [ key ] "(" given *( "," given ) [ ";" given *( "," given ) ] ")" *index
 *             , where a hidden table has two names, and dropped attributes follow the semicolon
 *   index     = [ "building" | "dropping" ] ( "index" | "unique" ) name "#" number "(" [ column *( "," column ) ] ")"
 *   column    = name *( "." name )                        an attribute, or a part of the key, or "key"
 *   number    = digit *digit                              from 1 to 127; no zero in front
 *   given     = attribute [ "=" "'" text "'" ]            its default; a quotation mark in it is doubled
 *   key       = "[" attribute *( "," attribute ) "]"       none if the key is one long
 *   attribute = name ":" type
 *             , where the name may be a path, name *( "." name ): an attribute of a nested record
 *   type      = ( "byte" | "short" | "int" | "long" | "float" | "double" | "boolean" | "char"
 *             | "bytes" "[" length "]" | "string" "[" length "]"
 *             | "instant" | "duration" | "date" | "uuid" | "present" | "decimal" "[" length "]"
 *             | "varstring" "[" length "]" | "varbytes" "[" length "]"
 *             | "enum" "<" name *( "," name ) ">" | "list" "<" type ">" "[" length "]"
 *             | "record" "<" attribute *( "," attribute ) ">" | "codec" "<" name "/" length ">" "[" length "]"
 *             | "longstring" "[" length "]" | "longbytes" "[" length "]" | "longlist" "<" type ">" "[" length "]"
 *             | "longcodec" "<" name "/" length ">" "[" length "]"
 *             ) [ "?" ]
 *   length    = digit *digit                              from 1 to 4096, or to 1048576; no zero in front
 *   name      = ( letter | "_" ) *( letter | digit | "_" | "-" )         ASCII, at most 64 of them
 * }</pre>
 *
 * Blanks may stand between any two of these. Printing writes one after each comma and none elsewhere. Programs before
 * version 0.1.0 know the types of the first two lines only, and refuse all others: a type is expected.
 */
final class SchemaText {
    private static final int MAX_NAME = 64;
    private static final int MAX_PATH = 255;
    private static final int MAX_QUOTED = 120;
    private static final int MAX_DEPTH = 8;

    private final String text;
    private int at;
    private int depth;

    private SchemaText(String text) {
        this.text = text;
    }

    static String print(String name, KeySchema key, List<Attribute> attributes) {
        String before = name + key.text() + "(";
        return attributes.stream().map(Attribute::text).collect(Collectors.joining(", ", before, ")"));
    }

    /** Prints a schema with defaults. */
    static String print(
            String name,
            KeySchema key,
            List<Attribute> attributes,
            Map<String, String> defaults,
            List<Attribute> dropped) {
        StringJoiner all = new StringJoiner(", ", name + key.text() + "(", "");
        for (Attribute each : attributes) all.add(each.text() + given(defaults.get(each.name())));
        if (dropped.isEmpty()) return all + ")";
        StringJoiner gone = new StringJoiner(", ", "; ", ")");
        for (Attribute each : dropped) gone.add(each.text() + given(defaults.get(each.name())));
        return all.toString() + gone;
    }

    /** Prints a schema with indexes. */
    static String withIndexes(String text, List<IndexSchema> indexes) {
        StringBuilder all = new StringBuilder(text);
        for (IndexSchema each : indexes) all.append(' ').append(each.text());
        return all.toString();
    }

    private static String given(String text) {
        return text == null ? "" : "='" + text.replace("'", "''") + "'";
    }

    static String print(AttributeType type) {
        String parts =
                switch (type.kind()) {
                    case ENUM -> "<" + String.join(", ", type.constants()) + ">";
                    case LIST, LONGLIST -> "<" + type.element().text() + ">";
                    case RECORD ->
                        type.members().stream().map(Attribute::text).collect(Collectors.joining(", ", "<", ">"));
                    case CODEC, LONGCODEC -> "<" + type.codec() + ">";
                    default -> "";
                };
        String length = type.length() == 0 ? "" : "[" + type.length() + "]";
        return type.kind().text() + parts + length + (type.isNullable() ? "?" : "");
    }

    static AttributeType parseType(String text) {
        Checks.argument(text != null, "not a type: the text is null");
        SchemaText source = new SchemaText(text);
        AttributeType type = source.type();
        source.skipBlanks();
        if (source.at < text.length()) throw source.wrong("nothing more is expected behind a type");
        return type;
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
            throw new IllegalArgumentException("not a name of " + article(what) + ": "
                    + quote(name) + "; a name is a letter or _, then letters, digits, _ and -, at most " + MAX_NAME
                    + " in all, from ASCII");
        return name;
    }

    /** Returns the name of an attribute: names with dots between them. Refuses one that the text form cannot hold. */
    static String checkPath(String path) {
        if (path == null || path.indexOf('.') < 0) return checkName("attribute", path);
        for (String each : path.split("\\.", -1)) checkName("attribute", each);
        if (path.length() > MAX_PATH)
            throw new IllegalArgumentException(
                    "the name of an attribute has at most " + MAX_PATH + " characters: " + quote(path));
        return path;
    }

    /** Returns name and version of a codec, {@code money/1}. Refuses what the text form cannot hold. */
    static String checkCodec(String codec) {
        int slash = codec == null ? -1 : codec.indexOf('/');
        if (slash < 0 || !codec.substring(slash + 1).matches("[1-9][0-9]{0,3}"))
            throw new IllegalArgumentException(
                    "a codec is a name and a version from 1 to 9999, as in money/1, not " + quote(codec));
        checkName("codec", codec.substring(0, slash));
        return codec;
    }

    private Schema schema() {
        String table = name("table");
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            table += "." + name("table");
        }
        Schema.Builder builder = Schema.hiddenBuilder(table);
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
            String attribute = path();
            expect(':', "behind the attribute's name");
            AttributeType type = type();
            if (accept('=')) builder.attribute(attribute, type, literal());
            else builder.attribute(attribute, type);
        } while (accept(','));
        if (accept(';')) dropped(builder);
        expect(')', "or ',' behind an attribute");
        Schema schema = builder.build();
        List<IndexSchema> indexes = indexes();
        if (at < text.length()) throw wrong("nothing more is expected behind ')'");
        return indexes.isEmpty() ? schema : schema.withIndexes(indexes);
    }

    private List<IndexSchema> indexes() {
        List<IndexSchema> indexes = new ArrayList<>();
        for (String word = word(); !word.isEmpty(); word = word()) {
            IndexSchema.State state = IndexSchema.State.READY;
            for (IndexSchema.State each : IndexSchema.State.values())
                if (each.text().equals(word + " ")) state = each;
            if (state != IndexSchema.State.READY) word = word();
            boolean isUnique = word.equals("unique");
            if (!isUnique && !word.equals("index")) {
                at -= word.length();
                throw wrong("nothing more is expected behind ')', or 'index' or 'unique'");
            }
            String name = name("index");
            expect('#', "and a number behind the name of an index");
            int number = number();
            expect('(', "behind the number of an index");
            List<String> columns = new ArrayList<>();
            if (!accept(')')) {
                do columns.add(path());
                while (accept(','));
                expect(')', "or ',' behind a column");
            }
            indexes.add(new IndexSchema(name, number, isUnique, state, columns));
        }
        skipBlanks();
        return indexes;
    }

    private int number() {
        skipBlanks();
        int from = at;
        while (at < text.length() && isDigit(text.charAt(at))) at++;
        String digits = text.substring(from, at);
        if (!digits.isEmpty() && digits.length() <= 3 && digits.charAt(0) != '0') return Integer.parseInt(digits);
        at = from;
        throw wrong("the number of an index is expected, from 1 to " + IndexSchema.MAX_NUMBER);
    }

    private void dropped(Schema.Builder builder) {
        do {
            String attribute = path();
            expect(':', "behind the attribute's name");
            AttributeType type = type();
            expect('=', "and the default of an attribute that was dropped");
            builder.dropped(attribute, type, literal());
        } while (accept(','));
    }

    private String literal() {
        expect('\'', "and a default");
        StringBuilder literal = new StringBuilder();
        while (at < text.length()) {
            char next = text.charAt(at++);
            if (next != '\'') literal.append(next);
            else if (at < text.length() && text.charAt(at) == '\'') literal.append(text.charAt(at++));
            else return literal.toString();
        }
        throw wrong("the end of a default is expected");
    }

    private String name(String what) {
        String word = word();
        if (word.isEmpty()) throw wrong("the name of " + article(what) + " is expected");
        return checkName(what, word);
    }

    /** Reads a name, or several with dots between them. */
    private String path() {
        StringBuilder path = new StringBuilder(name("attribute"));
        while (at < text.length() && text.charAt(at) == '.') {
            at++;
            path.append('.').append(name("attribute"));
        }
        return checkPath(path.toString());
    }

    private AttributeType type() {
        if (++depth > MAX_DEPTH) throw wrong("types are nested deeper than " + MAX_DEPTH);
        AttributeType type = required();
        depth--;
        return accept('?') ? type.orNull() : type;
    }

    private AttributeType required() {
        String word = word();
        for (Kind kind : Kind.values()) {
            if (!kind.text().equals(word)) continue;
            return switch (kind) {
                case BYTES, STRING -> new AttributeType(kind, bracketed(word));
                case VARSTRING -> AttributeType.varstring(bracketed(word));
                case VARBYTES -> AttributeType.varbytes(bracketed(word));
                case DECIMAL -> AttributeType.decimal(bracketed(word));
                case ENUM -> constants();
                case LONGSTRING -> AttributeType.longstring(bracketed(word));
                case LONGBYTES -> AttributeType.longbytes(bracketed(word));
                case LIST, LONGLIST -> {
                    expect('<', "and a type behind '" + word + "'");
                    AttributeType element = type();
                    expect('>', "behind the type of the elements");
                    int most = bracketed(word);
                    yield kind == Kind.LIST ? AttributeType.list(element, most) : AttributeType.longlist(element, most);
                }
                case RECORD -> members();
                case CODEC, LONGCODEC -> {
                    expect('<', "and name/version behind '" + word + "'");
                    String codec = name("codec");
                    expect('/', "and a version behind the name of the codec");
                    codec += "/" + length();
                    expect('>', "behind the version of the codec");
                    int most = bracketed(word);
                    yield kind == Kind.CODEC ? AttributeType.codec(codec, most) : AttributeType.longcodec(codec, most);
                }
                default -> AttributeType.of(kind);
            };
        }
        at -= word.length();
        throw wrong("a type is expected: byte, short, int, long, float, double, boolean, char, bytes[n], string[n],"
                + " varbytes[n], varstring[n], instant, duration, date, uuid, decimal[n], enum<…>, list<…>[n] or"
                + " codec<…>[n]; longstring[n], longbytes[n], longlist<…>[n] and longcodec<…>[n] for long content");
    }

    private int bracketed(String word) {
        expect('[', "and a length behind '" + word + "'");
        int length = length();
        expect(']', "behind the length");
        return length;
    }

    private AttributeType constants() {
        expect('<', "and names behind 'enum'");
        List<String> names = new ArrayList<>();
        do names.add(name("constant"));
        while (accept(','));
        expect('>', "or ',' behind a constant");
        return AttributeType.enumOf(names);
    }

    private AttributeType members() {
        expect('<', "and attributes behind 'record'");
        List<String> names = new ArrayList<>();
        List<AttributeType> types = new ArrayList<>();
        do {
            names.add(path());
            expect(':', "behind the attribute's name");
            types.add(type());
        } while (accept(','));
        expect('>', "or ',' behind an attribute");
        return AttributeType.record(names, types);
    }

    private int length() {
        skipBlanks();
        int from = at;
        while (at < text.length() && isDigit(text.charAt(at))) at++;
        String digits = text.substring(from, at);
        // A number of seven digits exceeds the longest content; the type refuses it.
        if (!digits.isEmpty() && digits.length() <= 7 && digits.charAt(0) != '0') return Integer.parseInt(digits);
        at = from;
        throw wrong("a length from 1 to " + Schema.MAX_BYTES + " is expected, or to " + AttributeType.MAX_CONTENT
                + " for long content");
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

    private static String article(String what) {
        return (what.startsWith("a") || what.startsWith("i") ? "an " : "a ") + what;
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
