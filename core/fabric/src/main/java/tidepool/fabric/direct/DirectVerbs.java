package tidepool.fabric.direct;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import tidepool.base.Words;

/**
 * READ and WRITE on mapped memory. Each word moves atomically; a verb of several words may really tear.
 *
 * <p>The order that a connection promises consists of three fences, written for processors weaker than x86:
 *
 * <pre>
 *   READ,  then anything   the loads are over before anything later: acquire fence after the loads
 *   anything, then WRITE   the stores begin after everything earlier: release fence before the stores
 *   WRITE, then READ or    the stores are visible before the loads: full fence, paid by {@link DirectLane}
 *   atomic
 * </pre>
 */
final class DirectVerbs {
    private DirectVerbs() {}

    static void readAcquire(MemorySegment memory, long offset, long length, MemorySegment landing, long landingOffset) {
        copy(memory, offset, length, landing, landingOffset);
        VarHandle.acquireFence();
    }

    static void writeRelease(MemorySegment memory, long offset, long length, MemorySegment source, long sourceOffset) {
        VarHandle.releaseFence();
        copy(source, sourceOffset, length, memory, offset);
    }

    /**
     * Copies words. A bulk copy also moves whole words if both sides are aligned and the length is a multiple of a
     * word.
     */
    private static void copy(MemorySegment from, long fromOffset, long length, MemorySegment to, long toOffset) {
        if (length == Words.BYTES) Words.opaque(to, toOffset, Words.opaque(from, fromOffset));
        else MemorySegment.copy(from, fromOffset, to, toOffset, length);
    }
}
