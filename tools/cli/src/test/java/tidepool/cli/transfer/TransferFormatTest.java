package tidepool.cli.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.Duplicates;
import tidepool.Table;
import tidepool.TableLoader;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.schema.FieldRow;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Nullable;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;

/** Rows come back from a file as they were, bit by bit, and a file that is wrong is refused with the place. */
class TransferFormatTest {
    private record Row(RowKey key, MemorySegment value) {}

    @ParameterizedTest
    @EnumSource
    void rowsOfRandomSchemasComeBack(TransferFormat format) {
        Effort.seeds(200, 600, 50_000).forEach(seed -> {
            Randomness random = new Randomness(seed);
            RandomRows rows = new RandomRows(random);
            Schema schema = rows.schema();
            boolean hasTypes = random.nextBoolean();
            try (Arena arena = Arena.ofConfined()) {
                List<Row> written = new ArrayList<>();
                StringWriter file = new StringWriter();
                RowPrinter sink = new RowPrinter(schema, format);
                sink.header(hasTypes, file);
                for (int i = random.nextInt(5); i >= 0; i--) {
                    Row row = new Row(rows.key(schema), arena.allocate(schema.length(), Long.BYTES));
                    rows.fill(schema, row.value());
                    written.add(row);
                    file.write(sink.line(row.key(), row.value(), 0));
                }
                List<Row> read = read(format, schema, hasTypes, file.toString());
                assertEquals(written.size(), read.size(), () -> seed + " " + file);
                for (int i = 0; i < read.size(); i++) {
                    assertEquals(written.get(i).key(), read.get(i).key(), () -> seed + " " + file);
                    assertEquals(
                            -1, written.get(i).value().mismatch(read.get(i).value()), () -> seed + " " + schema + file);
                }
            } catch (IOException | BadInputException e) {
                throw new AssertionError("seed " + seed + " " + schema, e);
            }
        });
    }

    /** Reads a file into rows; a file with types also has to make the schema. */
    private static List<Row> read(TransferFormat format, Schema schema, boolean hasTypes, String file)
            throws IOException {
        RowParser source = source(format, file);
        List<String> declared = source.header();
        if (hasTypes) assertEquals(schema, Columns.schema(schema.name(), declared, 1));
        source.table(schema);
        List<Row> rows = new ArrayList<>();
        while (source.next()) {
            FieldRow value = new FieldRow(schema);
            Row row = new Row(schema.key().newKey(), value.memory());
            source.write(row.key(), value);
            rows.add(row);
        }
        return rows;
    }

