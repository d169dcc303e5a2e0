package tidepool.check.history;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a run of transactions asked for and what it saw, in memory as columns: about 60 bytes for each operation.
 *
 * <p>A history is read from JSON lines as {@link HistoryRecorder} and Elle's tools write them; the format stands in
 * {@code docs/histories.md}.
 */
public final class History {
    final Keys keys;
    final Ops ops;
    final Branches branches;
    final Transactions transactions;
    final VersionIndex versions;
    /** The transactions that are ok, in the order of their completions. */
    final int[] completionOrder;

    final Places places;
    private final List<String> warnings;

    History(
            Keys keys,
            Ops ops,
            Branches branches,
            Transactions transactions,
            VersionIndex versions,
            int[] completionOrder,
            Places places,
            List<String> warnings) {
        this.keys = keys;
        this.ops = ops;
        this.branches = branches;
        this.transactions = transactions;
        this.versions = versions;
        this.completionOrder = completionOrder;
        this.places = places;
        this.warnings = List.copyOf(warnings);
    }

    /** Reads one file. A file that is no history ends in a {@link HistoryFormatException} that names the line. */
    public static History read(Path file) throws IOException {
        return read(List.of(file));
    }

    /** Reads the files of several recorders that shared one counter, and merges their events by index. */
    public static History read(List<Path> files) throws IOException {
        HistoryBuilder builder = new HistoryBuilder();
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file)) {
                builder.add(file.toString(), in);
            }
        }
        return builder.build();
    }

    /** Reads a stream to its end, and leaves closing it to the caller. */
    public static History read(InputStream in) throws IOException {
        HistoryBuilder builder = new HistoryBuilder();
        builder.add("history", in);
        return builder.build();
    }

    /** How many transactions were invoked. */
    public int transactionCount() {
        return transactions.count();
    }

    /** How many different keys were touched. */
    public int keyCount() {
        return keys.count() - keys.bucketCount();
    }

    /** What was strange but no reason to refuse the history, such as a last line that is cut off. */
    public List<String> warnings() {
        return warnings;
    }
}
