package tidepool.verbs;

import tidepool.base.Checks;
import tidepool.sim.CostProfile;

/**
 * Options of a run. A run is a function of them and the seed.
 *
 * @param strands that work at the same time, on up to three machines
 * @param rounds number of turns of each strand; a turn posts one to four rounds
 * @param nodes memory nodes
 * @param profile costs in virtual time
 * @param faults that may happen
 */
public record VerbsOptions(int strands, int rounds, int nodes, CostProfile profile, Faults faults) {
    public static final int MAX_STRANDS = 256;
    public static final int MAX_NODES = 16;

    public VerbsOptions {
        Checks.argument(strands >= 1 && strands <= MAX_STRANDS, "1 to " + MAX_STRANDS + " strands, not " + strands);
        Checks.argument(rounds >= 1, "at least 1 round, not " + rounds);
        Checks.argument(nodes >= 1 && nodes <= MAX_NODES, "1 to " + MAX_NODES + " nodes, not " + nodes);
    }

    /** Returns options with 16 strands, 3 nodes, profile cx5. */
    public static VerbsOptions of(Faults faults, int rounds) {
        return new VerbsOptions(16, rounds, 3, CostProfile.CX5, faults);
    }
}
