package tidepool.protocol.ford;

import java.util.List;
import tidepool.fabric.FabricUrl;
import tidepool.store.FlushPolicy;

/**
 * The switches of FORD, so that each part can be measured alone. Coordinators with different switches may share a pool,
 * because their effects look the same to other coordinators. All of them must use the same flush policy.
 *
 * @param locking when written records are locked
 * @param commit whether all replicas are written in one trip
 * @param undo how the undo log travels
 * @param reads from which replica read-only records are read
 * @param flush which replicas are persistent before a transaction is reported (§4.5)
 */
public record FordOptions(Locking locking, Commit commit, Undo undo, Reads reads, FlushPolicy flush) {
    /** When locks are taken. */
    public enum Locking {
        /** With the READ, in one trip (§4.2). */
        HITCHHIKED,
        /** After all reads, in a trip of its own. */
        SEPARATE
    }

    /** How replicas are written. */
    public enum Commit {
        /** Primary and backups in one trip (§4.3). */
        COALESCED,
        /** Backups first, then the primary, when the backups have answered. */
        SEPARATE
    }

    /** How the undo log travels. */
    public enum Undo {
        /** Ahead of the data on the same link, without a trip of its own. */
        AHEAD,
        /**
         * As published: in the trip of validation, answered before the data leaves. Without read-only data the log
         * costs one trip more.
         */
        PARALLEL
    }

    /** From which replica read-only records are read. */
    public enum Reads {
        PRIMARY,
        /** From any replica (§4.4). The lock is sampled at the primary. */
        BACKUP
    }

    /** Names of the switches in a pool URL. */
    public static final List<String> NAMES = List.of("locking", "commit", "undo", "reads", "flush");

    public static final FordOptions DEFAULT =
            new FordOptions(Locking.HITCHHIKED, Commit.COALESCED, Undo.AHEAD, Reads.PRIMARY, FlushPolicy.NONE);

    /** Reads {@code ?locking=…&commit=…&undo=…&reads=…&flush=…}. A switch that is not given has its default. */
    public static FordOptions of(FabricUrl url) {
        FlushPolicy flush = url.choice("flush", DEFAULT.flush);
        if (flush.isDurable() && url.has("undo") && url.choice("undo", DEFAULT.undo) == Undo.AHEAD)
            throw new IllegalArgumentException("undo=ahead and " + flush.text()
                    + " exclude each other: whether the log may travel with the data is"
                    + " the memory nodes' business, so leave undo= away: " + url.text());
        return new FordOptions(
                url.choice("locking", DEFAULT.locking),
                url.choice("commit", DEFAULT.commit),
                url.choice("undo", DEFAULT.undo),
                url.choice("reads", DEFAULT.reads),
                flush);
    }

    /** Returns whether written records are locked when they are read. */
    public boolean locksEarly() {
        return locking == Locking.HITCHHIKED;
    }

    /**
     * Returns whether the undo log is answered before the data leaves. A flushed log must be: otherwise the data could
     * survive a loss of power without its log. The exception is a fabric that persists in order, where a write that
     * survives implies that all earlier writes survive.
     */
    public boolean logsAlone(boolean persistsInOrder) {
        return undo == Undo.PARALLEL || flush.isDurable() && !persistsInOrder;
    }

    public FordOptions with(Undo other) {
        return new FordOptions(locking, commit, other, reads, flush);
    }

    public FordOptions with(FlushPolicy other) {
        return new FordOptions(locking, commit, undo, reads, other);
    }
}
