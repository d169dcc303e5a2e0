package tidepool.clusters;

import java.util.LinkedHashMap;
import java.util.Map;

/** Every attempt of a run, in the order of their beginnings; one counter orders all beginnings and ends. */
public final class ClusterHistory {
    private final Map<Long, RecordedAttempt> attempts = new LinkedHashMap<>();
    private long nextIndex = 1;

    public RecordedAttempt invoke(long id, String who) {
        RecordedAttempt attempt = new RecordedAttempt(id, who, nextIndex++);
        if (attempts.put(id, attempt) != null) throw new ClusterFailure("an id was used twice: " + attempt);
        return attempt;
    }

    /** Records a split of a bucket, which is about to commit. */
    RecordedAttempt split(long id, String who, RecordedAttempt.Split split) {
        RecordedAttempt attempt = invoke(id, who);
        attempt.split = split;
        return attempt;
    }

    public void ok(RecordedAttempt attempt) {
        end(attempt, RecordedAttempt.End.OK);
    }

    /** Records that the attempt certainly did not take effect and never will. */
    public void failed(RecordedAttempt attempt) {
        end(attempt, RecordedAttempt.End.FAILED);
    }

    private void end(RecordedAttempt attempt, RecordedAttempt.End end) {
        attempt.completed = nextIndex++;
        attempt.end = end;
    }

    public Iterable<RecordedAttempt> attempts() {
        return attempts.values();
    }

    public int count() {
        return attempts.size();
    }

    /** Returns the attempt of this id; null if there is none. */
    public RecordedAttempt find(long id) {
        return attempts.get(id);
    }
}
