package tidepool.fabric;

import tidepool.memory.Access;

/** Why the memory side did not carry out a verb. A refused verb changes nothing and breaks its connection. */
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
    /** The chained-work descriptor is not well-formed or names memory that this connection may not touch. */
    DESCRIPTOR("malformed chained-work descriptor"),
    /** This client may not do that here: it has only the right to read, say. */
    RIGHT("no right to do that"),
    /** The node's disk is full: nothing more can be made persistent until it is not. */
    SPACE("the node's disk is full");

    private final String text;

    Refusal(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** The refusal behind an access code of the memory node; {@code code} must not be {@link Access#GRANTED}. */
    public static Refusal of(int code) {
        return switch (code) {
            case Access.BOUNDS -> BOUNDS;
            case Access.ALIGNMENT -> ALIGNMENT;
            case Access.KEY -> KEY;
            case Access.EPOCH -> EPOCH;
            case Access.HANDLER -> HANDLER;
            case Access.DESCRIPTOR -> DESCRIPTOR;
            case Access.RIGHT -> RIGHT;
            case Access.SPACE -> SPACE;
            default -> throw new IllegalArgumentException("not a refusal: code=" + code);
        };
    }
}
