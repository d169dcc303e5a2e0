package tidepool.evidence.faults;

/**
 * The death of a memory node: at a verb of a strand that goes to it.
 *
 * @param strand whose verbs are counted
 * @param node number of the simulated node
 * @param verb counted from 0 over all verbs of the strand that go to the node
 * @param when before, during or after the verb
 * @param returns whether it is back with all its memory before it is missed; otherwise it is lost, and comes back empty
 */
record NodeDeath(String strand, int node, long verb, When when, boolean returns) {
    /** Before, during or after the verb. */
    enum When {
        /** The verb has been sent and does not arrive; nor do the verbs that are under way with it. */
        BEFORE,
        /** The verb is a WRITE, of which some words have taken effect. */
        DURING,
        /** The verb has taken effect, and its answer is under way. */
        AFTER
    }
}
