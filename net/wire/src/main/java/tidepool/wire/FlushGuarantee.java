package tidepool.wire;

/** The failure that data survives once its FLUSH was answered. A node sends the ordinal in WELCOME. */
public enum FlushGuarantee {
    NOTHING,
    THE_NODE,
    POWER,
    /**
     * Cache lines of persistent memory become persistent in any order. Nodes with {@code THE_NODE} or {@code POWER}
     * keep a journal, which persists verbs in their order.
     */
    POWER_IN_ANY_ORDER;

    private static final FlushGuarantee[] ALL = values();

    /**
     * Returns the guarantee of an ordinal. A higher ordinal, of a later version, counts as the one with the weakest
     * order.
     */
    public static FlushGuarantee of(long word) {
        return ALL[Math.clamp(word, 0, ALL.length - 1)];
    }
}
