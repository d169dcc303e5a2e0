package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;

/** The local memory of a transaction, from which a structure takes what it needs for its rows. */
public interface Memory {
    MemorySegment segment();

    /** So many bytes until the transaction ends. */
    long take(long bytes);
}
