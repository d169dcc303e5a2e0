package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;

/** The local memory of a transaction, from which a structure takes memory for its rows. */
public interface TxnMemory {
    MemorySegment segment();

    /** Returns the offset of {@code bytes} bytes that are reserved until the transaction ends. */
    long take(long bytes);
}
