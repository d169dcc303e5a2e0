package tidepool.protocol.hdtx;

import java.util.List;
import tidepool.base.Checks;
import tidepool.fabric.FabricUrl;
import tidepool.store.QueueWord;

/**
 * The parts of HDTX that can be switched, so that each can be measured alone. Coordinators with different switches may share a
 * pool.
 *
 * @param reads how it is made sure that what was only read is as it was
 * @param release who copies the log to the data
 * @param locks what is done about a lock that somebody else holds
 * @param bypass how many requests with priority may pass normal ones that wait, before one of these is served
 * @param leaseNanos after which a line that does not move is taken to have somebody dead at its head
 */
public record HdtxOptions(Reads reads, Release release, Locks locks, int bypass, long leaseNanos) {
    /** How it is made sure that what was only read is as it was. */
    public enum Reads {
        /** Validated beside the log; a third trip writes down that it was so. */
        STATUS,
        /** Locked with everything else, where something is written too: two trips. */
        LOCKED,
        /** As published: validated beside the log, and reported. Not recoverable; only as {@code hdtx-published}. */
        PUBLISHED
    }

    /** Who copies the log to the data. */
    public enum Release {
        /** The memory side, by chained work; on fabrics without one, the client as well. */
        MEMORY,
        /** The client, which sends the data a second time. */
        CLIENT
    }

    /** What is done about a lock that somebody else holds. */
    public enum Locks {
        /** Stand in line. */
        QUEUE,
        /** Abort and try again. */
        SPIN
    }

    /** The switches in a pool URL. */
    public static final List<String> NAMES = List.of("reads", "release", "locks", "bypass", "lease");

    /** Those of the form as published, whose reads have no choice. */
    public static final List<String> PUBLISHED_NAMES = List.of("release", "locks", "bypass", "lease");

    public static final HdtxOptions DEFAULT = new HdtxOptions(Reads.STATUS, Release.MEMORY, Locks.QUEUE, 8, 2_000_000);

    private static final int MICROS = 1000;

    public HdtxOptions {
        Checks.argument(
                bypass >= 1 && bypass <= QueueWord.MOST_PASSED,
                "bypass takes 1 to " + QueueWord.MOST_PASSED + ", not " + bypass);
        Checks.argument(leaseNanos > 0, "a lease takes time");
    }

    /** Reads {@code ?reads=…&release=…&locks=…&bypass=…&lease=…}; what is not given has its default. */
    public static HdtxOptions of(FabricUrl url) {
        Reads reads = url.choice("reads", DEFAULT.reads);
        if (reads == Reads.PUBLISHED)
            throw new IllegalArgumentException(
                    "reads=published is not recoverable, and is a protocol of its own: protocol=hdtx-published; for reads"
                            + " there are status and locked: " + url.text());
        return DEFAULT.with(reads).switched(url);
    }

    /** The form as published, with the other switches of a pool URL. */
    public static HdtxOptions published(FabricUrl url) {
        return DEFAULT.with(Reads.PUBLISHED).switched(url);
    }

    private HdtxOptions switched(FabricUrl url) {
        return new HdtxOptions(
                reads,
                url.choice("release", release),
                url.choice("locks", locks),
                url.integer("bypass", bypass, 1, QueueWord.MOST_PASSED),
                (long) url.integer("lease", (int) (leaseNanos / MICROS), 1, 10_000_000) * MICROS);
    }

    public HdtxOptions with(Reads other) {
        return new HdtxOptions(other, release, locks, bypass, leaseNanos);
    }

    public HdtxOptions with(Release other) {
        return new HdtxOptions(reads, other, locks, bypass, leaseNanos);
    }

    public HdtxOptions with(Locks other) {
        return new HdtxOptions(reads, release, other, bypass, leaseNanos);
    }

    public HdtxOptions withBypass(int other) {
        return new HdtxOptions(reads, release, locks, other, leaseNanos);
    }

    public HdtxOptions withLease(long nanos) {
        return new HdtxOptions(reads, release, locks, bypass, nanos);
    }
}
