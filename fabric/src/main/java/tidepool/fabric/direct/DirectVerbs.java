package tidepool.fabric.direct;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import tidepool.base.Words;

/**
 * READ and WRITE on mapped memory. Each word moves as one; a verb of several words may tear, for real.
 *
 * <p>The order that a connection promises is made of three fences, written for processors weaker than x86:
 *
 * <pre>
 *   READ,  then anything   the loads are over before anything later: acquire fence behind the loads
 *   anything, then WRITE   the stores begin after everything earlier: release fence before the stores
 *   WRITE, then READ or    the stores are visible before the loads: full fence, paid by {@link DirectLane}
 *   atomic
 * </pre>
 */
final class DirectVerbs {
    /** From here on a bulk copy beats single words; it moves whole words too when both sides are aligned. */
    private static final long BULK_BYTES = 40;

    private DirectVerbs() {}

    static void readAcquire(MemorySegment memory, long offset, long length, MemorySegment landing, long landingOffset) {
        copy(memory, offset, length, landing, landingOffset);
        VarHandle.acquireFence();
    }

    static void writeRelease(MemorySegment memory, long offset, long length, MemorySegment source, long sourceOffset) {
        VarHandle.releaseFence();
        copy(source, sourceOffset, length, memory, offset);
    }

    private static void copy(MemorySegment from, long fromOffset, long length, MemorySegment to, long toOffset) {
        if (length >= BULK_BYTES) {
            MemorySegment.copy(from, fromOffset, to, toOffset, length);
            return;
        }
        for (long i = 0; i < length; i += Words.BYTES)
            Words.opaque(to, toOffset + i, Words.opaque(from, fromOffset + i));
    }
}
