package tidepool.evidence.litmus;

import java.util.List;

/**
 * A round that was played.
 *
 * @param plan the control of its parts
 * @param parts the notes of each part
 * @param end the notes of the examiner after all parts have ended
 */
public record Played(Plan plan, List<Notes> parts, Notes end) {
    public long of(int part, String name) {
        return parts.get(part).get(name);
    }

    public long of(int part, String name, long otherwise) {
        return parts.get(part).get(name, otherwise);
    }

    /** Returns the sum over all parts. */
    public long sum(String name) {
        long sum = 0;
        for (Notes notes : parts) sum += notes.get(name, 0);
        return sum;
    }

    /** Whether an event of one part happened before an event of another. */
    public boolean isBefore(int part, String earlier, int other, String later) {
        return of(part, earlier) < of(other, later);
    }

    /** Whether the earlier event of both parts happened before the later event of either. */
    public boolean bothBefore(String earlier, String later) {
        return Math.max(of(0, earlier), of(1, earlier)) < Math.min(of(0, later), of(1, later));
    }

    /** Whether the intervals from "begin" to "end" of two parts overlapped in time. */
    public boolean together(int part, int other) {
        return isBefore(part, "begin", other, "end") && isBefore(other, "begin", part, "end");
    }

    @Override
    public String toString() {
        return "plan " + plan + " parts " + parts + " end " + end;
    }
}
