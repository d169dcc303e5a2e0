package tidepool.history;

import java.util.Locale;

/**
 * Isolation levels that a history can satisfy, strongest first: each level allows everything that those above it allow,
 * and more.
 */
public enum Level {
    /** Some serial order explains every read, and no transaction comes before one that ended before it began. */
    STRICT_SERIALIZABILITY,
    /** Some serial order explains every read. */
    SERIALIZABILITY,
    /** Every transaction reads from a snapshot, and of two that overlap only one may write a key. */
    SNAPSHOT_ISOLATION;

    /** Returns the level in words: {@code snapshot isolation}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
