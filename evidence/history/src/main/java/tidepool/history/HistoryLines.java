package tidepool.history;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes events as lines, without a JSON library, because a workload records two events for each transaction. */
final class HistoryLines {
    /** The version of files that do not say which one they have. */
    static final int FIRST_VERSION = 1;

    static final int VERSION_WITH_RANGES = 2;

    /** The process of the line that says which version a file has. It is a name, so other checkers pass over it. */
    static final String FORMAT = "history-format";

    static final String FORMAT_LINE = "{\"index\":-1,\"time\":0,\"process\":\"" + FORMAT
            + "\",\"type\":\"info\",\"f\":\"version\",\"value\":" + VERSION_WITH_RANGES + "}";

    private HistoryLines() {}

    /** Returns the first line of a file with range reads. */
    static byte[] format() {
        return (FORMAT_LINE + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] event(long index, long time, long process, String type, List<MicroOp> ops) {
        StringBuilder line = new StringBuilder(64 + 24 * ops.size());
        line.append("{\"index\":").append(index).append(",\"time\":").append(time);
        line.append(",\"process\":").append(process).append(",\"type\":\"").append(type);
        line.append("\",\"f\":\"txn\",\"value\":[");
        for (int i = 0; i < ops.size(); i++) operation(i == 0 ? line : line.append(','), ops.get(i));
        return line.append("]}\n").toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns an event that adds nothing to its invocation. */
    static byte[] event(long index, long time, long process, String type) {
        String line = "{\"index\":" + index + ",\"time\":" + time + ",\"process\":" + process + ",\"type\":\"" + type
                + "\",\"f\":\"txn\"}\n";
        return line.getBytes(StandardCharsets.US_ASCII);
    }

    private static void operation(StringBuilder line, MicroOp op) {
        switch (op) {
            case MicroOp.Append(long key, long element) ->
                line.append("[\"append\",").append(key).append(',').append(element);
            case MicroOp.ReadList(long key, long[] elements) -> {
                line.append("[\"r\",").append(key).append(',');
                list(line, elements);
            }
            case MicroOp.Write(long key, long version, MicroOp.Previous previous) -> {
                line.append("[\"w\",").append(key).append(',').append(version);
                previous(line, previous);
            }
            case MicroOp.Delete(long key, long version, MicroOp.Previous previous) -> {
                line.append("[\"d\",").append(key).append(',').append(version);
                previous(line, previous);
            }
            case MicroOp.Read(long key, MicroOp.Seen seen) -> {
                line.append("[\"r\",").append(key).append(',');
                seen(line, seen);
            }
            case MicroOp.NotFound(long key, long bucket, long version) -> {
                line.append("[\"n\",").append(key);
                bucket(line, bucket, version);
            }
            case MicroOp.Insert(long key, long version, long bucket, long replaced) -> {
                line.append("[\"i\",").append(key).append(',').append(version);
                bucket(line, bucket, replaced);
            }
            case MicroOp.Remove(long key, long version, long previous, long bucket, long replaced) -> {
                line.append("[\"d\",").append(key).append(',').append(version);
                line.append(',').append(previous);
                bucket(line, bucket, replaced);
            }
            case MicroOp.Split(long bucket, long version, long replaced, long to, long replacedThere) -> {
                line.append("[\"s\",").append(version);
                bucket(line, bucket, replaced);
                bucket(line, to, replacedThere);
            }
            case MicroOp.Entry(long key, long index, long position) ->
                line.append("[\"at\",")
                        .append(key)
                        .append(',')
                        .append(index)
                        .append(',')
                        .append(position);
            case MicroOp.Range range -> range(line, range);
        }
        line.append(']');
    }

    private static void range(StringBuilder line, MicroOp.Range range) {
        line.append("[\"range\",").append(range.index());
        number(line, range.from(), Long.MIN_VALUE);
        number(line, range.through(), Long.MAX_VALUE);
        line.append(range.isReversed() ? ",\"down\"" : ",\"up\"");
        number(line, range.limit(), Long.MAX_VALUE);
        if (range.rows() == null) {
            line.append(",null");
            return;
        }
        line.append(",[");
        String comma = "";
        for (MicroOp.RangeRow row : range.rows()) {
            line.append(comma).append('[').append(row.key()).append(',');
            seen(line, row.seen());
            if (range.index() != MicroOp.KEY_ORDER) line.append(',').append(row.position());
            line.append(']');
            comma = ",";
        }
        line.append(']');
    }

    private static void number(StringBuilder line, long number, long none) {
        line.append(',');
        if (number == none) line.append("null");
        else line.append(number);
    }

    private static void list(StringBuilder line, long[] elements) {
        if (elements == null) {
            line.append("null");
            return;
        }
        line.append('[');
        for (int i = 0; i < elements.length; i++) {
            if (i > 0) line.append(',');
            line.append(elements[i]);
        }
        line.append(']');
    }

    private static void bucket(StringBuilder line, long bucket, long version) {
        line.append(',').append(bucket).append(',');
        if (version == MicroOp.NEVER) line.append("null");
        else line.append(version);
    }

    private static void previous(StringBuilder line, MicroOp.Previous previous) {
        switch (previous) {
            case MicroOp.Previous.Unknown() -> {}
            case MicroOp.Previous.None() -> line.append(",null");
            case MicroOp.Previous.Version(long version) -> line.append(',').append(version);
        }
    }

    private static void seen(StringBuilder line, MicroOp.Seen seen) {
        switch (seen) {
            case MicroOp.Seen.Nothing() -> line.append("null");
            case MicroOp.Seen.Absent() -> line.append("\"absent\"");
            case MicroOp.Seen.Version(long version) -> line.append(version);
        }
    }
}
