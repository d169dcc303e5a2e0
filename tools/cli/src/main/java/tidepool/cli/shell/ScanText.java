package tidepool.cli.shell;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import tidepool.base.NameSuggestion;
import tidepool.cli.shell.Statement.TypedKey;
import tidepool.schema.Attribute;
import tidepool.schema.AttributeType;
import tidepool.schema.IndexSchema;
import tidepool.schema.KeySchema;
import tidepool.schema.Schema;
import tidepool.store.TableLayout;
import tidepool.txn.RangeScan;

/** The scan of a typed statement: the table says which index there is, and of which types its columns are. */
final class ScanText {
    private final Schema schema;
    private final IndexSchema index;

    private ScanText(Schema schema, IndexSchema index) {
        this.schema = schema;
        this.index = index;
    }

    /** Returns the scan. Refuses indexes that the table lacks, and bounds that the index cannot have. */
    static RangeScan of(TableLayout table, Statement.Scan typed) {
        ScanText text = new ScanText(table.schema(), find(table.schema(), typed.index()));
        RangeScan scan = new RangeScan(table, text.index.name());
        try {
            text.bounds(scan, typed);
        } catch (IllegalArgumentException e) {
            throw new StatementException(e.getMessage());
        }
        return typed.isReversed() ? scan.reversed() : scan;
    }

    private static IndexSchema find(Schema schema, String name) {
        String wanted = name == null ? IndexSchema.PRIMARY : name;
        if (schema.hasIndex(wanted)) return schema.index(wanted);
        String table = "table '" + schema.name() + "'";
        List<String> names = schema.indexes().stream().map(IndexSchema::name).toList();
        if (name == null)
            throw new StatementException(table + " is not ordered by its key; alter " + schema.name()
                    + " add order does that" + (names.isEmpty() ? "" : ", and its indexes are " + names));
        String likely = NameSuggestion.to(name, names);
        throw new StatementException(table + " has no index '" + name + "'; "
                + (likely != null
                        ? "did you mean '" + likely + "'?"
                        : names.isEmpty()
                                ? "alter " + schema.name() + " add index makes one"
                                : "it has " + String.join(", ", names)));
    }

    private void bounds(RangeScan scan, Statement.Scan typed) {
        if (typed.from() != null) {
            Object[] values = values(typed.from());
            if (typed.isFromExclusive()) scan.after(values);
            else scan.from(values);
        }
        if (typed.to() != null) {
            Object[] values = values(typed.to());
            if (typed.isToInclusive()) scan.through(values);
            else scan.to(values);
        }
    }

    /** Returns the values of the first columns of an entry: those of the index, then the other parts of the key. */
    private Object[] values(TypedKey typed) {
        KeySchema key = schema.key();
        if (index.columns().isEmpty() && key.isLong())
            return new Object[] {KeyText.of(key, typed).word()};
        List<String> columns = columns();
        List<LexToken> parts = typed.parts();
        if (parts.size() > columns.size())
            throw new StatementException("index '" + index.name() + "' has " + columns.size()
                    + " columns with the key, " + columns + ", not " + parts.size() + ": " + typed.text());
        Object[] values = new Object[parts.size()];
        for (int i = 0; i < values.length; i++) values[i] = value(columns.get(i), parts.get(i));
        return values;
    }

    private List<String> columns() {
        List<String> columns = new ArrayList<>(index.columns());
        KeySchema key = schema.key();
        for (int part = 0; part < key.parts(); part++)
            if (!columns.contains(key.name(part))) columns.add(key.name(part));
        return columns;
    }

    private AttributeType type(String column) {
        for (Attribute each : schema.attributes()) if (each.name().equals(column)) return each.type();
        KeySchema key = schema.key();
        for (int part = 0; part < key.parts() && !key.isLong(); part++)
            if (key.name(part).equals(column)) return key.type(part);
        return AttributeType.LONG; // the key that is one
    }

    private Object value(String column, LexToken token) {
        AttributeType type = type(column);
        String text = token.text();
        if (!token.isQuoted() && text.equalsIgnoreCase("null")) return null;
        try {
            return switch (type.kind()) {
                case BYTE, SHORT, INT, LONG -> FieldText.whole(text);
                case FLOAT -> Float.valueOf(text);
                case DOUBLE -> Double.valueOf(text);
                case BOOLEAN -> KeyText.truth(text) == 1;
                case CHAR -> (char) KeyText.character(text);
                case BYTES, VARBYTES -> KeyText.bytes(text);
                case INSTANT -> Instant.parse(text);
                case DURATION -> Duration.parse(text);
                case DATE -> LocalDate.parse(text);
                case UUID -> UUID.fromString(text);
                default -> text;
            };
        } catch (DateTimeParseException | IllegalArgumentException e) {
            throw new StatementException(
                    "column '" + column + "' is " + FieldText.type(type) + ", and '" + text + "' is not");
        }
    }

    /** Returns an index in the words of a statement that adds it, and whether it can be scanned. */
    static String describe(IndexSchema index) {
        String what = index.name().equals(IndexSchema.PRIMARY)
                ? "ordered by the key"
                : (index.isUnique() ? "unique " : "index ") + index.name() + " (" + String.join(", ", index.columns())
                        + ")";
        return what
                + switch (index.state()) {
                    case READY -> "";
                    case BUILDING -> ", not built yet: no scans; alter TABLE goes on if no program is at it";
                    case DROPPING -> ", being dropped; alter TABLE goes on if no program is at it";
                };
    }

    /** Returns the indexes of a table as {@code describe} shows them, a line for each. */
    static Stream<String> describe(Schema schema) {
        return schema.indexes().stream().map(ScanText::describe);
    }
}
