package tidepool.fabric;

/**
 * A policy that decides at every round whether its process dies there. A fault site is a round by its
 * {@link Round#label}, such as that of a commit, and a number of its verbs. For tests that kill real processes. The
 * simulator has crash points of its own, of the same kind. Threads may share one policy.
 */
public interface FaultSites {
    /** The result of {@link #verbsBeforeDeath} for all rounds but one. */
    int GO_ON = -1;

    /**
     * Returns how many verbs of a round that is about to be posted are still sent before the process dies: from 0 to
     * all of them, or {@link #GO_ON}.
     */
    int verbsBeforeDeath(Round round);

    /** Returns whether those verbs are executed before the process dies; otherwise they may still be under way. */
    boolean awaitsVerbs();

    /** Ends the process at once, without closing the fabric. Does not return. */
    void die();
}
