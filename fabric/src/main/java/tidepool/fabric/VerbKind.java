package tidepool.fabric;

/** What a verb does, and how the order table of a connection sees it ({@link Orders}). */
public enum VerbKind {
    READ(Orders.READ),
    WRITE(Orders.WRITE),
    CAS(Orders.ATOMIC),
    FAA(Orders.ATOMIC),
    MASKED_CAS(Orders.ATOMIC),
    MASKED_FAA(Orders.ATOMIC),
    /** Orders like READ: it answers when everything written before it on its connection is persistent. */
    FLUSH(Orders.READ),
    /** Two-sided: runs a handler on the memory node. Arrives in the order of a SEND. */
    CALL(Orders.SEND),
    /** Chained work: the memory side carries out a descriptor that lies in its memory. Starts in the order of a SEND. */
    CHAIN(Orders.SEND);

    private static final VerbKind[] VALUES = values();

    private final int orderClass;

    VerbKind(int orderClass) {
        this.orderClass = orderClass;
    }

    /** Row and column of this verb in {@link Orders}. */
    public int orderClass() {
        return orderClass;
    }

    /** How many kinds there are; counters are arrays of this length. */
    public static int count() {
        return VALUES.length;
    }

    public static VerbKind of(int ordinal) {
        return VALUES[ordinal];
    }
}
