package tidepool.fabric.direct;

import java.lang.foreign.Arena;

/**
 * A full memory fence in every thread of this process, paid by the caller alone.
 *
 * <p>A lane marks itself busy by a plain store and then checks whether its session is revoked. Without a fence between
 * the two, a revoker could miss the mark while the lane misses the revocation. A fence per round would keep the
 * processor from overlapping the cache misses of successive rounds, so the rare side pays. Closing a shared arena makes
 * the virtual machine stop at, or pass, a safepoint poll in each thread before it returns. All stores of a thread
 * before that point are visible afterwards; all its loads after that point see new values.
 */
final class ProcessBarrier {
    private ProcessBarrier() {}

    static void run() {
        Arena.ofShared().close();
    }
}
