package tidepool.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A table of text under headings. Each column is as wide as its widest cell. Numbers are right-aligned, other cells
 * left-aligned.
 */
final class TextTable {
    private final List<String[]> rows = new ArrayList<>();

    TextTable(String... headings) {
        rows.add(headings);
    }

    /** Adds a row. A row may have fewer cells than headings; its last cell then extends into the missing columns. */
    void row(Object... words) {
        String[] row = new String[words.length];
        for (int i = 0; i < words.length; i++) row[i] = String.valueOf(words[i]);
        rows.add(row);
    }

    boolean isEmpty() {
        return rows.size() == 1;
    }

    void print(Consumer<String> out) {
        int columns = rows.getFirst().length;
        int[] widths = new int[columns];
        boolean[] numbers = new boolean[columns];
        for (int column = 0; column < columns; column++) {
            boolean text = false;
            for (String[] row : rows) {
                if (column >= row.length || row.length < columns && column == row.length - 1) continue;
                widths[column] = Math.max(widths[column], row[column].length());
                if (row == rows.getFirst()) continue;
                text |= !row[column].matches("-|[0-9][0-9.,]*");
                numbers[column] |= !row[column].equals("-");
            }
            numbers[column] &= !text;
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.length; column++) {
                String pad = " ".repeat(Math.max(0, widths[column] - row[column].length()));
                line.append(column == 0 ? "" : "  ");
                line.append(numbers[column] ? pad + row[column] : row[column] + pad);
            }
            out.accept(line.toString().stripTrailing());
        }
    }
}
