package tidepool.cli.transfer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tidepool.base.NameSuggestion;
import tidepool.schema.FieldRow;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;

/**
 * The rows of a file, one after the other: {@link #next} goes to the next one, {@link #write} turns it into a key and
 * bytes. What does not fit is a {@link BadInputException} with its place.
 */
abstract class RowParser {
    final Utf8Input in;
    private List<String> declared; // null if the file declares no columns
    Columns columns;
    private long line;

    RowParser(Utf8Input in) {
        this.in = in;
    }

    static RowParser of(TransferFormat format, Utf8Input in) {
        return format == TransferFormat.CSV ? new Csv(in) : new JsonLines(in);
    }

    /** Reads the first line. Returns the columns that it declares; null if the file declares none. */
    List<String> header() throws IOException {
        declared = readHeader();
        return declared;
    }

    abstract List<String> readHeader() throws IOException;

    /** Sets the table of the rows, after the first line. Refuses a file with other columns, and shows both. */
    void table(Schema schema) {
        columns = Columns.of(schema);
        if (declared != null) order(columns.inOrderOf(declared, 1));
    }

    void order(List<Column> order) {}

    /** Goes to the next row. Returns false at the end of the file. Waits for the file. */
    abstract boolean next() throws IOException;

    /** Writes the row, whose value is that of a new row before. */
    abstract void write(RowKey key, FieldRow row);

    /** Returns the line in which the row begins. */
    final long line() {
        return line;
    }

    final void beginsAt(long at) {
        line = at;
    }

    /** Returns what the parser says, without the places that it counts from the beginning of a text of its own. */
    private static String sentence(JsonProcessingException e) {
        return e.getOriginalMessage().replaceFirst(" \\(start marker at .*", "");
    }

    // ---- CSV

    private static final class Csv extends RowParser {
        private final CsvReader reader;
        private List<Column> order = List.of();
        private List<CsvReader.Cell> cells = List.of();

        Csv(Utf8Input in) {
            super(in);
            this.reader = new CsvReader(in);
        }

        @Override
        List<String> readHeader() throws IOException {
            List<CsvReader.Cell> first = reader.next();
            if (first == null) throw new BadInputException(1, 1, "the file is empty; its first line names the columns");
            return first.stream().map(CsvReader.Cell::text).toList();
        }

        @Override
        void order(List<Column> ofFile) {
            order = ofFile;
        }

        @Override
        boolean next() throws IOException {
            cells = reader.next();
            if (cells == null) return false;
            beginsAt(cells.getFirst().line());
            if (cells.size() != order.size())
                throw new BadInputException(
                        line(),
                        1,
                        "a row has " + order.size() + " cells, as the first line of the file, and this one has "
                                + cells.size());
            return true;
        }

        @Override
        void write(RowKey key, FieldRow row) {
            for (int i = 0; i < order.size(); i++) {
                CsvReader.Cell cell = cells.get(i);
                try {
                    write(order.get(i), cell, key, row);
                } catch (BadInputException e) {
                    throw e;
                } catch (RuntimeException e) {
                    throw new BadInputException(cell.line(), cell.column(), e.getMessage());
                }
            }
        }

        private static void write(Column column, CsvReader.Cell cell, RowKey key, FieldRow row) {
            boolean isEmpty = cell.text().isEmpty() && !cell.isQuoted();
            if (isEmpty && column.type().isNullable()) column.field().setNull(row.memory(), 0);
            else if (column.isList()) list(column, cell, row);
            else column.write(cell.text(), key, row);
        }

        private static void list(Column column, CsvReader.Cell cell, FieldRow row) {
            try (JsonParser json = JsonLines.JSON.createParser(cell.text())) {
                json.nextToken();
                if (json.currentToken() == null)
                    throw new IllegalArgumentException("field '" + column.name() + "' is a list, such as [1,2]");
                JsonValues.read(json, column.field(), row);
                if (json.nextToken() != null) throw new IllegalArgumentException("nothing is expected after the list");
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException(
                        "field '" + column.name() + "' is a list, such as [1,2]: " + sentence(e), e);
            } catch (IOException e) {
                throw new AssertionError("a string is read without a file", e);
            }
        }
    }