    private static RowParser source(TransferFormat format, String file) {
        return RowParser.of(format, new Utf8Input(new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8))));
    }

    // ---- long contents, from one pool to another

    record Author(String name, @Nullable @Length(400) String about) {}

    record Doc(
            @Key @Length(12) String name,
            @Key int number,
            String text,
            @Nullable @Length(5_000) String title,
            byte[] data,
            List<String> tags,
            long[] numbers,
            Optional<Author> author) {}

    /** An export is imported into another pool, twice: the second import replaces all rows and their parts. */
    @ParameterizedTest
    @CsvSource({
        "ford, CSV",
        "ford, JSONL",
        "ford-lv, CSV",
        "farm, JSONL",
        "drtmh, CSV",
        "farmv2, JSONL",
        "motor, CSV",
        "hdtx, JSONL"
    })
    void contentsOfAnyLengthComeBack(String protocol, TransferFormat format) throws IOException {
        try (Tidepool from = open(protocol);
                Tidepool to = open(protocol)) {
            Table<Doc> docs = from.table("doc", Doc.class, 64);
            Randomness random = new Randomness(31);
            int[] lengths = {0, 1, 91, 92, 93, 510, 511, 1_792, 3_582, 3_583, 10_000, 1 << 20};
            for (int length : lengths) {
                Doc doc = doc(random, length);
                from.transact(tx -> docs.insert(tx, doc));
            }
            String file = exported(from, format);
            RowImport rows = new RowImport(bytes(file), format);
            TableHandle made = to.table(rows.schema("doc"), 64);
            imported(to, made, rows, Duplicates.REFUSE);
            imported(to, made, new RowImport(bytes(file), format), Duplicates.REPLACE);
            assertEquals(sorted(file), sorted(exported(to, format)));
            assertEquals(
                    lengths.length, new RowImport(bytes(file), format).check(made.schema(), _ -> {}), "rows that fit");
            Table<Doc> copies = to.table("doc", Doc.class, 64);
            docs.forEach(doc -> assertSame(doc, to.read(tx -> copies.get(tx, doc.name(), doc.number()))));
            to.transact(tx -> {
                for (Doc doc : docs.stream().toList()) copies.delete(tx, doc.name(), doc.number());
            });
            for (TableHandle each : PoolAccess.layoutsWithParts(to, made))
                assertEquals(0, rowsOf(to, each), each.name());
        }
    }

    private static Tidepool open(String protocol) {
        return Tidepool.open("mem:?nodes=2&replicas=2&memory=96m&timeout=60s&protocol=" + protocol);
    }

    private static InputStream bytes(String file) {
        return new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8));
    }

    private static String exported(Tidepool pool, TransferFormat format) throws IOException {
        StringWriter out = new StringWriter();
        new RowExport(pool, pool.table("doc"), format, false).run(out, true, (_, _) -> {});
        return out.toString();
    }

    private static void imported(Tidepool pool, TableHandle table, RowImport rows, Duplicates duplicates)
            throws IOException {
        try (TableLoader<RowImport> loader = rows.loader(pool, table).onDuplicate(duplicates)) {
            rows.run(loader, _ -> {});
        }
    }

    private static long rowsOf(Tidepool pool, TableHandle table) {
        return PoolAccess.usage(pool, table, Long.MAX_VALUE).rows();
    }

    /** The lines of a file, in an order that does not depend on where rows lie. */
    private static List<String> sorted(String file) {
        return file.lines().sorted().toList();
    }

    private static Doc doc(Randomness random, int length) {
        byte[] data = new byte[length];
        for (int i = 0; i < length; i++) data[i] = (byte) random.nextInt(256);
        String text = text(random, length);
        int shorter = Math.min(length, 5_000);
        return new Doc(
                "n" + length,
                length,
                text,
                length % 2 == 0 ? null : text.substring(0, shorter / 2),
                data,
                List.of("", text.substring(0, shorter), "b"),
                new long[] {random.nextLong(), length},
                length % 3 == 0 ? Optional.empty() : Optional.of(new Author("", text.substring(0, shorter / 20))));
    }

    /** Returns a text of {@code bytes} bytes, with what files quote and escape. */
    private static String text(Randomness random, int bytes) {
        StringBuilder text = new StringBuilder();
        while (text.length() < bytes)
            text.append(random.nextLong()).append(random.pick(List.of("\"", ",", "\\", "\n", "\r", "\0", "\t", "{")));
        return text.substring(0, bytes);
    }

    private static void assertSame(Doc one, Doc other) {
        assertEquals(one.text(), other.text());
        assertEquals(one.title(), other.title());
        assertArrayEquals(one.data(), other.data());
        assertEquals(one.tags(), other.tags());
        assertArrayEquals(one.numbers(), other.numbers());
        assertEquals(one.author(), other.author());
    }

    // ---- CSV

    private static List<List<String>> cells(String csv) throws IOException {
        CsvReader reader = new CsvReader(new Utf8Input(new ByteArrayInputStream(csv.getBytes(StandardCharsets.UTF_8))));
        List<List<String>> records = new ArrayList<>();
        for (List<CsvReader.Cell> each = reader.next(); each != null; each = reader.next())
            records.add(each.stream()
                    .map(cell -> cell.isQuoted() ? "<" + cell.text() + ">" : cell.text())
                    .toList());
        return records;
    }

    @Test
    void csvIsReadAsTheStandardSays() throws IOException {
        assertEquals(List.of(List.of("a", "b"), List.of("1", "2")), cells("a,b\r\n1,2\r\n"));
        assertEquals(List.of(List.of("a", "b"), List.of("1", "2")), cells("\ufeffa,b\n1,2"));
        assertEquals(List.of(List.of("<a,\r\n\"b>", "<>", "", " c ")), cells("\"a,\r\n\"\"b\",\"\",, c \n"));
        assertEquals(List.of(List.of("", "")), cells("\n\r\n,\n\n"));
        assertEquals(List.of(), cells(""));
        assertEquals(List.of(List.of("\ud83d\ude00")), cells("\ud83d\ude00"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "a,b~1,\"x|line 2, column 3: the quotation mark of this cell has no end",
                "a,b~1,x\"|line 2, column 4: a quotation mark stands only in a cell that begins with one",
                "a,b~1,\"x\"y|line 2, column 6: a comma or the end of the line is expected after a quoted cell",
                "a,b^1,2|line 1, column 4: a line ends with LF or CR LF, and not with CR alone"
            })
    void csvThatIsWrongHasItsPlace(String csv, String message) {
        String file = csv.replace('~', '\n').replace('^', '\r');
        assertEquals(
                message,
                assertThrows(BadInputException.class, () -> cells(file)).getMessage());
    }

    @Test
    void bytesThatAreNotUtf8HaveTheirPlace() {
        byte[] bytes = "key\n1\n2x\n".getBytes(StandardCharsets.UTF_8);
        bytes[7] = (byte) 0xff;
        CsvReader reader = new CsvReader(new Utf8Input(new ByteArrayInputStream(bytes)));
        BadInputException e = assertThrows(BadInputException.class, () -> {
            while (reader.next() != null) continue;
        });
        assertEquals("line 3, column 2: this is not UTF-8", e.getMessage());
    }

    /** Lines longer than every buffer, and characters that two buffers share. */
    @Test
    void longLinesAreRead() throws IOException {
        String cell = "\ud83d\ude00x".repeat(100_000);
        assertEquals(List.of(List.of("a" + cell, "<" + cell + ">")), cells("a" + cell + ",\"" + cell + "\"\n"));
    }

    // ---- null and empty

    private static final Schema ACCOUNT =
            Schema.parse("account(owner:string[16]?, name:string[16], balance:long, tags:list<string[8]>[4])");

    private static String lineOf(TransferFormat format, String file) {
        try {
            List<Row> rows = read(format, ACCOUNT, false, file);
            assertEquals(1, rows.size());
            return new RowPrinter(ACCOUNT, TransferFormat.JSONL)
                    .line(rows.getFirst().key(), rows.getFirst().value(), 0)
                    .strip();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void nullIsNotEmpty() {
        String first = "key,owner,name,balance,tags\n";
        assertEquals(
                "{\"key\":17,\"owner\":null,\"name\":\"\",\"balance\":5,\"tags\":[]}",
                lineOf(TransferFormat.CSV, first + "17,,,5,[]\n"));
        assertEquals(
                "{\"key\":17,\"owner\":\"\",\"name\":\"null\",\"balance\":5,\"tags\":[\"a\",\"\"]}",
                lineOf(TransferFormat.CSV, first + "17,\"\",null,5,\"[\"\"a\"\",\"\"\"\"]\"\n"));
        assertEquals(
                "{\"key\":17,\"owner\":null,\"name\":\"\",\"balance\":5,\"tags\":[]}",
                lineOf(TransferFormat.JSONL, "{\"name\":\"\",\"balance\":5,\"key\":17,\"tags\":[]}\n"));
    }

    @Test
    void columnsMayHaveAnyOrder() {
        List<String> names = new ArrayList<>(List.of("key", "owner", "name", "balance", "tags"));
        List<String> cells = new ArrayList<>(List.of("17", "Ann", "x", "5", "[]"));
        Collections.swap(names, 0, 3);
        Collections.swap(cells, 0, 3);
        assertEquals(
                "{\"key\":17,\"owner\":\"Ann\",\"name\":\"x\",\"balance\":5,\"tags\":[]}",
                lineOf(TransferFormat.CSV, String.join(",", names) + "\n" + String.join(",", cells) + "\n"));
    }

    // ---- rows that do not fit

    private static String refusal(TransferFormat format, String file) {
        return assertThrows(BadInputException.class, () -> read(format, ACCOUNT, false, file))
                .getMessage();
    }

    @Test
    void aCellThatDoesNotFitHasItsPlace() {
        String first = "key,owner,name,balance,tags\n";
        assertEquals(
                "line 2, column 6: field 'balance' is long: a whole number from -9223372036854775808 to"
                        + " 9223372036854775807, not 'x'",
                refusal(TransferFormat.CSV, first + "17,,,x,[]\n"));
        assertEquals(
                "line 3, column 1: a row has 5 cells, as the first line of the file, and this one has 4",
                refusal(TransferFormat.CSV, first + "17,,,1,[]\n18,,,1\n"));
        assertEquals(
                "line 2, column 4: attribute 'owner' holds at most 16 bytes of UTF-8, not 20"
                        .replace("attribute", "field"),
                refusal(TransferFormat.CSV, first + "17," + "x".repeat(20) + ",,1,[]\n"));
        assertTrue(
                refusal(TransferFormat.CSV, first + "17,,,1,\"[1\"\n").startsWith("line 2, column 8: field 'tags[0]'"));
        assertTrue(refusal(TransferFormat.CSV, first + "17,,,1,\"[\"\n")
                .startsWith("line 2, column 8: field 'tags' is a"));
        assertTrue(refusal(TransferFormat.CSV, first + "17,,,1,[]]\n").contains("column 8"));
        assertTrue(refusal(TransferFormat.CSV, first + "17,,,1,\n").contains("field 'tags' is a list, such as [1,2]"));
        assertTrue(refusal(TransferFormat.CSV, first + "x,,,1,[]\n").startsWith("line 2, column 1: a key is a number"));
    }

    @Test
    void anObjectThatDoesNotFitHasItsPlace() {
        String good = "{\"key\":17,\"name\":\"\",\"balance\":5,\"tags\":[]}\n";
        assertEquals(
                "line 2, column 9: field 'name' is text(16): a string is expected, not 5",
                refusal(TransferFormat.JSONL, good + "{\"name\":5}\n"));
        assertEquals(
                "line 2, column 2: a row has no 'balence'; did you mean 'balance'?",
                refusal(TransferFormat.JSONL, good + "{\"balence\":5}\n"));
        assertTrue(
                refusal(TransferFormat.JSONL, good + "{\"key\":1,\"key\":2}\n").contains("Duplicate"));
        assertTrue(refusal(TransferFormat.JSONL, good + "{\"key\":18}\n")
                .startsWith("line 2, column 10: the row has no 'name'"));
        assertTrue(refusal(TransferFormat.JSONL, good + good.strip() + "{}\n").contains("more follows"));
        assertTrue(refusal(TransferFormat.JSONL, good + "17\n").contains("a line is one JSON object"));
        assertEquals(
                "line 1, column 1: Unexpected end-of-input: expected close marker for Object",
                refusal(TransferFormat.JSONL, "{\n"));
        assertTrue(refusal(TransferFormat.JSONL, good.replace("17", "null")).contains("field 'key'"));
        assertTrue(refusal(TransferFormat.JSONL, good.replace("5", "5.5")).contains("a whole number"));
    }

    @Test
    void aFileOfAnotherSchemaIsRefusedWithBoth() {
        assertEquals(
                "line 1, column 1: the file has other columns than table account: the difference is at"
                        + " 'owner:string[8]?'; file: key:long key, owner:string[8]?; table: key:long key,"
                        + " owner:string[16]?, name:string[16], balance:long, tags:list<string[8]>[4]",
                refusal(TransferFormat.CSV, "key:long key,owner:string[8]?\n"));
        assertEquals(
                "line 1, column 1: the file has other columns than table account: 'tags' is missing in the file;"
                        + " file: key, owner, name, balance; table: key, owner, name, balance, tags",
                refusal(TransferFormat.CSV, "key,owner,name,balance\n"));
        assertTrue(refusal(TransferFormat.CSV, "key,key\n").contains("the difference is at 'key'"));
        assertTrue(refusal(TransferFormat.JSONL, "{\"$table\":\"x\",\"$columns\":[\"key:int key\"]}\n")
                .contains("the difference is at 'key:int key'"));
    }

    /** The record of a schema may have an attribute with the name of its key. */
    @Test
    void aKeyAndAnAttributeMayHaveOneName() {
        Schema schema = Schema.parse("t(key:int)");
        assertEquals(List.of("@key", "key"), Columns.of(schema).names());
        assertFalse(Columns.of(schema).declarations().contains("key:long key"));
    }
}
