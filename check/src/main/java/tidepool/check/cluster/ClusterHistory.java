package tidepool.check.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

/** Every attempt of a run, in the order of their beginnings; one counter orders all beginnings and ends. */
final class ClusterHistory {
    private final Map<Long, Attempt> attempts = new LinkedHashMap<>();
    private long nextIndex = 1;

    Attempt invoke(long id, String who) {
        Attempt attempt = new Attempt(id, who, nextIndex++);
        if (attempts.put(id, attempt) != null) throw new ClusterFailure("an id was used twice: " + attempt);
        return attempt;
    }

    void ok(Attempt attempt) {
        end(attempt, Attempt.End.OK);
    }

    /** It surely did not happen and never will. */
    void failed(Attempt attempt) {
        end(attempt, Attempt.End.FAILED);
    }

    private void end(Attempt attempt, Attempt.End end) {
        attempt.completed = nextIndex++;
        attempt.end = end;
    }

    Iterable<Attempt> attempts() {
        return attempts.values();
    }

    int count() {
        return attempts.size();
    }

    /** The attempt of that id; null if there is none. */
    Attempt find(long id) {
        return attempts.get(id);
    }
}
