package tidepool.sim;

/**
 * A situation that a simulation can reach. A test that needs a situation checks its counter, and fails if it is zero.
 */
public enum CoveragePoint {
    /** A strand made two steps while all others stood still. */
    BURST,
    /** A strand made sixteen steps while all others stood still. */
    LONGEST_BURST,
    /** A verb took effect before one that was posted earlier on its connection. */
    REORDERED_PAIR,
    /** A verb arrived too early and waited for one that it must not pass. */
    ORDER_KEPT_BY_WAITING,
    /** A fence held a verb back until earlier answers had arrived. */
    FENCE_WAITED,
    /** A verb passed one that a fence held back. */
    PASSED_A_FENCED_VERB,
    /** A READ took effect in several parts. */
    TORN_READ,
    /** A word of its range was written between two parts of a READ. */
    TORN_READ_OVERLAPPED_WRITE,
    /** A WRITE took effect in several parts. */
    TORN_WRITE,
    /** A WRITE took effect in part and the rest never came. */
    PARTIAL_WRITE,
    /** A verb was delayed past everything. */
    FLIGHT,
    /** A verb took effect after its round had given up, or its strand or connection was gone. */
    LATE_LANDING,
    /** Answers came in another order than that of posting. */
    COMPLETION_REORDERED,
    COMPLETION_LOST,
    COMPLETION_DUPLICATED,
    /** A round gave up. */
    TIMED_OUT,
    /** A partition stopped a verb or an answer. */
    STOPPED_BY_PARTITION,
    /** A connection broke by itself. */
    CONNECTION_BROKEN,
    /** A verb of a broken connection, or of a dead strand, was dropped on its way. */
    VERB_DROPPED,
    /** The memory side refused a verb. */
    REFUSED,
    /** A verb arrived after its session was revoked. */
    REVOKED_VERB_DROPPED,
    /** Chained work was cut short by a revocation. */
    REVOKED_CHAIN_DROPPED,
    /** A revocation waited for work under way. */
    REVOCATION_WAITED,
    STRAND_CRASHED,
    MACHINE_CRASHED,
    MACHINE_PAUSED,
    NODE_CRASHED,
    NODE_RESTARTED,
    /** A verb arrived at a node that is down. */
    ARRIVED_AT_DEAD_NODE,
    POWER_FAILED,
    /** Lines of 64 bytes that a power failure reverted. */
    LINE_LOST,
    /** Lines that survived a power failure without being flushed. */
    LINE_SURVIVED,
    /** Lines that the cache wrote back by itself. */
    LINE_EVICTED
}
