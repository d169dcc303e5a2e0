package tidepool.store;

import tidepool.base.Words;

/** What slots of some protocols have behind their object. It is not part of the record: copies and checks leave it out. */
public final class SlotTail {
    /** The most that any protocol has there. */
    public static final long MOST = 2 * Words.BYTES;

    private SlotTail() {}

    /** Bytes of it in a pool of this protocol; the name may be cut off. */
    public static long bytes(String protocol) {
        if (protocol.startsWith("hdtx")) return Words.BYTES; // QueueWord
        return protocol.startsWith("motor") ? 2 * Words.BYTES : 0; // BoundLayout
    }

    /** Where it lies, from the object's own place on. */
    public static long offset(long pointer, long bodyBytes) {
        return Pointer.offset(pointer) + ObjectLayout.BODY + bodyBytes;
    }
}
