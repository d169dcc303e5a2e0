package tidepool.store;

import java.util.List;
import tidepool.base.Checks;
import tidepool.fabric.FabricUrl;
import tidepool.store.StoreException.Reason;

/**
 * The options with which a new pool is laid out. A session that attaches to an existing pool uses the options of that
 * pool, and is refused if it asked for others.
 *
 * @param protocol the protocol whose record format the pool has
 * @param replicas copies of each partition, the primary included
 * @param partitions partitions of the pool; 0 for as many as there are memory nodes
 * @param partitionBytes memory of each copy of a partition
 * @param coordinators how many strands may run transactions at once, over all processes
 * @param logSlotBytes up to this many bytes, the log of a transaction on one node has its own place
 * @param logHeapBytes memory of each node for longer logs and more locks, shared by all coordinators
 */
public record PoolOptions(
        String protocol,
        int replicas,
        int partitions,
        long partitionBytes,
        int coordinators,
        long logSlotBytes,
        long logHeapBytes) {
    /**
     * The parameters of a pool URL that concern the store and not the fabric. A pool is made with them and records
     * them. The protocol reads {@link FlushPolicy}, not this class.
     */
    public static final List<String> NAMES =
            List.of("protocol", "replicas", "partitions", "memory", "coordinators", "log", "logheap", "flush");

    private static final String TOO_SHORT = "log takes at least 1k, in multiples of 64";

    public PoolOptions {
        Checks.argument(replicas >= 1 && replicas <= 4, "replicas takes 1 to 4, not " + replicas);
        Checks.argument(
                coordinators >= 1 && coordinators <= CatalogLayout.COORDINATORS,
                "coordinators takes 1 to " + CatalogLayout.COORDINATORS + ", not " + coordinators);
        Checks.argument(logSlotBytes >= 64 && logSlotBytes % 64 == 0, TOO_SHORT);
        Checks.argument(
                logHeapBytes >= 0 && logHeapBytes % LogHeapLayout.BLOCK_BYTES == 0,
                "logheap takes multiples of 64k, not " + logHeapBytes);
        Checks.argument(partitionBytes >= 64 * 1024, "memory takes at least 64k per partition, not " + partitionBytes);
    }

    /** The options of a pool with a log heap of the default size. */
    public PoolOptions(
            String protocol, int replicas, int partitions, long partitionBytes, int coordinators, long logSlotBytes) {
        this(
                protocol,
                replicas,
                partitions,
                partitionBytes,
                coordinators,
                logSlotBytes,
                LogHeapLayout.defaultBytes(partitionBytes));
    }

    /** Reads {@code log=}. Tests of the log heap have shorter slots, which no log fits. */
    private static long logSlotBytes(FabricUrl url, long usual) {
        long bytes = url.size("log", usual);
        Checks.argument(bytes >= 1024, TOO_SHORT);
        return bytes;
    }

    /** Reads {@code logheap=}, which may also be 0: none. */
    private static long logHeapBytes(FabricUrl url, long partitionBytes) {
        if (url.string("logheap", "").equals("0")) return 0;
        return url.size("logheap", LogHeapLayout.defaultBytes(partitionBytes));
    }

    /** Returns these options with another log heap. */
    public PoolOptions withLogHeap(long bytes) {
        return new PoolOptions(protocol, replicas, partitions, partitionBytes, coordinators, logSlotBytes, bytes);
    }

    public static PoolOptions defaults() {
        return new PoolOptions("ford", 2, 0, 64L << 20, 64, 64 * 1024);
    }

    /** Reads {@code ?replicas=2&memory=64m…}; parameters that are not given have their defaults. */
    public static PoolOptions of(FabricUrl url) {
        PoolOptions d = defaults();
        long partitionBytes = url.size("memory", d.partitionBytes) + 63 & -64;
        return new PoolOptions(
                url.string("protocol", d.protocol),
                url.integer("replicas", d.replicas, 1, 4),
                url.integer("partitions", d.partitions, 0, 4096),
                partitionBytes,
                url.integer("coordinators", d.coordinators, 1, CatalogLayout.COORDINATORS),
                logSlotBytes(url, d.logSlotBytes),
                logHeapBytes(url, partitionBytes));
    }

    /**
     * Refuses parameters of a URL that differ from those with which the pool was made. Parameters that either leaves
     * out are not compared. Otherwise a program that asks for three copies would run on two, or its steward would make
     * a third one. The memory is not compared, because the pool may have grown: its catalog says how much it has.
     */
    public static void requireAlike(FabricUrl asked, FabricUrl made) {
        PoolOptions options = of(asked);
        PoolOptions others = of(made);
        if (made.has("replicas")) requireAlike(asked, "replicas", options.replicas, others.replicas);
        if (made.has("partitions")) requireAlike(asked, "partitions", options.partitions, others.partitions);
        if (made.has("coordinators")) requireAlike(asked, "coordinators", options.coordinators, others.coordinators);
        if (made.has("log")) requireAlike(asked, "log", options.logSlotBytes, others.logSlotBytes);
        if (made.has("logheap")) requireAlike(asked, "logheap", options.logHeapBytes, others.logHeapBytes);
    }

    /** Refuses a pool that has less memory than was asked for. One that has grown has more. */
    static void requireMemory(long asked, long had) {
        if (asked <= had) return;
        throw new StoreException(
                Reason.MISMATCH,
                "this pool has memory=" + had + ", not " + asked
                        + "; leave it out of the URL, or make the pool larger by ./tidepool pool grow URL --memory "
                        + asked);
    }

    /** Refuses a parameter that differs from the one with which the pool was made; for partitions, 0 is any. */
    static void requireAlike(FabricUrl asked, String name, long value, long made) {
        if (!asked.has(name) || made == value || name.equals("partitions") && value == 0) return;
        throw new StoreException(
                Reason.MISMATCH,
                "this pool was made with " + name + "=" + made + ", not with " + value
                        + "; leave it out of the URL, and it is as the pool has it");
    }
}
