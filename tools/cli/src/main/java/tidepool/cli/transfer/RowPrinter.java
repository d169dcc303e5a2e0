package tidepool.cli.transfer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Collectors;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;

/**
 * The text of rows in one of the formats.
 *
 * <pre>
 *   csv     key:long key,owner:string[16]?,tags:list&lt;string[8]&gt;[4]
 *           17,"Lee, Ann","[""a"",""b""]"
 *           18,,[]                                    null; an empty string is ""
 *
 *   jsonl   {"$table":"account","$columns":["key:long key","owner:string[16]?","tags:list&lt;string[8]&gt;[4]"]}
 *           {"key":17,"owner":"Lee, Ann","tags":["a","b"]}
 *           {"key":18,"owner":null,"tags":[]}
 * </pre>
 */
final class RowPrinter {
    static final String TABLE = "$table";
    static final String COLUMNS = "$columns";

    private static final JsonFactory JSON = new JsonFactory();

    private final String table;
    private final Columns columns;
    private final TransferFormat format;

    RowPrinter(Schema schema, TransferFormat format) {
        this.table = schema.name();
        this.columns = Columns.of(schema);
        this.format = format;
    }

    /** Writes the first line. Without types it is what other programs expect; JSON lines then have none. */
    void header(boolean hasTypes, Writer out) throws IOException {
        List<String> names = hasTypes ? columns.declarations() : columns.names();
        if (format == TransferFormat.CSV) {
            out.write(names.stream().map(RowPrinter::quotedIfNeeded).collect(Collectors.joining(",")));
            out.write("\r\n");
        } else if (hasTypes) {
            try (JsonGenerator json = json(out)) {
                json.writeStartObject();
                json.writeStringField(TABLE, table);
                json.writeArrayFieldStart(COLUMNS);
                for (String each : names) json.writeString(each);
                json.writeEndArray();
                json.writeEndObject();
            }
            out.write('\n');
        }
    }

    /** Returns the line of a row, with its end. */
    String line(RowKey key, MemorySegment memory, long value) {
        try {
            StringWriter out = new StringWriter();
            if (format == TransferFormat.CSV) csv(key, memory, value, out);
            else json(key, memory, value, out);
            return out.toString();
        } catch (IOException e) {
            throw new AssertionError("a string is written without a file", e);
        }
    }

    private void csv(RowKey key, MemorySegment memory, long value, StringWriter out) throws IOException {
        String separator = "";
        for (Column each : columns.all()) {
            out.write(separator);
            separator = ",";
            if (each.isNull(memory, value)) continue;
            String text = each.isList() ? list(each, memory, value) : each.print(key, memory, value);
            out.write(quotedIfNeeded(text));
        }
        out.write("\r\n");
    }

    private static String list(Column column, MemorySegment memory, long value) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = json(text)) {
            JsonValues.write(column.field(), memory, value, json);
        }
        return text.toString();
    }

    private void json(RowKey key, MemorySegment memory, long value, StringWriter out) throws IOException {
        try (JsonGenerator json = json(out)) {
            json.writeStartObject();
            for (Column each : columns.all()) {
                json.writeFieldName(each.name());
                if (each.isKey()) JsonValues.writeText(each.type(), each.print(key, memory, value), json);
                else JsonValues.write(each.field(), memory, value, json);
            }
            json.writeEndObject();
        }
        out.write('\n');
    }

    private static JsonGenerator json(Writer out) throws IOException {
        JsonGenerator json = JSON.createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        return json;
    }

    private static String quotedIfNeeded(String text) {
        boolean isPlain = !text.isEmpty() && text.charAt(0) != '\ufeff';
        for (int i = 0; isPlain && i < text.length(); i++) {
            char c = text.charAt(i);
            isPlain = c != '"' && c != ',' && c != '\r' && c != '\n';
        }
        return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
