package tidepool.history;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A small history by hand. Operations are separated by semicolons: {@code append 1 5; r 2 [3,4]; w 3 7 over 6; d 3 8}.
 * Every transaction has its own process unless it says otherwise.
 *
 * <p>With {@link #rows()} an invocation says what was seen, and the end nothing more: {@code n 1 in 7 at 10} did not
 * find key 1 in bucket 7, {@code i 1 12 in 7 over 10} inserted it, {@code d 1 13 over 12 in 7 over 12} removed it.
 * {@code s 7 14 over 13 to 8 over null} split bucket 7 into 7 and 8.
 *
 * <p>{@code range 0 1 9 up - 3:12 4:13} read keys 1 through 9 and got two rows with their versions; a limit stands in
 * the place of the dash. {@code range 1 50 - down 2 3:-:60} read entries of index 1 without their rows, and {@code at 3
 * 1 60} put the row that was written before at a position of that index.
 */
final class Script {
    private final StringBuilder lines = new StringBuilder();
    private final List<String> invoked = new ArrayList<>();
    private final List<Integer> processes = new ArrayList<>();
    private final boolean rows;
    private int index;

    Script() {
        this(false);
    }

    private Script(boolean rows) {
        this.rows = rows;
    }

    static Script rows() {
        return new Script(true);
    }

    /** A transaction that begins and completes before anything else happens. */
    Script run(String ops) {
        ok(invoke(ops));
        return this;
    }

    /** Transactions of one process, one after the other. */
    Script process(int process, String... transactions) {
        for (String ops : transactions) ok(invoke(process, ops));
        return this;
    }

    /** Transactions that all begin before the first of them completes. */
    Script overlap(String... transactions) {
        List<Integer> open = new ArrayList<>();
        for (String ops : transactions) open.add(invoke(ops));
        for (int each : open) ok(each);
        return this;
    }

    Script failed(String ops) {
        complete(invoke(ops), "fail");
        return this;
    }

    Script unknown(String ops) {
        complete(invoke(ops), "info");
        return this;
    }

    int invoke(String ops) {
        return invoke(100 + invoked.size(), ops);
    }

    int invoke(int process, String ops) {
        invoked.add(ops);
        processes.add(process);
        event(process, "invoke", ops);
        return invoked.size() - 1;
    }

    Script ok(int transaction) {
        return complete(transaction, "ok");
    }

    Script complete(int transaction, String type) {
        event(processes.get(transaction), type, invoked.get(transaction));
        return this;
    }

    private void event(int process, String type, String ops) {
        if (rows && !type.equals("invoke")) {
            lines.append("{\"index\":" + index++ + ",\"process\":" + process + ",\"type\":\"" + type + "\"}\n");
            return;
        }
        List<String> written = new ArrayList<>();
        for (String op : ops.split(";")) written.add(json(op.strip().split(" "), rows || type.equals("ok")));
        lines.append("{\"index\":" + index++ + ",\"process\":" + process + ",\"type\":\"" + type
                + "\",\"f\":\"txn\",\"value\":[" + String.join(",", written) + "]}\n");
    }

    private static String json(String[] words, boolean completed) {
        if (words[0].equals("r")) {
            String seen = words[2].equals("absent") ? "\"absent\"" : words[2];
            return "[\"r\"," + words[1] + "," + (completed ? seen : "null") + "]";
        }
        if (words[0].equals("n")) return "[\"n\"," + words[1] + "," + words[3] + "," + words[5] + "]";
        if (words[0].equals("i")) return "[\"i\"," + words[1] + "," + words[2] + "," + words[4] + "," + words[6] + "]";
        if (words[0].equals("s"))
            return "[\"s\"," + words[2] + "," + words[1] + "," + words[4] + "," + words[6] + "," + words[8] + "]";
        if (words[0].equals("d") && words.length > 5)
            return "[\"d\"," + words[1] + "," + words[2] + "," + words[4] + "," + words[6] + "," + words[8] + "]";
        if (words[0].equals("at")) return "[\"at\"," + words[1] + "," + words[2] + "," + words[3] + "]";
        if (words[0].equals("range")) return range(words, completed);
        String previous = completed && words.length > 3 ? "," + words[4] : "";
        return "[\"" + words[0] + "\"," + words[1] + "," + words[2] + previous + "]";
    }

    private static String range(String[] words, boolean completed) {
        List<String> rows = new ArrayList<>();
        for (int i = 6; i < words.length; i++)
            rows.add("[" + words[i].replace(':', ',').replace("-", "null") + "]");
        return "[\"range\"," + words[1] + "," + orNull(words[2]) + "," + orNull(words[3]) + ",\"" + words[4] + "\","
                + orNull(words[5]) + "," + (completed ? "[" + String.join(",", rows) + "]" : "null") + "]";
    }

    private static String orNull(String word) {
        return word.equals("-") ? "null" : word;
    }

    String text() {
        return lines.indexOf("[\"range\"") < 0 ? lines.toString() : HistoryLines.FORMAT_LINE + "\n" + lines;
    }

    Verdict check() {
        return check(text());
    }

    static Verdict check(String text) {
        try {
            return HistoryChecker.check(History.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
        } catch (IOException malformed) {
            throw new UncheckedIOException(text, malformed);
        }
    }
}
