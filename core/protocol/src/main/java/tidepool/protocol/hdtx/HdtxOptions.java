package tidepool.protocol.hdtx;

import java.util.List;
import tidepool.base.Checks;
import tidepool.base.Strand;
import tidepool.fabric.FabricUrl;
import tidepool.store.QueueWord;

/**
 * The switches of HDTX, so that each part can be measured alone. Coordinators with different switches may share a pool.
 *
 * @param reads how a transaction makes sure that its read-only data is unchanged
 * @param release which side copies the log to the data
 * @param locks what a request does about a lock that another transaction holds
 * @param bypass how many requests with priority may overtake waiting normal ones before a normal one is served
 * @param leaseNanos time after which the head of a queue that does not move is taken for dead
 * @param patienceNanos how long a normal request waits for a holder before it draws a ticket, and how long a ticket
 *     waits before new requests have to queue too; 0: no wait; {@link #BY_CALLER}: by the kind of thread that waits
 */
public record HdtxOptions(Reads reads, Release release, Locks locks, int bypass, long leaseNanos, long patienceNanos) {
    /** How a transaction makes sure that its read-only data is unchanged. */
    public enum Reads {
        /** Validated in the trip of the log. A third trip records that it was valid. */
        STATUS,
        /** Locked with everything else, if the transaction also writes: two trips. */
        LOCKED,
        /**
         * As published: validated in the trip of the log, then reported. Not recoverable; only as
         * {@code hdtx-published}.
         */
        PUBLISHED
    }

    /** Which side copies the log to the data. */
    public enum Release {
        /** The memory side, by chained work; on a fabric without a memory side, the client. */
        MEMORY,
        /** The client, which sends the data a second time. */
        CLIENT
    }

    /** The reaction of a lock request to a lock that another transaction holds. */
    public enum Locks {
        /** Waits in the queue of the lock. */
        QUEUE,
        /** Aborts; the transaction is tried again. */
        SPIN
    }

    /** Names of the switches in a pool URL. */
    public static final List<String> NAMES = List.of("reads", "release", "locks", "bypass", "lease", "patience");

    /** Names of the switches of the published form, whose reads have no choice. */
    public static final List<String> PUBLISHED_NAMES = List.of("release", "locks", "bypass", "lease", "patience");

    /**
     * Gives patience to a thread and none to a strand. A thread that waits for its turn may be without a core when the
     * turn comes, and the lock is idle until the kernel runs it. The carrier of a strand runs it as soon as its round
     * is answered.
     */
    public static final long BY_CALLER = -1;

    private static final long THREAD_PATIENCE_NANOS = 500_000;

    public static final HdtxOptions DEFAULT =
            new HdtxOptions(Reads.STATUS, Release.MEMORY, Locks.QUEUE, 8, 2_000_000, BY_CALLER);

    private static final int MICROS = 1000;

    public HdtxOptions {
        Checks.argument(
                bypass >= 1 && bypass <= QueueWord.MAX_PASSED,
                "bypass takes 1 to " + QueueWord.MAX_PASSED + ", not " + bypass);
        Checks.argument(leaseNanos > 0, "a lease takes time");
        Checks.argument(patienceNanos >= 0 || patienceNanos == BY_CALLER, "patience is not negative");
    }

    /**
     * Reads {@code ?reads=…&release=…&locks=…&bypass=…&lease=…&patience=…}. A switch that is not given has its default.
     */
    public static HdtxOptions of(FabricUrl url) {
        Reads reads = url.choice("reads", DEFAULT.reads);
        if (reads == Reads.PUBLISHED)
            throw new IllegalArgumentException(
                    "reads=published is not recoverable, and is a protocol of its own: protocol=hdtx-published;"
                            + " for reads"
                            + " there are status and locked: " + url.text());
        return DEFAULT.with(reads).switched(url);
    }

    /**
     * Returns the published form with the other switches of a pool URL. Its lock is handed over, so it has no patience.
     */
    public static HdtxOptions published(FabricUrl url) {
        return DEFAULT.with(Reads.PUBLISHED).withPatience(0).switched(url);
    }

    private HdtxOptions switched(FabricUrl url) {
        return new HdtxOptions(
                reads,
                url.choice("release", release),
                url.choice("locks", locks),
                url.integer("bypass", bypass, 1, QueueWord.MAX_PASSED),
                (long) url.integer("lease", (int) (leaseNanos / MICROS), 1, 10_000_000) * MICROS,
                patience(url));
    }

    private long patience(FabricUrl url) {
        int micros = url.integer("patience", -1, 0, 10_000_000);
        return micros < 0 ? patienceNanos : (long) micros * MICROS;
    }

    /** Returns the patience of the thread or strand that calls. */
    long patienceOfCaller() {
        if (patienceNanos != BY_CALLER) return patienceNanos;
        return Strand.current() == null ? THREAD_PATIENCE_NANOS : 0;
    }

    public HdtxOptions with(Reads other) {
        return new HdtxOptions(other, release, locks, bypass, leaseNanos, patienceNanos);
    }

    public HdtxOptions with(Release other) {
        return new HdtxOptions(reads, other, locks, bypass, leaseNanos, patienceNanos);
    }

    public HdtxOptions with(Locks other) {
        return new HdtxOptions(reads, release, other, bypass, leaseNanos, patienceNanos);
    }

    public HdtxOptions withBypass(int other) {
        return new HdtxOptions(reads, release, locks, other, leaseNanos, patienceNanos);
    }

    public HdtxOptions withLease(long nanos) {
        return new HdtxOptions(reads, release, locks, bypass, nanos, patienceNanos);
    }

    public HdtxOptions withPatience(long nanos) {
        return new HdtxOptions(reads, release, locks, bypass, leaseNanos, nanos);
    }
}
