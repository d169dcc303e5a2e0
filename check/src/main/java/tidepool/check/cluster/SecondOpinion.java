package tidepool.check.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import tidepool.check.cluster.Attempt.Change;
import tidepool.check.cluster.Attempt.End;
import tidepool.check.cluster.Attempt.Seen;
import tidepool.check.history.History;
import tidepool.check.history.HistoryChecker;
import tidepool.check.history.HistoryRecorder;
import tidepool.check.history.Level;
import tidepool.check.history.MicroOp;
import tidepool.check.history.MicroOp.Previous;
import tidepool.check.history.Verdict;

/**
 * The same history in the words of the history checker, which was written by somebody else and knows nothing of clusters.
 * Slower than {@link SerialOrder}, so not every seed is shown to it.
 */
final class SecondOpinion {
    private SecondOpinion() {}

    static void ask(ClusterHistory history) {
        try {
            Verdict verdict = HistoryChecker.check(History.read(new ByteArrayInputStream(written(history))));
            if (!verdict.holds(Level.STRICT_SERIALIZABILITY))
                throw new ClusterFailure("the history checker objects: " + verdict.report());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every attempt is a process of its own; beginnings and ends keep their numbers. */
    private static byte[] written(ClusterHistory history) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long[] index = {0};
        TreeMap<Long, Runnable> events = new TreeMap<>();
        try (HistoryRecorder recorder = new HistoryRecorder(out, () -> index[0], () -> index[0])) {
            int[] ticket = new int[history.count()];
            int number = 0;
            for (Attempt attempt : history.attempts()) {
                int process = number++;
                events.put(attempt.invoked, () -> ticket[process] = recorder.invoke(process, ops(attempt, false)));
                if (attempt.end == End.OK)
                    events.put(attempt.completed, () -> recorder.ok(ticket[process], ops(attempt, true)));
                if (attempt.end == End.FAILED) events.put(attempt.completed, () -> recorder.fail(ticket[process]));
            }
            events.forEach((at, event) -> {
                index[0] = at;
                event.run();
            });
        }
        return out.toByteArray();
    }

    private static List<MicroOp> ops(Attempt attempt, boolean completed) {
        List<MicroOp> ops = new ArrayList<>();
        for (Seen seen : attempt.seen) {
            boolean nothing = !completed || seen.version() == 0;
            ops.add(new MicroOp.Read(
                    seen.place(), nothing ? MicroOp.Seen.NOTHING : new MicroOp.Seen.Version(seen.version())));
        }
        for (Change change : attempt.changes) {
            // Whoever inserts cannot tell which tombstone it replaces; the bucket, another key here, can.
            Previous previous = change.replaced() != 0
                    ? new Previous.Version(change.replaced())
                    : Place.isBucket(change.place()) ? Previous.NONE : Previous.UNKNOWN;
            ops.add(
                    change.present()
                            ? new MicroOp.Write(change.place(), attempt.id, previous)
                            : new MicroOp.Delete(change.place(), attempt.id, previous));
        }
        return ops;
    }
}
