package tidepool.sim;

/** A listener for the progress of every verb. A {@link VerbInFlight} is reused; do not keep a reference to it. */
public interface VerbListener {
    /** Called when it was posted, and sent or held back by a fence. */
    default void onPosted(VerbInFlight verb) {}

    /** Called when some of its words have taken effect at the node, and others are still to come. */
    default void onBegun(VerbInFlight verb) {}

    /** Called when it has completely taken effect at the node. */
    default void onApplied(VerbInFlight verb) {}

    /** Called when its answer arrived, in time for its round. */
    default void onCompleted(VerbInFlight verb) {}
}
