package tidepool.node;

import java.util.Locale;

/** The counters of a node. The order within a group is that of the codes on the wire. */
public enum NodeCounter {
    CONNECTIONS_ACCEPTED,
    CONNECTIONS_CLOSED,
    /** Connections refused when they were accepted, because there were too many. */
    CONNECTIONS_REFUSED_AT_ONCE,

    REFUSED_VERSION,
    REFUSED_CREDENTIALS,
    REFUSED_RIGHT,
    REFUSED_POOL,
    REFUSED_LIMIT,
    REFUSED_REVOKED,
    REFUSED_MALFORMED,
    REFUSED_TOO_SLOW,
    REFUSED_STOPPING,
    REFUSED_WITHDRAWN,
    REFUSED_ROSTER,
    REFUSED_IDENTITY,

    ROUNDS,
    ROUNDS_ON_BROKEN_LINKS,
    VERBS_READ,
    VERBS_WRITE,
    VERBS_CAS,
    VERBS_FAA,
    VERBS_MASKED_CAS,
    VERBS_MASKED_FAA,
    VERBS_FLUSH,
    VERBS_CALL,
    VERBS_CHAIN,

    VERBS_REFUSED_BOUNDS,
    VERBS_REFUSED_ALIGNMENT,
    VERBS_REFUSED_KEY,
    VERBS_REFUSED_EPOCH,
    VERBS_REFUSED_HANDLER,
    VERBS_REFUSED_DESCRIPTOR,
    VERBS_REFUSED_RIGHT,
    VERBS_REFUSED_SPACE,

    CONTROLS,
    CONTROLS_REFUSED,
    BEATS,
    BYTES_IN,
    BYTES_OUT,

    /**
     * Reads that brought bytes, and writes of answers. Rounds per read and per write show how well they are coalesced.
     */
    READS,
    WRITES,
    /** Sleeps of the loop. */
    SLEEPS,
    /** Spins of the loop, and spins that ended with an arrival. */
    SPINS,
    SPINS_THAT_PAID,

    SUSPECTS,
    REVOCATIONS,
    INTERNAL_ERRORS;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the label in the text of a status. */
    public String label() {
        return label;
    }
}