    // ---- JSON lines

    private static final class JsonLines extends RowParser {
        private static final JsonFactory JSON = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();

        /** More characters of one line are refused; all contents of a row, each letter as an escape, are fewer. */
        private static final int MAX_LINE = 256 << 20;

        private final StringBuilder text = new StringBuilder();
        private boolean isPending; // the line that was read is a row, although it was read for a header

        JsonLines(Utf8Input in) {
            super(in);
        }

        @Override
        List<String> readHeader() throws IOException {
            if (!readLine()) return null;
            try (JsonParser json = JSON.createParser(text.toString())) {
                List<String> found = null;
                if (json.nextToken() == JsonToken.START_OBJECT
                        && json.nextToken() == JsonToken.FIELD_NAME
                        && json.currentName().startsWith("$")) {
                    found = new ArrayList<>();
                    while (json.nextToken() != null)
                        if (json.currentToken() == JsonToken.VALUE_STRING
                                && json.getParsingContext().inArray()) found.add(json.getText());
                }
                isPending = found == null;
                return found;
            } catch (JsonProcessingException e) {
                isPending = true; // and is refused as a row
                return null;
            }
        }

        @Override
        boolean next() throws IOException {
            boolean is = isPending || readLine();
            isPending = false;
            return is;
        }

        private boolean readLine() throws IOException {
            do {
                if (in.peek() == Utf8Input.END) return false;
                beginsAt(in.line());
                text.setLength(0);
                for (int c = in.next(); c != '\n' && c != Utf8Input.END; c = in.next()) {
                    text.append((char) c);
                    if (text.length() > MAX_LINE)
                        throw new BadInputException(
                                line(), text.length(), "a line has at most " + MAX_LINE + " characters");
                }
            } while (text.toString().isBlank());
            return true;
        }

        @Override
        void write(RowKey key, FieldRow row) {
            try (JsonParser json = JSON.createParser(text.toString())) {
                try {
                    write(json, key, row);
                } catch (JsonProcessingException e) {
                    throw new BadInputException(line(), column(json), sentence(e));
                } catch (BadInputException e) {
                    throw e;
                } catch (RuntimeException e) {
                    throw new BadInputException(line(), column(json), e.getMessage());
                }
            } catch (IOException e) {
                throw new AssertionError("a string is read without a file", e);
            }
        }

        private static long column(JsonParser json) {
            return json.currentTokenLocation().getColumnNr();
        }

        private void write(JsonParser json, RowKey key, FieldRow row) throws IOException {
            if (json.nextToken() != JsonToken.START_OBJECT)
                throw new IllegalArgumentException("a line is one JSON object, such as {\"key\":17}");
            Set<Column> missing = new LinkedHashSet<>(columns.all());
            while (json.nextToken() != JsonToken.END_OBJECT) {
                Column column = columns.find(json.currentName());
                if (column == null) throw unknown(json.currentName());
                missing.remove(column);
                json.nextToken();
                if (column.isKey()) column.write(JsonValues.text(json, column.type(), column.name()), key, row);
                else JsonValues.read(json, column.field(), row);
            }
            for (Column each : missing)
                if (!each.type().isNullable())
                    throw new IllegalArgumentException(
                            "the row has no '" + each.name() + "'; a row has " + String.join(", ", columns.names()));
            if (json.nextToken() != null)
                throw new IllegalArgumentException("a line is one JSON object, and more follows here");
        }

        private IllegalArgumentException unknown(String name) {
            String likely = NameSuggestion.to(name, columns.names());
            return new IllegalArgumentException("a row has no '" + name + "'; "
                    + (likely == null
                            ? "it has " + String.join(", ", columns.names())
                            : "did you mean '" + likely + "'?"));
        }
    }
}
