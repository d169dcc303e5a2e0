package tidepool.cli.transfer;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A format of files with rows. */
public enum RowFormat {
    /** RFC 4180, with a first line that names the columns. */
    CSV,
    /** One JSON object in each line. */
    JSONL;

    /** Returns the format of a name; null if it has none. */
    public static RowFormat named(String name) {
        for (RowFormat each : values()) if (each.text().equals(name)) return each;
        return null;
    }

    /** Returns the format that the name of a file ends with; null if it ends with none. */
    public static RowFormat ofFile(String file) {
        return named(file.substring(file.lastIndexOf('.') + 1));
    }

    /** Returns its name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns all names. */
    public static String names() {
        return Arrays.stream(values()).map(RowFormat::text).collect(Collectors.joining(" or "));
    }
}
