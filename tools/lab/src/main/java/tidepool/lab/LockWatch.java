package tidepool.lab;

import java.util.HashMap;
import java.util.Map;
import tidepool.fabric.VerbKind;
import tidepool.sim.Simulation;
import tidepool.sim.VerbInFlight;
import tidepool.sim.VerbListener;

/**
 * Measures at the memory node how long records stay locked: from the CAS that finds a lock free to the WRITE that frees
 * it. Only for tables whose primaries lie on node 0, where every CAS is a lock.
 */
final class LockWatch implements VerbListener {
    private static final int PRIMARY = 0;

    private final Map<Long, Long> lockedAt = new HashMap<>();
    private final Simulation simulation;
    private long locks;
    private long nanos;

    LockWatch(Simulation simulation) {
        this.simulation = simulation;
    }

    @Override
    public void onApplied(VerbInFlight verb) {
        if (verb.node() != PRIMARY || verb.length() != Long.BYTES) return;
        if (verb.kind() == VerbKind.CAS && verb.word(0) == 0) {
            lockedAt.put(verb.offset(), simulation.nowNanos());
        } else if (verb.kind() == VerbKind.WRITE && verb.word(0) == 0) {
            Long since = lockedAt.remove(verb.offset());
            if (since == null) return;
            locks++;
            nanos += simulation.nowNanos() - since;
        }
    }

    double meanMicros() {
        return locks == 0 ? 0 : nanos / 1e3 / locks;
    }
}
