package tidepool.memory;

/**
 * Is told what the memory side has written by itself, right behind each write: by a step of chained work, or by a handler. A node
 * that keeps what is written knows of it by nothing else.
 */
@FunctionalInterface
public interface Written {
    /** For a memory side that keeps nothing, or keeps everything. */
    Written UNTOLD = (region, offset, length) -> {};

    /** These bytes of a region's data may be others than before. */
    void written(NodeRegion region, long offset, long length);
}
