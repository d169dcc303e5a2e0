package tidepool.examples.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.schema.Codec;

/** Arrays of bytes in memory, for serializers that make arrays. */
final class SegmentBytes {
    private SegmentBytes() {}

    /** Copies an array; refuses one beyond the maximum of the codec. Returns its length. */
    static int write(byte[] bytes, MemorySegment memory, long at, Codec<?> codec) {
        if (bytes.length > codec.maxBytes())
            throw new IllegalArgumentException(
                    codec.name() + " takes at most " + codec.maxBytes() + " bytes, not " + bytes.length);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, at, bytes.length);
        return bytes.length;
    }
}
