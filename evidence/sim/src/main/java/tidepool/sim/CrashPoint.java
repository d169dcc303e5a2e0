package tidepool.sim;

/**
 * The point at which a strand dies: at one of its verbs, counted from 0 over all its rounds, or at its first round of a
 * step. The steps are an enum whose ordinals are the labels of rounds.
 *
 * @param verbIndex the verb; -1 if a step is given
 * @param step the step, null if a verb is given
 * @param when before it is sent, or once it took effect
 * @param wholeMachine whether its machine dies with it
 */
public record CrashPoint(long verbIndex, Enum<?> step, When when, boolean wholeMachine) {
    private static final long OF_STEP = -1;

    /** Before or after the verb, or the step. */
    public enum When {
        /** The earlier verbs were sent and fly; this one and all later ones were never sent. */
        BEFORE,
        /**
         * It took effect, the earlier verbs fly, the later ones were never sent, and no answer was seen. Of a step,
         * every verb of its first round was answered.
         */
        AFTER
    }

    /** The death of a machine before its strand sends the first verb of a step. */
    public static CrashPoint before(Enum<?> step) {
        return new CrashPoint(OF_STEP, step, When.BEFORE, true);
    }

    /** The death of a machine as soon as every verb of its strand's first round of a step is answered. */
    public static CrashPoint after(Enum<?> step) {
        return new CrashPoint(OF_STEP, step, When.AFTER, true);
    }

    /** The death of a machine at the n-th verb of its strand, counted from 0. */
    public static CrashPoint at(long verbIndex, When when) {
        return new CrashPoint(verbIndex, null, when, true);
    }

    /** Returns this point for the strand alone: its machine lives on and sends what the strand has handed over. */
    public CrashPoint ofStrand() {
        return new CrashPoint(verbIndex, step, when, false);
    }

    boolean isBefore(long verb, int label) {
        return when == When.BEFORE && is(verb, label);
    }

    boolean isAfter(long verb) {
        return when == When.AFTER && step == null && verb == verbIndex;
    }

    boolean isAfterRound(int label) {
        return when == When.AFTER && step != null && step.ordinal() == label;
    }

    private boolean is(long verb, int label) {
        return step == null ? verb == verbIndex : step.ordinal() == label;
    }

    /** Returns {@code after lock} or {@code before verb 17}. */
    @Override
    public String toString() {
        return (when == When.BEFORE ? "before " : "after ")
                + (step == null ? "verb " + verbIndex : step)
                + (wholeMachine ? "" : ", the strand alone");
    }
}
