package tidepool.fabric;

/**
 * The fabric failed. It answers the one question that recovery has: {@link #effect()} of the round as a whole, and
 * {@link Verb#effect()} of each verb in it.
 */
public final class FabricException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What kind of failure it was. */
    public enum Reason {
        /** The memory side refused the verb; see {@link #refusal()}. */
        REFUSED,
        /** The deadline passed without an answer. */
        TIMED_OUT,
        /** The connection broke, or was broken already. */
        DISCONNECTED,
        /** This side was closed. */
        CLOSED,
        /** The pool itself cannot be opened, created or grown: files, space, geometry. */
        UNAVAILABLE
    }

    private final Reason reason;
    private final Effect effect;
    private final transient Refusal refusal;

    public FabricException(Reason reason, Effect effect, Refusal refusal, String message) {
        super(message);
        this.reason = reason;
        this.effect = effect;
        this.refusal = refusal;
    }

    public FabricException(Reason reason, Effect effect, String message) {
        this(reason, effect, null, message);
    }

    /** A pool that cannot be opened or grown; nothing was done. */
    public static FabricException unavailable(String message) {
        return new FabricException(Reason.UNAVAILABLE, Effect.NOT_DONE, message);
    }

    public static FabricException unavailable(String message, Throwable cause) {
        FabricException e = unavailable(message);
        e.initCause(cause);
        return e;
    }

    /** A control call that the memory side refused; nothing was done. */
    public static FabricException refused(Refusal refusal, String message) {
        return new FabricException(Reason.REFUSED, Effect.NOT_DONE, refusal, message);
    }

    public Reason reason() {
        return reason;
    }

    /** DONE if all verbs of the round are, NOT_DONE if none is, otherwise UNKNOWN as a whole: ask each verb. */
    public Effect effect() {
        return effect;
    }

    /** Why the memory side refused; null unless {@link #reason()} is REFUSED. */
    public Refusal refusal() {
        return refusal;
    }
}
