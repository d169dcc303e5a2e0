package tidepool.tcp.journal;

import java.lang.foreign.MemorySegment;
import tidepool.base.Id128;

/** What the entries of a journal are told to, in order. Each says whether that can be; a journal with one that cannot is damaged. */
public interface Replay {
    /** There is a pool of this number, with memory of its own that is zero. Told again, the node's place in it may be another. */
    boolean pool(int pool, String name, Id128 id, int number, int nodes);

    /** There is a region, all zeros, whatever was there before. */
    boolean create(int pool, int region, long bytes);

    /** The region is gone. */
    boolean delete(int pool, int region);

    /** These bytes lie at that offset of the whole region, or of the pool's own memory ({@link Entry#META}). */
    boolean bytes(int pool, int region, long offset, MemorySegment from, long at, long length);

    boolean zero(int pool, int region, long offset, long length);

    /** A life of the node begins. A checkpoint tells the last lives before it, in order. */
    default boolean life(Life life) {
        return true;
    }

    /** A life of the node has ended in order. */
    default boolean closed() {
        return true;
    }

    /** A checkpoint ends, which is good with a journal that reaches at least that block. */
    default boolean end(long block) {
        return true;
    }
}
