package tidepool.history;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Transactions of a run with their requests and results, in memory as columns: about 60 bytes for each operation.
 *
 * <p>A history is read from JSON lines as {@link HistoryRecorder} and Elle's tools write them; the format is specified
 * in {@code docs/evidence/histories.md}.
 */
public final class History {
    final KeyNumbering keys;
    final Ops ops;
    final Branches branches;
    final Ranges ranges;
    final Transactions transactions;
    final VersionIndex versions;
    /** The transactions that are ok, in the order of their completions. */
    final int[] completionOrder;

    final SourceLines sources;
    private final List<String> warnings;

    History(
            KeyNumbering keys,
            Ops ops,
            Branches branches,
            Ranges ranges,
            Transactions transactions,
            VersionIndex versions,
            int[] completionOrder,
            SourceLines sources,
            List<String> warnings) {
        this.keys = keys;
        this.ops = ops;
        this.branches = branches;
        this.ranges = ranges;
        this.transactions = transactions;
        this.versions = versions;
        this.completionOrder = completionOrder;
        this.sources = sources;
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

    /** Reads a stream to its end; the caller closes it. */
    public static History read(InputStream in) throws IOException {
        HistoryBuilder builder = new HistoryBuilder();
        builder.add("history", in);
        return builder.build();
    }

    /** Returns the number of transactions that were invoked. */
    public int transactionCount() {
        return transactions.count();
    }

    /** Returns the number of different keys that were touched. */
    public int keyCount() {
        return keys.count() - keys.bucketCount() - keys.indexCount();
    }

    /** Returns warnings: defects that are no reason to refuse the history, such as a last line that is cut off. */
    public List<String> warnings() {
        return warnings;
    }
}
