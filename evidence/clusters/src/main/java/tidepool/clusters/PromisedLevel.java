package tidepool.clusters;

import tidepool.history.Level;
import tidepool.protocol.Protocol;

/** The level by which a checker judges the history of a protocol. */
public final class PromisedLevel {
    private PromisedLevel() {}

    /** Returns the strongest level that follows from the promise of a protocol. */
    public static Level of(Protocol protocol) {
        return switch (protocol.promise()) {
            case STRICT -> Level.STRICT_SERIALIZABILITY;
            case SERIALIZABLE_SNAPSHOTS, SERIALIZABLE -> Level.SERIALIZABILITY;
            case SNAPSHOT -> Level.SNAPSHOT_ISOLATION;
        };
    }
}
