package tidepool.fabric.sim;

/**
 * Where a strand is to die: at one of its verbs, counted from 0 over all its rounds.
 *
 * @param verbIndex the verb
 * @param when before it is sent, or once it took effect
 * @param wholeMachine whether its machine dies with it
 */
public record CrashPoint(long verbIndex, When when, boolean wholeMachine) {

    /** Before or after the verb. */
    public enum When {
        /** The verbs before it were sent and fly; this one and all later ones never were. */
        BEFORE,
        /** It took effect, the verbs before it fly, all later ones were never sent, and no answer was seen. */
        AFTER
    }
}
