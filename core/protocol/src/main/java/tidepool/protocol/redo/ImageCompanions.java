package tidepool.protocol.redo;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Region;

/** The verbs that a protocol sends ahead of an image that is installed from a log. */
@FunctionalInterface
public interface ImageCompanions {
    /** Nothing is sent ahead of an image. */
    ImageCompanions NONE = (txn, region, log, i, image) -> {};

    /**
     * Adds the verbs to the round, ahead of the image. May wait for the node of the copy.
     *
     * @param region the region of the copy
     * @param i the number of the object in the log
     * @param image where the image begins in the log
     */
    void add(long txn, Region region, MemorySegment log, int i, long image);
}
