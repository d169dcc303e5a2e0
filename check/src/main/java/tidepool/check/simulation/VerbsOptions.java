package tidepool.check.simulation;

import tidepool.base.Checks;
import tidepool.fabric.sim.CostProfile;

/**
 * What a run is a function of.
 *
 * @param strands that work at the same time, on up to three machines
 * @param rounds how many turns each strand takes; a turn posts one to four rounds
 * @param nodes memory nodes
 * @param profile what things cost in virtual time
 * @param faults what may go wrong
 */
public record VerbsOptions(int strands, int rounds, int nodes, CostProfile profile, Faults faults) {
    public static final int MOST_STRANDS = 256;
    public static final int MOST_NODES = 16;

    public VerbsOptions {
        Checks.argument(strands >= 1 && strands <= MOST_STRANDS, "1 to " + MOST_STRANDS + " strands, not " + strands);
        Checks.argument(rounds >= 1, "at least 1 round, not " + rounds);
        Checks.argument(nodes >= 1 && nodes <= MOST_NODES, "1 to " + MOST_NODES + " nodes, not " + nodes);
    }

    /** 16 strands, 3 nodes, profile cx5. */
    public static VerbsOptions of(Faults faults, int rounds) {
        return new VerbsOptions(16, rounds, 3, CostProfile.CX5, faults);
    }
}
