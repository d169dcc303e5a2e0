package tidepool.clusters;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;
import tidepool.clusters.RecordedAttempt.Change;
import tidepool.clusters.RecordedAttempt.End;
import tidepool.clusters.RecordedAttempt.Seen;
import tidepool.clusters.RecordedAttempt.Split;
import tidepool.history.History;
import tidepool.history.HistoryChecker;
import tidepool.history.HistoryRecorder;
import tidepool.history.Level;
import tidepool.history.MicroOp;
import tidepool.history.Verdict;

/**
 * Checks that a history is what its protocol promises, strictly serializable or snapshot isolated, and that nothing of
 * it is lost. The history is translated for the history checker, as rows with all versions that were read and replaced.
 * The content of the memory at the end is its last read.
 */
public final class SerialOrder {
    private final ClusterHistory history;
    private final LongUnaryOperator bucketOf;
    private final Map<Long, Long> finalVersions;
    private final Map<Long, Long> finalContents;
    private final Level promised;
    private boolean showsSkew;
    private long unknownThatHappened;

    /** @param bucketOf maps the place of a key to that of its bucket at the end of the run */
    public SerialOrder(
            ClusterHistory history,
            LongUnaryOperator bucketOf,
            Map<Long, Long> finalVersions,
            Map<Long, Long> finalContents) {
        this(history, bucketOf, finalVersions, finalContents, Level.STRICT_SERIALIZABILITY);
    }

    public SerialOrder(
            ClusterHistory history,
            LongUnaryOperator bucketOf,
            Map<Long, Long> finalVersions,
            Map<Long, Long> finalContents,
            Level promised) {
        this.promised = promised;
        this.history = history;
        this.bucketOf = bucketOf;
        this.finalVersions = finalVersions;
        this.finalContents = finalContents;
    }

    /** Returns what the attempts alone prove, without the content of the memory. */
    static Verdict of(ClusterHistory history) {
        return new SerialOrder(history, _ -> 0, Map.of(), Map.of()).verdict(false);
    }

    /** Returns the number of attempts whose end was not recorded and that happened. */
    public long unknownThatHappened() {
        return unknownThatHappened;
    }

    /** Whether the history is not serializable, where less was promised. */
    public boolean showsSkew() {
        return showsSkew;
    }

    public void check() {
        Verdict verdict = verdict(true);
        if (!verdict.holds(promised))
            throw new ClusterFailure((promised == Level.STRICT_SERIALIZABILITY
                            ? "not strictly serializable: "
                            : "not " + promised + ": ")
                    + verdict.report());
        showsSkew = !verdict.holds(Level.SERIALIZABILITY);
        unknownThatHappened = verdict.counts().unknownThatHappened();
        finalContents.forEach(this::checkContent);
    }

    /** @param withMemory whether the content of the memory is the last read */
    private Verdict verdict(boolean withMemory) {
        try {
            return HistoryChecker.check(History.read(new ByteArrayInputStream(written(withMemory))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void checkContent(long place, long content) {
        RecordedAttempt last = history.find(finalVersions.get(place));
        if (last.changeOf(place).content() != content)
            throw new ClusterFailure(VersionedPlace.text(place) + " does not hold what " + last + " wrote");
    }

    /** Writes the history. Every attempt is a process of its own; beginnings and ends keep their numbers. */
    private byte[] written(boolean withMemory) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TreeMap<Long, Runnable> ends = new TreeMap<>();
        long[] index = {0};
        try (HistoryRecorder recorder = new HistoryRecorder(out, () -> index[0], () -> index[0])) {
            if (hasRanges()) recorder.withRanges();
            long process = 0;
            for (RecordedAttempt attempt : history.attempts()) {
                int ticket = recorder.invoke(process++, attempt.invoked, operations(attempt));
                if (attempt.end == End.OK) ends.put(attempt.completed, () -> recorder.ok(ticket));
                if (attempt.end == End.FAILED) ends.put(attempt.completed, () -> recorder.fail(ticket));
            }
            ends.forEach((at, end) -> {
                index[0] = at;
                end.run();
            });
            if (withMemory) {
                int last = recorder.invoke(process, ++index[0], lastRead());
                index[0]++;
                recorder.ok(last);
            }
        }
        return out.toByteArray();
    }

    private boolean hasRanges() {
        for (RecordedAttempt attempt : history.attempts())
            if (!attempt.ranges.isEmpty() || !attempt.positions.isEmpty()) return true;
        return false;
    }

    private List<MicroOp> operations(RecordedAttempt attempt) {
        List<MicroOp> operations = new ArrayList<>();
        Split split = attempt.split;
        if (split != null)
            operations.add(
                    new MicroOp.Split(split.from(), attempt.id, split.replaced(), split.to(), split.replacedThere()));
        for (Seen seen : attempt.seen)
            operations.add(
                    VersionedPlace.isBucket(seen.place())
                            ? new MicroOp.NotFound(seen.key(), seen.place(), seen.version())
                            : MicroOp.readVersion(seen.place(), seen.version()));
        for (int i = 0; i <= attempt.changes.size(); i++) {
            for (RecordedAttempt.Range range : attempt.ranges)
                if (range.changesBefore() == i) operations.add(range.read());
            if (i < attempt.changes.size()) addChange(attempt, attempt.changes.get(i), operations);
        }
        return operations;
    }

    private void addChange(RecordedAttempt attempt, Change change, List<MicroOp> operations) {
        if (VersionedPlace.isBucket(change.place()) || neverWas(change)) return;
        operations.add(operation(attempt, change));
        Long position = attempt.positions.get(change.place());
        if (position != null) operations.add(new MicroOp.Entry(change.place(), OrderedRows.PLACES, position));
    }

    /** Whether an attempt has inserted a key and deleted it. */
    private static boolean neverWas(Change change) {
        return change.replaced() == 0 && !change.present();
    }

    private MicroOp operation(RecordedAttempt attempt, Change change) {
        long key = change.place();
        boolean inserts = change.replaced() == 0;
        if (!inserts && change.present()) return MicroOp.write(key, attempt.id, change.replaced());
        long bucket = change.bucket();
        long before = attempt.changeOf(bucket).replaced();
        return inserts
                ? new MicroOp.Insert(key, attempt.id, bucket, before)
                : new MicroOp.Remove(key, attempt.id, change.replaced(), bucket, before);
    }

    /** Returns the content of the memory at the end, of all keys that were ever touched. */
    private List<MicroOp> lastRead() {
        TreeSet<Long> keys = new TreeSet<>();
        for (RecordedAttempt attempt : history.attempts()) {
            for (Seen seen : attempt.seen) keys.add(seen.key());
            for (Change change : attempt.changes) keys.add(change.place());
            for (RecordedAttempt.Range range : attempt.ranges)
                for (MicroOp.RangeRow row : range.read().rows()) keys.add(row.key());
        }
        keys.addAll(finalVersions.keySet());
        keys.removeIf(VersionedPlace::isBucket);
        List<MicroOp> operations = new ArrayList<>();
        for (long key : keys) {
            Long version = finalVersions.get(key);
            long bucket = bucketOf.applyAsLong(key);
            operations.add(
                    version != null
                            ? MicroOp.readVersion(key, version)
                            : new MicroOp.NotFound(key, bucket, finalVersions.getOrDefault(bucket, MicroOp.NEVER)));
        }
        return operations;
    }
}
