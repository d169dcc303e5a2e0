package tidepool.check.cluster;

/**
 * Where a memory node dies: at a verb of a strand that goes to it.
 *
 * @param strand whose verbs are counted
 * @param node which of the simulated nodes
 * @param verb counted from 0 over all verbs of the strand that go to the node
 * @param when at which moment
 * @param returns whether it is back with all its memory before anybody misses it; otherwise it is lost, and comes back empty
 */
record NodeDeath(String strand, int node, long verb, When when, boolean returns) {
    /** Before, during or after the verb. */
    enum When {
        /** It has been sent and does not arrive; nor does what is under way with it. */
        BEFORE,
        /** A WRITE, of which some words have taken effect. */
        DURING,
        /** It has taken effect, and its answer is on its way. */
        AFTER
    }
}
