package tidepool.fabric;

/**
 * The table of verbs of one connection that keep their order without a fence. An order means: every word of the first
 * verb before any word of the second.
 *
 * <pre>
 *   first \ second   SEND   WRITE   READ   ATOMIC        RDMA, after Table 1 of the HDTX slides:
 *   SEND              x      x       x      x            x  kept
 *   WRITE             x      x       x      x            F  kept only if the second carries a fence
 *   READ              F      F       x      F
 *   ATOMIC            F      F       x      F
 * </pre>
 *
 * FLUSH orders like READ. CALL and CHAIN arrive like a SEND. Their handler or descriptor has finished only when they
 * are acknowledged, so as a <em>first</em> verb they promise nothing without a fence.
 */
public final class OrderTable {
    static final int SEND = 0;
    static final int WRITE = 1;
    static final int READ = 2;
    static final int ATOMIC = 3;

    /** The orders that a reliable RDMA connection keeps for free. The simulator promises these and no others. */
    public static final OrderTable RDMA = new OrderTable("rdma", new int[] {
        /* SEND   */ 0,
        /* WRITE  */ bit(SEND) | bit(WRITE) | bit(READ) | bit(ATOMIC),
        /* READ   */ bit(READ),
        /* ATOMIC */ bit(READ)
    });

    /** All verbs in the order of posting: memory that the calling thread accesses itself. */
    public static final OrderTable PROGRAM = new OrderTable("program", new int[] {15, 15, 15, 15});

    private final String name;
    private final int[] keptAfter;

    private OrderTable(String name, int[] keptAfter) {
        this.name = name;
        this.keptAfter = keptAfter;
    }

    /** Returns whether {@code second}, posted after {@code first} on one connection, takes effect after it. */
    public boolean keeps(VerbKind first, VerbKind second) {
        return (keptAfter[first.orderClass()] & bit(second.orderClass())) != 0;
    }

    @Override
    public String toString() {
        return name;
    }

    private static int bit(int orderClass) {
        return 1 << orderClass;
    }
}
