package tidepool;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A moving average of what a commit takes on this pool, from the end of a transaction's body to its outcome, and the pauses after a
 * conflict that follow from it.
 *
 * <p>A lock is held for the commit and about one trip more: two microseconds on shared memory, milliseconds where a commit waits for
 * a disk. A pause that is much shorter ends at the same lock, and each such try takes time of the memory nodes from the holder. If
 * n transactions want one row, and pauses take p times as long as it is held, there are about n/p aborts per commit. So the bound
 * of a pause doubles from {@link #LEAST_COMMITS} to {@link #MOST_COMMITS} commits. From attempt {@link #STARVED} on it is
 * {@link #STARVED_COMMITS}. Otherwise a coordinator that commits one transaction after the other would keep the others out for
 * seconds, because its next lock follows its release at once.
 *
 * <p>The body is not measured: it may wait, for a lock or for another transaction, and pauses that grew with such waits would make
 * the waits longer. Threads share the average without atomic instructions. A sample that is lost to a race is one of many.
 */
class CommitPace {
    private static final int LEAST_COMMITS = 3;
    private static final int MOST_COMMITS = 48;
    private static final int STARVED = 17;
    private static final int STARVED_COMMITS = 12;

    /** The bounds while no commit was measured, and the least ones after that. */
    private static final long LEAST_NANOS = 400;

    /** A commit that takes less waits for no disk; the bounds without a sample are made for it. */
    private static final long QUICK_NANOS = 100_000;

    /** A bound that only many attempts reach: the holder has no core, or is dead. */
    private static final long LONG_NANOS = LEAST_NANOS << 11;

    /** No pause is longer, however long commits take: a transaction has ten seconds, and a process may only have stood still. */
    private static final long MOST_NANOS = 50_000_000;

    private static final int MOST_DOUBLINGS = 11;
    private static final int SMOOTHING = 3;

    /** A sample far above the average is mostly time in which the thread had no core, so it counts as a few averages. */
    private static final int MOST_AVERAGES = 4;

    private static final int SAMPLED = 16;

    private final AtomicLong average = new AtomicLong(); // nanoseconds; 0 until a commit was measured

    /**
     * Returns whether the commit of a first attempt with this id is measured. A clock costs as much as a fifth of the shortest
     * transactions, so few are; attempts after a pause always are.
     */
    static boolean isSampled(long id) {
        return id % SAMPLED == 0;
    }

    /** Records that a commit took {@code nanos}. */
    void committed(long nanos) {
        long known = average.getPlain();
        long seen = Math.max(nanos, 1);
        average.setOpaque(
                known == 0 ? seen : Math.max(1, known + (Math.min(seen, MOST_AVERAGES * known) - known >> SMOOTHING)));
    }

    /** Returns what a commit takes, in nanoseconds; 0 if that is not known yet. */
    long commitNanos() {
        return average.getOpaque();
    }

    /** Returns the longest pause after a number of attempts, in nanoseconds. */
    long mostPause(int attempts) {
        long known = commitNanos();
        long commit = known < QUICK_NANOS ? 0 : known;
        long most = Math.max(LONG_NANOS, (attempts < STARVED ? MOST_COMMITS : STARVED_COMMITS) * commit);
        long least = Math.max(LEAST_NANOS, LEAST_COMMITS * commit);
        return Math.min(Math.min(most, MOST_NANOS), least << Math.min(attempts - 1, MOST_DOUBLINGS));
    }
}
