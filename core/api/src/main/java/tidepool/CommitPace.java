package tidepool;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A moving average of the duration of a commit on this pool, from the end of a transaction's body to its outcome, and
 * the pauses after a conflict that follow from it.
 *
 * <p>A lock is held for the commit and about one trip more: two microseconds on shared memory, milliseconds where a
 * commit waits for a disk. A much shorter pause ends while the lock is still held, and each such attempt takes time of
 * the memory nodes from the holder. If n transactions want one row, and pauses take p times as long as the lock is
 * held, there are about n/p aborts per commit. So the bound of a pause doubles from {@link #MIN_COMMITS} to
 * {@link #MAX_COMMITS} commits. From attempt {@link #STARVED} on it is {@link #STARVED_COMMITS}. Otherwise a
 * coordinator that commits one transaction after the other would keep the others out for seconds, because its next lock
 * follows its release at once.
 *
 * <p>The body is not measured: it may wait, for a lock or for another transaction, and pauses that grew with such waits
 * would make the waits longer. Threads share the average without atomic instructions. A sample that is lost to a race
 * is one of many.
 */
class CommitPace {
    private static final int MIN_COMMITS = 3;
    private static final int MAX_COMMITS = 48;
    private static final int STARVED = 17;
    private static final int STARVED_COMMITS = 12;

    /** The bound of the first pause while no commit was measured, and its minimum after that. */
    private static final long MIN_NANOS = 400;

    /** A commit that takes less waits for no disk; the bounds without a sample are made for it. */
    private static final long QUICK_NANOS = 100_000;

    /** A bound that only many attempts reach: the holder has no core, or is dead. */
    private static final long LONG_NANOS = MIN_NANOS << 11;

    /**
     * The maximum pause, however long commits take. A transaction has ten seconds, and a long commit may come from a
     * process that was stopped for a while.
     */
    private static final long MAX_NANOS = 50_000_000;

    private static final int MAX_DOUBLINGS = 11;
    private static final int SMOOTHING = 3;

    /**
     * A sample far above the average is mostly time in which the thread had no core, so it counts as a few averages.
     */
    private static final int MAX_AVERAGES = 4;

    private static final int SAMPLED = 16;

    private final AtomicLong average = new AtomicLong(); // nanoseconds; 0 until a commit was measured

    /**
     * Returns whether the commit of a first attempt with this id is measured. A clock costs as much as a fifth of the
     * shortest transactions, so few are; attempts after a pause always are.
     */
    static boolean isSampled(long id) {
        return id % SAMPLED == 0;
    }

    /** Records that a commit took {@code nanos}. */
    void committed(long nanos) {
        long known = average.getPlain();
        long seen = Math.max(nanos, 1);
        average.setOpaque(
                known == 0 ? seen : Math.max(1, known + (Math.min(seen, MAX_AVERAGES * known) - known >> SMOOTHING)));
    }

    /** Returns the average duration of a commit, in nanoseconds; 0 if it is not known yet. */
    long commitNanos() {
        return average.getOpaque();
    }

    /** Returns the longest pause after a number of attempts, in nanoseconds. */
    long maxPause(int attempts) {
        long known = commitNanos();
        long commit = known < QUICK_NANOS ? 0 : known;
        long max = Math.max(LONG_NANOS, (attempts < STARVED ? MAX_COMMITS : STARVED_COMMITS) * commit);
        long min = Math.max(MIN_NANOS, MIN_COMMITS * commit);
        return Math.min(Math.min(max, MAX_NANOS), min << Math.min(attempts - 1, MAX_DOUBLINGS));
    }
}
