package tidepool.memory;

/** What the memory side answers when a verb knocks: granted, or why not. Plain numbers, because verbs are hot. */
public final class Access {
    public static final int GRANTED = 0;
    public static final int BOUNDS = 1;
    public static final int ALIGNMENT = 2;
    public static final int KEY = 3;
    public static final int EPOCH = 4;
    public static final int HANDLER = 5;
    public static final int DESCRIPTOR = 6;
    public static final int RIGHT = 7;
    public static final int SPACE = 8;

    private Access() {}
}
