package tidepool.memory;

/**
 * Result codes of an access check at a memory node: granted, or the reason of refusal. Plain numbers, because every
 * verb is checked.
 */
public final class AccessCode {
    public static final int GRANTED = 0;
    public static final int BOUNDS = 1;
    public static final int ALIGNMENT = 2;
    public static final int KEY = 3;
    public static final int EPOCH = 4;
    public static final int HANDLER = 5;
    public static final int DESCRIPTOR = 6;
    public static final int RIGHT = 7;
    public static final int SPACE = 8;

    private AccessCode() {}
}
