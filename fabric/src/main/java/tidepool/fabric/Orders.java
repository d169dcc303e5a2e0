package tidepool.fabric;

/**
 * Which verbs of one connection keep their order without a fence. An order means: every word of the first verb before
 * any word of the second.
 *
 * <pre>
 *   first \ second   SEND   WRITE   READ   ATOMIC        RDMA, after Table 1 of the HDTX slides:
 *   SEND              x      x       x      x            x  kept
 *   WRITE             x      x       x      x            F  kept only if the second carries a fence
 *   READ              F      F       x      F
 *   ATOMIC            F      F       x      F
 * </pre>
 *
 * FLUSH orders like READ. CALL and CHAIN arrive like a SEND; what their handler or descriptor does is over only when
 * they are acknowledged, so as a <em>first</em> verb they promise nothing without a fence.
 */
public final class Orders {
    static final int SEND = 0;
    static final int WRITE = 1;
    static final int READ = 2;
    static final int ATOMIC = 3;

    /** The orders a reliable RDMA connection keeps for free. The simulator promises these and no others. */
    public static final Orders RDMA = new Orders("rdma", new int[] {
        /* SEND   */ 0,
        /* WRITE  */ bit(SEND) | bit(WRITE) | bit(READ) | bit(ATOMIC),
        /* READ   */ bit(READ),
        /* ATOMIC */ bit(READ)
    });

    /** Everything in the order of posting: memory that the calling thread touches itself. */
    public static final Orders PROGRAM = new Orders("program", new int[] {15, 15, 15, 15});

    private final String name;
    private final int[] keptAfter;

    private Orders(String name, int[] keptAfter) {
        this.name = name;
        this.keptAfter = keptAfter;
    }

    /** Whether {@code second}, posted behind {@code first} on the same connection, takes effect after it. */
    public boolean keeps(VerbKind first, VerbKind second) {
        return (keptAfter[first.orderClass()] & bit(second.orderClass())) != 0;
    }

    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }

    private static int bit(int orderClass) {
        return 1 << orderClass;
    }
}
