package tidepool.cli.transfer;

import java.io.IOException;
import java.io.Writer;
import java.util.function.ObjDoubleConsumer;
import tidepool.RowPages;
import tidepool.Tidepool;
import tidepool.txn.TableHandle;

/** The export of all rows of a table, page by page. */
public final class RowExport {
    private static final int PAGE = 1_000;

    private final RowPages<String> pages;
    private final RowPrinter sink;

    /**
     * Prepares an export.
     *
     * @param isPerPage whether every page is of a moment of its own, even if the protocol has snapshots
     */
    public RowExport(Tidepool pool, TableHandle table, TransferFormat format, boolean isPerPage) {
        RowPrinter rows = new RowPrinter(table.schema(), format);
        sink = rows;
        pages = pool.pages(table, PAGE, rows::line);
        if (isPerPage) pages.perPage();
    }

    /**
     * Writes all rows. Waits for the pool and the file.
     *
     * @param hasTypes whether the first line declares the types of the columns
     * @param progress is told the number of rows and the part of the table, 0 to 1, after each page
     */
    public void run(Writer out, boolean hasTypes, ObjDoubleConsumer<Long> progress) throws IOException {
        sink.header(hasTypes, out);
        while (pages.next()) {
            for (String line : pages.rows()) out.write(line);
            progress.accept(pages.rowsRead(), pages.progress());
        }
        out.flush();
    }

    /** Returns how many rows were written. */
    public long rows() {
        return pages.rowsRead();
    }

    /** Returns whether all rows are of one snapshot. */
    public boolean isSnapshot() {
        return pages.isSnapshot();
    }
}
