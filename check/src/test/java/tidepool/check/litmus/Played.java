package tidepool.check.litmus;

import java.util.List;

/**
 * A round that was played.
 *
 * @param plan what was done to its parts
 * @param parts what each part noted
 * @param end what the steward found when all was over
 */
public record Played(Plan plan, List<Notes> parts, Notes end) {
    public long of(int part, String name) {
        return parts.get(part).get(name);
    }

    public long of(int part, String name, long otherwise) {
        return parts.get(part).get(name, otherwise);
    }

    /** The sum over all parts. */
    public long sum(String name) {
        long sum = 0;
        for (Notes notes : parts) sum += notes.get(name, 0);
        return sum;
    }

    /** Whether one thing happened before another, of these parts. */
    public boolean isBefore(int part, String earlier, int other, String later) {
        return of(part, earlier) < of(other, later);
    }

    /** Whether in each of two parts the first thing happened before the second happened in either. */
    public boolean bothBefore(String earlier, String later) {
        return Math.max(of(0, earlier), of(1, earlier)) < Math.min(of(0, later), of(1, later));
    }

    /** Whether what each part did from its "begin" to its "end" overlapped in time. */
    public boolean together(int part, int other) {
        return isBefore(part, "begin", other, "end") && isBefore(other, "begin", part, "end");
    }

    @Override
    public String toString() {
        return "plan " + plan + " parts " + parts + " end " + end;
    }
}
