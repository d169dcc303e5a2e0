package tidepool.memory;

/**
 * A listener for writes that the memory side makes by itself: by a step of chained work, or by a handler. It is called
 * right after each write. A node that keeps written data learns of these writes in no other way.
 */
@FunctionalInterface
public interface WriteListener {
    /** For a memory side that keeps nothing, or keeps everything. */
    WriteListener UNTOLD = (region, offset, length) -> {};

    /** Called when these bytes of a region's data may have changed. */
    void written(NodeRegion region, long offset, long length);
}
