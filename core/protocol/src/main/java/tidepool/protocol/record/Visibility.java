package tidepool.protocol.record;

import tidepool.protocol.RowPage;

/** The versions that a transaction reads: the newest ones, or those of a snapshot. */
public interface Visibility {
    /** Every record is read in its newest version, and validated. */
    Visibility CURRENT = new Visibility() {};

    /** Whether all reads are of one snapshot, and so consistent without validation. */
    default boolean isOneSnapshot() {
        return false;
    }

    /** Whether a cached address of a row is enough; otherwise its bucket is read. */
    default boolean mayBeCached(Access a) {
        return true;
    }

    /**
     * Reads the whole attempt in one snapshot, if the protocol has them: in this one, or in a new one if it is {@link
     * RowPage#NO_SNAPSHOT}. Waits for the memory nodes. Returns the snapshot.
     */
    default long hold(long snapshot) {
        return RowPage.NO_SNAPSHOT;
    }

    /** Ends the effect of {@link #hold} on later reads. */
    default void letGo() {}

    /**
     * Whether the key of an access counts as absent. Asked when the key was not found in its chain. May abort the
     * attempt.
     *
     * @param stamp the word after the head of its first bucket
     */
    default boolean isAbsent(Access a, long stamp) {
        return true;
    }

    /**
     * Whether a read may ignore a lock of another transaction, because all writes of the holder come after what is
     * read.
     *
     * @param landed where the object has landed; it may be torn, and is checked afterwards
     */
    default boolean mayPass(Access a, long lock, long landed) {
        return false;
    }
}
