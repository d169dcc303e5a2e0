package tidepool.cli.transfer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A reader of CSV, as RFC 4180 has it: cells with commas between them, quoted where they hold a comma, a line break or
 * a quotation mark, which is doubled. Lines end with CR LF or with LF. An empty line is no record.
 *
 * <pre>
 *   file   = *( [ record ] [ CR ] LF ) [ record ]
 *   record = cell *( "," cell )
 *   cell   = *TEXT | DQUOTE *( TEXT | "," | CR | LF | 2DQUOTE ) DQUOTE
 * </pre>
 *
 * A cell remembers whether it was quoted: an empty one that was not is null.
 */
final class CsvReader {
    /**
     * More characters of one record are refused: a quotation mark without an end would take in the whole file. All
     * contents of a row are fewer.
     */
    private static final int MAX_RECORD = 256 << 20;

    /** A cell of the record that was read last. */
    record Cell(String text, boolean isQuoted, long line, long column) {}

    private final Utf8Input in;
    private final List<Cell> cells = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private long size;

    CsvReader(Utf8Input in) {
        this.in = in;
    }

    /** Reads the next record. Returns its cells, in a list that is used again; null at the end of the file. */
    List<Cell> next() throws IOException {
        cells.clear();
        size = 0;
        while (isLineEnd()) takeLineEnd();
        if (in.peek() == Utf8Input.END) return null;
        cell();
        while (in.peek() == ',') {
            in.next();
            cell();
        }
        if (in.peek() != Utf8Input.END) takeLineEnd();
        return cells;
    }

    private boolean isLineEnd() throws IOException {
        return in.peek() == '\n' || in.peek() == '\r';
    }

    private void takeLineEnd() throws IOException {
        long line = in.line();
        long column = in.nextColumn();
        if (in.next() == '\r' && in.next() != '\n')
            throw new BadInputException(line, column, "a line ends with LF or CR LF, and not with CR alone");
    }

    private void cell() throws IOException {
        long line = in.line();
        long column = in.nextColumn();
        text.setLength(0);
        boolean isQuoted = in.peek() == '"';
        if (isQuoted) quoted(line, column);
        else plain();
        cells.add(new Cell(text.toString(), isQuoted, line, column));
    }

    private void plain() throws IOException {
        for (int c = in.peek(); c != Utf8Input.END && c != ',' && !isLineEnd(); c = in.peek()) {
            if (c == '"')
                throw new BadInputException(
                        in.line(), in.nextColumn(), "a quotation mark stands only in a cell that begins with one");
            take();
        }
    }

    private void quoted(long line, long column) throws IOException {
        in.next();
        while (true) {
            if (in.peek() == Utf8Input.END)
                throw new BadInputException(line, column, "the quotation mark of this cell has no end");
            if (in.peek() != '"') {
                take();
                continue;
            }
            in.next();
            if (in.peek() != '"') break;
            take();
        }
        if (in.peek() != Utf8Input.END && in.peek() != ',' && !isLineEnd())
            throw new BadInputException(
                    in.line(), in.nextColumn(), "a comma or the end of the line is expected after a quoted cell");
    }

    private void take() throws IOException {
        text.append((char) in.next());
        if (++size > MAX_RECORD)
            throw new BadInputException(
                    in.line(), in.nextColumn(), "a record has at most " + MAX_RECORD + " characters");
    }
}
