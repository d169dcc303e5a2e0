package tidepool.store;

import tidepool.base.Words;

/**
 * The words that slots of some protocols have behind their object. They are not part of the record: copies and checks
 * leave them out.
 */
public final class SlotTrailer {
    /** The maximum size of a trailer, over all protocols. */
    public static final long MAX_BYTES = 2 * Words.BYTES;

    private SlotTrailer() {}

    /** Returns the bytes of the trailer in a pool of this protocol; the name may be cut off. */
    public static long bytes(String protocol) {
        if (protocol.startsWith("hdtx")) return Words.BYTES; // QueueWord
        return protocol.startsWith("motor") ? 2 * Words.BYTES : 0; // BoundLayout
    }

    /** Returns the offset of an object's trailer. */
    public static long offset(long pointer, long bodyBytes) {
        return Pointer.offset(pointer) + ObjectLayout.BODY + bodyBytes;
    }
}
