package tidepool.cli.transfer;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A format of files with rows. */
public enum TransferFormat {
    /** RFC 4180, with a first line that names the columns. */
    CSV,
    /** One JSON object in each line. */
    JSONL;

    /** Returns the format of a name; null if it has none. */
    public static TransferFormat named(String name) {
        for (TransferFormat each : values()) if (each.text().equals(name)) return each;
        return null;
    }

    /** Returns the format that the name of a file ends with; null if it ends with none. */
    public static TransferFormat ofFile(String file) {
        return named(file.substring(file.lastIndexOf('.') + 1));
    }

    /** Returns its name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns all names. */
    public static String names() {
        return Arrays.stream(values()).map(TransferFormat::text).collect(Collectors.joining(" or "));
    }
}
