package tidepool.bench.race;

import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.store.ObjectLayout;
import tidepool.store.RowFormat;
import tidepool.store.SlotTail;
import tidepool.store.TableGeometry;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.TableSpec;

/**
 * How large a pool has to be for a workload.
 *
 * @param shape memory nodes, of which there are as many as partitions, and copies
 * @param partitionBytes of each copy of a partition
 * @param coordinators that can work at once
 */
record PoolSize(PoolShape shape, long partitionBytes, int coordinators) {
    /** For loading, checking and looking on. */
    private static final int MORE_COORDINATORS = 8;

    private static final long LOG_SLOT_BYTES = 64 * 1024;
    private static final long LOG_SLOTS = 3;
    private static final long HEAD_BYTES = 64;

    /** What records of some protocols have behind them; room for it does no harm to the others. */
    private static final long TAIL_BYTES = SlotTail.MOST;

    private static final long SPARE_BYTES = 4 << 20;

    /** For a protocol that keeps values in their slots. */
    static PoolSize of(String fabric, MeasuredWorkload workload, int hands) {
        return of(PoolShape.USUAL.on(fabric), workload, hands, "ford");
    }

    /** @param protocol by its name, with switches */
    static PoolSize of(PoolShape shape, MeasuredWorkload workload, int hands, String protocol) {
        Protocol rows = known(protocol);
        long bytes = SPARE_BYTES;
        for (TableSpec table : workload.tables()) bytes += tableBytes(table, shape.nodes(), rows);
        return new PoolSize(shape, bytes + 63 & -64, hands + MORE_COORDINATORS);
    }

    /** One that nobody knows is named by the contender that cannot begin. */
    static Protocol known(String protocol) {
        try {
            return Protocols.named(protocol);
        } catch (IllegalArgumentException e) {
            return Protocols.named("ford");
        }
    }

    /** As the store lays tables out: two slots in three used, a quarter more buckets for overflow. */
    private static long tableBytes(TableSpec table, int nodes, Protocol protocol) {
        RowFormat format = protocol.rows(table.schema());
        long slot = ObjectLayout.bytes(format.contentBytes());
        long slots = TableGeometry.slots(format);
        long buckets = table.rows() * 3 / 2 / (slots * nodes) + 1;
        long slotBytes = slot + TAIL_BYTES + format.sideStride();
        return HEAD_BYTES + (buckets + Math.max(4, buckets / 4)) * (HEAD_BYTES + slots * slotBytes);
    }

    /** What all copies and logs take. */
    long allBytes() {
        return (long) shape.nodes() * shape.replicas() * partitionBytes
                + (long) shape.nodes() * coordinators * LOG_SLOTS * LOG_SLOT_BYTES
                + (16L << 20);
    }

    /** What one memory node has to have, with room for those that get more than their share. */
    long nodeBytes() {
        long share = allBytes() / shape.nodes();
        return share + share / 4 + (64L << 20);
    }

    /** Of the URL of a pool whose nodes are made with it. */
    String parameters() {
        return "nodes=" + shape.nodes() + "&" + storeParameters();
    }

    /** Of the URL of a pool whose nodes are there. */
    String storeParameters() {
        return "replicas=" + shape.replicas() + "&partitions=" + shape.nodes() + "&memory=" + partitionBytes
                + "&coordinators=" + coordinators + "&log=" + LOG_SLOT_BYTES;
    }
}
