package tidepool.clusters;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;

/**
 * Rows with keys and values as applications have them: a name of up to 40 bytes, the transaction that wrote the row,
 * and a text that follows from both. Texts are empty, short, or so long that they lie in parts. A row that mixes two
 * writers, or has lost a part, is detected.
 */
final class Documents implements JudgedRows {
    /** The table whose history is judged. */
    static final String JUDGED = "documents";

    /** A table that is emptied again and again; {@link DraftLog} says what may be in it. */
    static final String DRAFTS = "drafts";

    private static final int[] LENGTHS = {0, 9, 80, 300, 900, 2_500, 4_000, 9_000};
    private static final String[] ENDINGS = {"", "/größe", "/annual report", "/a/longer/name/than/most"};

    private final Schema schema = Schema.of(JUDGED, Document.class);
    private final LongField writer = schema.longField("writer");
    private final Map<String, Long> numbers = new HashMap<>();

    /** The record of both tables. */
    public record Document(@Key @Length(40) String name, long writer, String text) {}

    /** Returns the name of a document by its number. */
    static String name(long number) {
        return "folder " + number % 7 + "/" + number + ENDINGS[(int) (number % ENDINGS.length)];
    }

    /** Returns the document that a transaction writes under a number. */
    static Document of(long number, long writer) {
        return new Document(name(number), writer, text(number, writer));
    }

    /** Whether a document is as its writer wrote it. */
    static boolean isWhole(Document document, long number) {
        return document.name().equals(name(number)) && document.text().equals(text(number, document.writer()));
    }

    private static String text(long number, long writer) {
        Randomness random = new Randomness(writer * 31 + number);
        int length = LENGTHS[random.nextInt(LENGTHS.length)];
        String line = number + " by " + Long.toHexString(writer) + " – " + random.nextInt(1_000_000) + "\n";
        return line.repeat(length / line.length() + (length > 0 ? 1 : 0));
    }

    static boolean isInParts(Document document) {
        return document.text().length() > LENGTHS[3];
    }

    /** Returns the tables of a pool that the history does not judge: drafts, and the parts of both tables. */
    static List<TableLayout> otherTables(Tidepool pool) {
        List<TableLayout> all = new ArrayList<>();
        for (String name : List.of(JUDGED, DRAFTS)) all.addAll(PoolAccess.layoutsWithParts(pool, pool.table(name)));
        all.removeFirst();
        return all;
    }

    // ---- rows in memory

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public long placeOf(RowKey key) {
        return numbers.get(key.getString(0));
    }

    @Override
    public long wordOf(long place) {
        return key(place).word();
    }

    /** Returns the key of a document by its number, and remembers that there may be a row of it. */
    RowKey key(long number) {
        String name = name(number);
        numbers.put(name, number);
        return schema.key().newKey().setString(0, name);
    }

    @Override
    public long writer(MemorySegment memory, long value) {
        return writer.get(memory, value);
    }

    @Override
    public Long sum(MemorySegment memory, long value) {
        return null; // the last reads of the run have read all parts
    }
}
