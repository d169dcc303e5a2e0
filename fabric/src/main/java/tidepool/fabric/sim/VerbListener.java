package tidepool.fabric.sim;

/** Is told of every verb as it goes its way. A {@link Flight} is used again; keep nothing of it. */
public interface VerbListener {
    /** It was posted, and sent or held back by a fence. */
    default void onPosted(Flight verb) {}

    /** Some of its words have taken effect at the node, others are still to come. */
    default void onBegun(Flight verb) {}

    /** It has wholly taken effect at the node. */
    default void onApplied(Flight verb) {}

    /** Its answer arrived, in time for its round. */
    default void onCompleted(Flight verb) {}
}
