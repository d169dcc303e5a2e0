package tidepool.clusters;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tidepool.history.MicroOp;
import tidepool.store.TxnId;

/**
 * One attempt of a transaction: its reads and its intended changes. Versions are ids of attempts, because every value
 * carries the id of its writer. So the version that each write replaced is known, and nothing has to be guessed.
 */
public final class RecordedAttempt {
    /**
     * The end of the attempt as its client knows it. If its machine died it stays open: it may have happened or not.
     */
    public enum End {
        OPEN,
        OK,
        FAILED
    }

    /** A place that was read for a key, and the attempt that had written it; 0 for none. */
    public record Seen(long place, long key, long version) {}

    /**
     * A place that was written, the version before, and the content afterwards.
     *
     * @param bucket the place of the bucket that an insert or a delete of a key changes; 0 for other changes
     */
    public record Change(long place, long replaced, long content, boolean present, long bucket) {}

    /**
     * A range of an index that was read.
     *
     * @param changesBefore number of entries of {@link #changes} that the attempt had made before it
     */
    public record Range(MicroOp.Range read, int changesBefore) {}

    /** The buckets that a split writes, and their versions before. */
    public record Split(long from, long replaced, long to, long replacedThere) {}

    public final long id;
    public final String who;
    public final long invoked;
    public final List<Seen> seen = new ArrayList<>();
    public final List<Change> changes = new ArrayList<>();

    public final List<Range> ranges = new ArrayList<>();

    /** By key that the attempt writes, its position in the one index that histories of ordered rows have. */
    public final Map<Long, Long> positions = new HashMap<>();

    /** What this attempt splits; null for transactions of clients. */
    public Split split;

    public long completed = Long.MAX_VALUE;
    public End end = End.OPEN;

    public RecordedAttempt(long id, String who, long invoked) {
        this.id = id;
        this.who = who;
        this.invoked = invoked;
    }

    public Change changeOf(long place) {
        for (Change change : changes) if (change.place() == place) return change;
        return null;
    }

    @Override
    public String toString() {
        return TxnId.text(id) + " " + end + " of " + who;
    }
}
