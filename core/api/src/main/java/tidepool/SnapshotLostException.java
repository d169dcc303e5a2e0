package tidepool;

/**
 * The end of an iteration whose snapshot is gone: other transactions have inserted or deleted rows in a part of the
 * table that was not read yet, or have replaced more versions of a row than the table keeps. The rows so far are those
 * of the snapshot. What helps is {@link RowPages#perPage}, a quieter time, or a table with more versions
 * ({@code versions=}, where it is made).
 *
 * <pre>{@code
 * RowPages<Account> pages = accounts.pages(256);
 * try {
 *     pages.forEach(account -> System.out.println(account));
 * } catch (SnapshotLostException lost) {
 *     System.out.println("only the first " + pages.rowsRead() + " rows");
 * }
 * }</pre>
 */
public final class SnapshotLostException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    SnapshotLostException(String table, long rows) {
        super("other transactions have changed too much of the table since the snapshot of its iteration: table="
                + table + " rowsRead=" + rows
                + "; iterate with perPage(), or with fewer writers, or make the table with more versions=");
    }
}
