package tidepool.bench.race;

import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.IndexKeys;
import tidepool.schema.IndexSchema;
import tidepool.schema.Schema;
import tidepool.store.IndexNodeLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.RowFormat;
import tidepool.store.SlotTrailer;
import tidepool.store.TableGeometry;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.TableSpec;

/**
 * The size of a pool for a workload.
 *
 * @param shape memory nodes, whose number is also that of partitions, and copies
 * @param partitionBytes of each copy of a partition
 * @param coordinators that can work at once
 */
record PoolSize(PoolShape shape, long partitionBytes, int coordinators) {
    /** Coordinators for loading, checking and observing. */
    private static final int MORE_COORDINATORS = 8;

    private static final Schema INDEX_NODES = Schema.parse("nodes(node:bytes[" + IndexNodeLayout.BYTES + "])");
    private static final long LOG_SLOT_BYTES = 64 * 1024;
    private static final long LOG_SLOTS = 3;
    private static final long HEAD_BYTES = 64;

    /** The largest trailer of records of some protocols; room for it does not harm the others. */
    private static final long TAIL_BYTES = SlotTrailer.MAX_BYTES;

    private static final long SPARE_BYTES = 4 << 20;
    private static final long LINE = 64;

    /** The largest log heap of a node that has the default size. */
    private static final long LOG_HEAP_BYTES = 16 << 20;

    /** Returns the size for a protocol that keeps values in their slots. */
    static PoolSize of(String fabric, MeasuredWorkload workload, int drivers) {
        return of(PoolShape.USUAL.on(fabric), workload, drivers, "ford");
    }

    /** @param protocol its name, with switches */
    static PoolSize of(PoolShape shape, MeasuredWorkload workload, int drivers, String protocol) {
        Protocol rows = known(protocol);
        long bytes = SPARE_BYTES;
        for (TableSpec table : workload.tables()) {
            bytes += tableBytes(table, shape.nodes(), rows);
            long indexNodes = indexNodes(table);
            if (indexNodes > 0) bytes += tableBytes(new TableSpec(INDEX_NODES, indexNodes), shape.nodes(), rows);
        }
        PoolSize needed = new PoolSize(shape, bytes + LINE - 1 & -LINE, drivers + MORE_COORDINATORS);
        return shape.bytes() == 0 ? needed : needed.filling(shape.bytes());
    }

    /** Returns the size with partitions that make all copies and logs take this memory. */
    private PoolSize filling(long bytes) {
        long copies = (long) shape.nodes() * shape.replicas();
        long each = (bytes - allBytes() + copies * partitionBytes) / copies & -LINE;
        if (each < SPARE_BYTES)
            throw new IllegalArgumentException("--memory leaves no room for tables: logs="
                    + (allBytes() - copies * partitionBytes) + " memory=" + bytes);
        return new PoolSize(shape, each, coordinators);
    }

    /** Returns the protocol. The contender that cannot start reports an unknown one. */
    static Protocol known(String protocol) {
        try {
            return Protocols.named(protocol);
        } catch (IllegalArgumentException e) {
            return Protocols.named("ford");
        }
    }

    /**
     * Returns the bytes of a table as the store lays it out: two slots in three used, a quarter more buckets for
     * overflow.
     */
    private static long tableBytes(TableSpec table, int nodes, Protocol protocol) {
        RowFormat format = protocol.rows(table.schema());
        long slot = ObjectLayout.bytes(format.contentBytes());
        long slots = TableGeometry.slots(format);
        long buckets = table.rows() * 3 / 2 / (slots * nodes) + 1;
        long slotBytes = slot + TAIL_BYTES + format.sideStride();
        return HEAD_BYTES + (buckets + Math.max(4, buckets / 4)) * (HEAD_BYTES + slots * slotBytes);
    }

    /** Returns the nodes of all indexes of a table whose leaves are half full, as after inserts in ascending order. */
    private static long indexNodes(TableSpec table) {
        long nodes = 0;
        for (IndexSchema index : table.schema().indexes()) {
            int width = IndexKeys.of(table.schema(), index).width();
            long leaves = 1 + table.rows() / (IndexNodeLayout.leafCapacity(width) / 2);
            nodes += leaves + 1 + leaves / (IndexNodeLayout.innerCapacity(width) / 2);
        }
        return nodes;
    }

    /** Returns the bytes of all copies and logs. */
    long allBytes() {
        return (long) shape.nodes() * shape.replicas() * partitionBytes
                + (long) shape.nodes() * coordinators * LOG_SLOTS * LOG_SLOT_BYTES
                + (shape.bytes() == 0 ? 0 : shape.nodes() * LOG_HEAP_BYTES)
                + (16L << 20);
    }

    /** Returns the bytes of one memory node, with room for nodes that get more than their share. */
    long nodeBytes() {
        long share = allBytes() / shape.nodes();
        return share + share / 4 + (64L << 20);
    }

    /** Returns the parameters of the URL of a pool whose nodes are made with it. */
    String parameters() {
        return "nodes=" + shape.nodes() + "&" + storeParameters();
    }

    /** Returns the parameters of the URL of a pool on existing nodes. */
    String storeParameters() {
        return "replicas=" + shape.replicas() + "&partitions=" + shape.nodes() + "&memory=" + partitionBytes
                + "&coordinators=" + coordinators + "&log=" + LOG_SLOT_BYTES;
    }
}
