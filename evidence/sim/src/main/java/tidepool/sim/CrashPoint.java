package tidepool.sim;

/**
 * The point at which a strand dies: at one of its verbs, counted from 0 over all its rounds.
 *
 * @param verbIndex the verb
 * @param when before it is sent, or once it took effect
 * @param wholeMachine whether its machine dies with it
 */
public record CrashPoint(long verbIndex, When when, boolean wholeMachine) {

    /** Before or after the verb. */
    public enum When {
        /** The earlier verbs were sent and fly; this one and all later ones were never sent. */
        BEFORE,
        /** It took effect, the earlier verbs fly, the later ones were never sent, and no answer was seen. */
        AFTER
    }
}
