package tidepool.fabric;

import tidepool.memory.AccessCode;

/** The reason for which the memory side refused a verb. A refused verb changes nothing and breaks its connection. */
public enum Refusal {
    /** Part of the range lies outside the region, or the length is zero or negative. */
    BOUNDS("range outside the region"),
    /** Offset or length is not a multiple of eight. */
    ALIGNMENT("offset or length is not a multiple of 8"),
    /** The handle, or the capability, opens no region here; or the region was freed. */
    KEY("no such region"),
    /** The session was revoked, or its epoch is older than the node's. */
    EPOCH("session revoked or epoch too old"),
    /** The node runs with its handlers off, or has no handler of that number. */
    HANDLER("handlers are off, or there is no such handler"),
    /** The chained-work descriptor is not well-formed or names memory that this connection may not access. */
    DESCRIPTOR("malformed chained-work descriptor"),
    /** This client lacks the right to do that here; for example, it may only read. */
    RIGHT("no right to do that"),
    /** The node's disk is full. Until there is space, no more data can be made persistent. */
    SPACE("the node's disk is full");

    private final String text;

    Refusal(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /**
     * Returns the refusal for an access code of the memory node; {@code code} must not be {@link AccessCode#GRANTED}.
     */
    public static Refusal of(int code) {
        return switch (code) {
            case AccessCode.BOUNDS -> BOUNDS;
            case AccessCode.ALIGNMENT -> ALIGNMENT;
            case AccessCode.KEY -> KEY;
            case AccessCode.EPOCH -> EPOCH;
            case AccessCode.HANDLER -> HANDLER;
            case AccessCode.DESCRIPTOR -> DESCRIPTOR;
            case AccessCode.RIGHT -> RIGHT;
            case AccessCode.SPACE -> SPACE;
            default -> throw new IllegalArgumentException("not a refusal: code=" + code);
        };
    }
}
