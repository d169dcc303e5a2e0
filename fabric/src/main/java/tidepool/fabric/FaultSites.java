package tidepool.fabric;

/**
 * Decides at every round whether its process dies there. A fault site is a round by its {@link Round#label}, such as that of a
 * commit, and a number of its verbs. For tests that kill real processes; the simulator has its own crash points, of the
 * same kind. Threads may share one.
 */
public interface FaultSites {
    /** The answer of {@link #verbsBeforeDeath} for all rounds but one. */
    int GO_ON = -1;

    /**
     * Returns how many verbs of a round that is about to be posted are still sent before the process dies, from 0 to
     * all of them, or {@link #GO_ON}.
     */
    int verbsBeforeDeath(Round round);

    /** Whether those verbs are carried out before the process dies; otherwise they may be on their way. */
    boolean awaitsVerbs();

    /** Ends the process, at once and without a word to the fabric. Does not return. */
    void die();
}
