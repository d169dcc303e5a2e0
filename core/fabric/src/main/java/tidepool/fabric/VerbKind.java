package tidepool.fabric;

/** The kind of a verb, and its class in the order table of a connection ({@link OrderTable}). */
public enum VerbKind {
    READ(OrderTable.READ),
    WRITE(OrderTable.WRITE),
    CAS(OrderTable.ATOMIC),
    FAA(OrderTable.ATOMIC),
    MASKED_CAS(OrderTable.ATOMIC),
    MASKED_FAA(OrderTable.ATOMIC),
    /** Orders like READ. It answers when everything written before on its connection is persistent. */
    FLUSH(OrderTable.READ),
    /** Two-sided: runs a handler on the memory node. Arrives in the order of a SEND. */
    CALL(OrderTable.SEND),
    /** Chained work: the memory side executes a descriptor that lies in its memory. Starts in the order of a SEND. */
    CHAIN(OrderTable.SEND);

    private static final VerbKind[] VALUES = values();

    private final int orderClass;

    VerbKind(int orderClass) {
        this.orderClass = orderClass;
    }

    /** Returns the row and column of this verb in {@link OrderTable}. */
    public int orderClass() {
        return orderClass;
    }

    /** Returns the number of kinds; counters are arrays of this length. */
    public static int count() {
        return VALUES.length;
    }

    public static VerbKind of(int ordinal) {
        return VALUES[ordinal];
    }
}
