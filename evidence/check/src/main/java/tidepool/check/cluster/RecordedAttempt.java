package tidepool.check.cluster;

import java.util.ArrayList;
import java.util.List;
import tidepool.store.TxnId;

/**
 * One attempt of a transaction: its reads and its intended changes. Versions are ids of attempts, because every value
 * carries the id of its writer. So the version that each write replaced is known, and nothing has to be guessed.
 */
final class RecordedAttempt {
    /**
     * The end of the attempt as its client knows it. If its machine died it stays open: it may have happened or not.
     */
    enum End {
        OPEN,
        OK,
        FAILED
    }

    /** A place that was read for a key, and the attempt that had written it; 0 for none. */
    record Seen(long place, long key, long version) {}

    /** A place that was written, the version before, and the content afterwards. */
    record Change(long place, long replaced, long content, boolean present) {}

    final long id;
    final String who;
    final long invoked;
    final List<Seen> seen = new ArrayList<>();
    final List<Change> changes = new ArrayList<>();
    long completed = Long.MAX_VALUE;
    End end = End.OPEN;

    RecordedAttempt(long id, String who, long invoked) {
        this.id = id;
        this.who = who;
        this.invoked = invoked;
    }

    Change changeOf(long place) {
        for (Change change : changes) if (change.place() == place) return change;
        return null;
    }

    @Override
    public String toString() {
        return TxnId.text(id) + " " + end + " of " + who;
    }
}
