package tidepool.history;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A history as objects: easy to make at random, to spoil, and to give to the oracle. */
final class Recorded {
    enum Outcome {
        OK,
        FAIL,
        INFO
    }

    /** A transaction; its invocation and completion are positions in the history. */
    static final class Txn {
        final long process;
        Outcome outcome = Outcome.OK;
        List<MicroOp> ops;
        int invoked;
        int completed = Integer.MAX_VALUE;

        Txn(long process, List<MicroOp> ops) {
            this.process = process;
            this.ops = new ArrayList<>(ops);
        }
    }

    /** A line: the invocation or the completion of a transaction. */
    record Event(Txn txn, boolean invocation) {}

    final List<Event> events = new ArrayList<>();
    final List<Txn> txns = new ArrayList<>();

    /** Whether invocations say what was seen, as those of rows do. */
    boolean told;

    /** Whether transactions may read ranges. */
    boolean hasRanges;

    void invoke(Txn txn) {
        txn.invoked = events.size();
        events.add(new Event(txn, true));
        txns.add(txn);
    }

    void complete(Txn txn) {
        txn.completed = events.size();
        events.add(new Event(txn, false));
    }

    String text() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (hasRanges) out.writeBytes(HistoryLines.format());
        for (int i = 0; i < events.size(); i++) {
            Txn txn = events.get(i).txn();
            boolean ok = !events.get(i).invocation() && txn.outcome == Outcome.OK || told;
            String type =
                    events.get(i).invocation() ? "invoke" : txn.outcome.name().toLowerCase(Locale.ROOT);
            List<MicroOp> ops =
                    ok ? txn.ops : txn.ops.stream().map(Recorded::asked).toList();
            if (told && !events.get(i).invocation()) {
                out.writeBytes(HistoryLines.event(i, i * 1000L, txn.process, type));
                continue;
            }
            out.writeBytes(HistoryLines.event(i, i * 1000L, txn.process, type, ops));
        }
        return out.toString(StandardCharsets.US_ASCII);
    }

    Verdict check() {
        try {
            return HistoryChecker.check(
                    History.read(new ByteArrayInputStream(text().getBytes(StandardCharsets.US_ASCII))));
        } catch (IOException malformed) {
            throw new UncheckedIOException(text(), malformed);
        }
    }

    private static MicroOp asked(MicroOp op) {
        return switch (op) {
            case MicroOp.Append append -> append;
            case MicroOp.ReadList read -> MicroOp.read(read.key());
            case MicroOp.Read read -> MicroOp.read(read.key());
            case MicroOp.Write write -> MicroOp.write(write.key(), write.version());
            case MicroOp.NotFound missing -> missing;
            case MicroOp.Insert insert -> insert;
            case MicroOp.Remove remove -> remove;
            case MicroOp.Split split -> split;
            case MicroOp.Entry entry -> entry;
            case MicroOp.Range(
                    long index,
                    long from,
                    long through,
                    boolean isReversed,
                    long limit,
                    List<MicroOp.RangeRow> rows) -> new MicroOp.Range(index, from, through, isReversed, limit, null);
            case MicroOp.Delete delete -> new MicroOp.Delete(delete.key(), delete.version(), MicroOp.Previous.UNKNOWN);
        };
    }
}
