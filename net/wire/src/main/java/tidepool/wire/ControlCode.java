package tidepool.wire;

/**
 * The codes of control calls, sent as the first word of a CONTROL frame. The numbers are on the wire and never change.
 */
public final class ControlCode {
    public static final int NEXT_SESSION = 1;
    public static final int ATTACH = 2;
    public static final int DETACH = 3;
    public static final int OPEN_LINK = 4;
    public static final int CLOSE_LINK = 5;
    public static final int OPEN_REGION = 6;
    public static final int CREATE_REGION = 7;
    public static final int FREE_REGION = 8;
    public static final int ALLOCATE = 9;
    public static final int FREE = 10;
    public static final int REGIONS = 11;
    public static final int REVOKE = 12;
    public static final int IS_REVOKED = 13;
    public static final int SESSIONS = 14;
    public static final int FORGET = 15;
    public static final int EPOCH = 16;
    public static final int RAISE_EPOCH = 17;
    public static final int STATISTICS = 18;
    public static final int IS_DEAD = 19;
    public static final int STATUS = 20;
    public static final int POWER_LOSSES = 21;
    public static final int DOUBT = 22;
    public static final int SET_DOUBT = 23;
    public static final int LIVES = 24;

    private ControlCode() {}
}
