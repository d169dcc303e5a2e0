package tidepool.fabric;

/**
 * A failure of the fabric. It answers the one question of recovery: {@link #effect()} of the round as a whole, and
 * {@link Verb#effect()} of each verb in it.
 */
public final class FabricException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kind of failure. */
    public enum Reason {
        /** The memory side refused the verb; see {@link #refusal()}. */
        REFUSED,
        /** The deadline passed without an answer. */
        TIMED_OUT,
        /** The connection broke, or was already broken. */
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

    /** Returns the failure of a pool that cannot be opened or grown; nothing was done. */
    public static FabricException unavailable(String message) {
        return new FabricException(Reason.UNAVAILABLE, Effect.NOT_DONE, message);
    }

    public static FabricException unavailable(String message, Throwable cause) {
        FabricException e = unavailable(message);
        e.initCause(cause);
        return e;
    }

    /** Returns the failure of a control call that the memory side refused; nothing was done. */
    public static FabricException refused(Refusal refusal, String message) {
        return new FabricException(Reason.REFUSED, Effect.NOT_DONE, refusal, message);
    }

    public Reason reason() {
        return reason;
    }

    /** Returns DONE if all verbs of the round are, NOT_DONE if none is, otherwise UNKNOWN: then ask each verb. */
    public Effect effect() {
        return effect;
    }

    /** Returns why the memory side refused; null unless {@link #reason()} is REFUSED. */
    public Refusal refusal() {
        return refusal;
    }
}
