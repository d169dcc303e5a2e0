package tidepool.sim;

import tidepool.base.Strand;

/** The simulator's data about a strand. */
final class SimStrand {
    final Strand strand;
    final Core core;

    /** The lane whose round it awaits; null if it waits for something else or not at all. */
    SimLane awaiting;

    /** The number of verbs it has posted so far. */
    long verbs;

    /** The point at which it crashes; see {@link CrashPoint}. */
    CrashPoint crashPoint;

    /** The verb at which it reached that point; null if it did not. */
    CrashPlace crashPlace;

    SimStrand(Strand strand, Core core) {
        this.strand = strand;
        this.core = core;
    }

    Machine machine() {
        return core.machine;
    }

    /** Returns its state for the list of a deadlock. */
    String state() {
        return strand.name() + " on " + machine().name() + " waits for "
                + (awaiting == null ? "an unpark" : awaiting.describeAwaited());
    }
}
