package tidepool.fabric;

/** What is known of a verb whose round failed. Recovery asks only this. */
public enum Effect {
    /** It took effect, wholly. */
    DONE,
    /** It did not take effect and never will. */
    NOT_DONE,
    /** Nobody can say: it may have taken effect, wholly or in part, or may still do so until its session is revoked. */
    UNKNOWN
}
