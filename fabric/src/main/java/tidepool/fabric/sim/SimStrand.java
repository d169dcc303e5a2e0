package tidepool.fabric.sim;

import tidepool.base.Strand;

/** What the simulator knows of a strand besides the strand itself. */
final class SimStrand {
    final Strand strand;
    final Core core;

    /** The lane whose round it awaits; null if it waits for something else or not at all. */
    SimLane awaiting;

    /** Verbs it has posted so far. */
    long verbs;

    /** Where it is to crash; see {@link CrashPoint}. */
    CrashPoint crashPoint;

    SimStrand(Strand strand, Core core) {
        this.strand = strand;
        this.core = core;
    }

    Machine machine() {
        return core.machine;
    }

    /** For the list of a deadlock. */
    String state() {
        return strand.name() + " on " + machine().name() + " waits for "
                + (awaiting == null ? "an unpark" : awaiting.describeAwaited());
    }
}
