package tidepool.protocol.ford;

import java.util.List;
import tidepool.fabric.FabricUrl;
import tidepool.store.Flush;

/**
 * The parts of FORD that can be switched, so that each can be measured alone. Coordinators with different switches may
 * share a pool, since what others see of them is the same; but all of them flush alike.
 *
 * @param locking when records that are written are locked
 * @param commit whether all replicas are written in one trip
 * @param undo how the undo log travels
 * @param reads where records that are only read are read
 * @param flush which replicas are persistent before a transaction is reported (§4.5)
 */
public record FordOptions(Locking locking, Commit commit, Undo undo, Reads reads, Flush flush) {
    /** When locks are taken. */
    public enum Locking {
        /** With the READ, in one trip (§4.2). */
        HITCHHIKED,
        /** After everything was read, in a trip of its own. */
        SEPARATE
    }

    /** How replicas are written. */
    public enum Commit {
        /** Primary and backups in one trip (§4.3). */
        COALESCED,
        /** Backups first, the primary when they have answered. */
        SEPARATE
    }

    /** How the undo log travels. */
    public enum Undo {
        /** Ahead of the data on its link: no trip of its own. */
        AHEAD,
        /** As published: beside validation, answered before the data leaves. Without read-only data that is one trip more. */
        PARALLEL
    }

    /** Where records that are only read are read. */
    public enum Reads {
        PRIMARY,
        /** From any replica (§4.4); the lock is sampled at the primary. */
        BACKUP
    }

    /** The switches in a pool URL. */
    public static final List<String> NAMES = List.of("locking", "commit", "undo", "reads", "flush");

    public static final FordOptions DEFAULT =
            new FordOptions(Locking.HITCHHIKED, Commit.COALESCED, Undo.AHEAD, Reads.PRIMARY, Flush.NONE);

    /** Reads {@code ?locking=…&commit=…&undo=…&reads=…&flush=…}; what is not given has its default. */
    public static FordOptions of(FabricUrl url) {
        Flush flush = url.choice("flush", DEFAULT.flush);
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

    /**
     * Whether the undo log is answered before the data leaves. What is flushed, must: the data is not to survive a loss of
     * power without it; unless whatever survives has everything with it that was written before.
     */
    public boolean logsAlone(boolean persistsInOrder) {
        return undo == Undo.PARALLEL || flush.isDurable() && !persistsInOrder;
    }

    public FordOptions with(Locking other) {
        return new FordOptions(other, commit, undo, reads, flush);
    }

    public FordOptions with(Commit other) {
        return new FordOptions(locking, other, undo, reads, flush);
    }

    public FordOptions with(Undo other) {
        return new FordOptions(locking, commit, other, reads, flush);
    }

    public FordOptions with(Reads other) {
        return new FordOptions(locking, commit, undo, other, flush);
    }

    public FordOptions with(Flush other) {
        return new FordOptions(locking, commit, undo, reads, other);
    }
}
