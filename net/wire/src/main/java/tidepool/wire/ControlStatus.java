package tidepool.wire;

/** The status codes of a REPLY: why a control call was not executed; 0 if it was. */
public final class ControlStatus {
    public static final int DONE = 0;

    /** No such region, or it was freed. */
    public static final int KEY = 1;

    /** No memory, region entry or session slot is left, or a limit of the node is reached. */
    public static final int FULL = 2;

    /** An invalid argument. */
    public static final int ARGUMENT = 3;

    /** The node's memory is damaged. */
    public static final int CORRUPT = 4;

    /** Another caller holds the control lock. */
    public static final int BUSY = 5;

    /** The session was revoked or has left, or its epoch is too old. */
    public static final int EPOCH = 6;

    /** The client lacks the right for this call. */
    public static final int RIGHT = 7;

    private ControlStatus() {}
}
