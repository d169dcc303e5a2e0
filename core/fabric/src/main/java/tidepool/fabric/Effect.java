package tidepool.fabric;

/** The known effect of a verb whose round failed. Recovery needs only this. */
public enum Effect {
    /** It took effect completely. */
    DONE,
    /** It did not take effect and never will. */
    NOT_DONE,
    /** Not known: it may have taken effect, completely or in part, or may still do so until its session is revoked. */
    UNKNOWN
}
