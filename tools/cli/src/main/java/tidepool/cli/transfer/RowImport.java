package tidepool.cli.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.LongConsumer;
import tidepool.DuplicateKeyException;
import tidepool.TableLoader;
import tidepool.Tidepool;
import tidepool.schema.FieldRow;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.txn.TableHandle;

/** The import of all rows of a file into a table, by a {@link TableLoader}. */
public final class RowImport {
    private static final int LINES = 1_024; // more than a batch has rows

    private final Utf8Input in;
    private final RowParser source;
    private final List<String> declared;
    private final long[] lines = new long[LINES]; // in which the last rows begin
    private long rows;

    /** Reads the first line of a file. */
    public RowImport(InputStream file, TransferFormat format) throws IOException {
        in = new Utf8Input(file);
        source = RowParser.of(format, in);
        declared = source.header();
    }

    /** Returns the schema of a new table for the rows of the file. Refuses a file whose columns have no types. */
    public Schema schema(String table) {
        if (declared == null)
            throw new BadInputException(
                    1, 1, "a table is made for a file that declares columns with types, as an export does");
        return Columns.schema(table, declared, 1);
    }

    /** Returns a loader for the rows of the file, which refuses a table with other columns. */
    public TableLoader<RowImport> loader(Tidepool pool, TableHandle table) {
        source.table(table.schema());
        return PoolAccess.fieldRows(pool, table).loader((row, key, value) -> source.write(key, value));
    }

    /**
     * Loads all rows. Waits for the file and the pool.
     *
     * @param progress is told how many bytes of the file were read, after each row
     */
    public void run(TableLoader<RowImport> loader, LongConsumer progress) throws IOException {
        while (source.next()) {
            lines[(int) (rows++ % LINES)] = source.line();
            loader.add(this);
            progress.accept(in.bytesRead());
        }
        loader.finish();
    }

    /** Reads all rows, and writes none. Returns how many there are. Waits for the file. */
    public long check(Schema schema, LongConsumer progress) throws IOException {
        source.table(schema);
        RowKey key = schema.key().newKey();
        while (source.next()) {
            source.write(key, new FieldRow(schema));
            rows++;
            progress.accept(in.bytesRead());
        }
        return rows;
    }

    /** Returns the line of the row that a loader has refused, as a {@link DuplicateKeyException} has it. */
    public long lineOf(long row) {
        return lines[(int) ((row - 1) % LINES)];
    }
}
