package tidepool.tcp.wire;

/** What a FLUSH that was answered outlasts; a node says it at the door, by its place in this list. */
public enum Outlasts {
    NOTHING,
    THE_NODE,
    POWER,
    /** Lines of persistent memory get there in any order; the others keep a journal of all that is done. */
    POWER_IN_ANY_ORDER;

    private static final Outlasts[] ALL = values();

    /** What a later version may say is taken for the least order. */
    public static Outlasts of(long word) {
        return ALL[Math.clamp(word, 0, ALL.length - 1)];
    }
}
