package tidepool.bench.race;

import tidepool.store.ObjectLayout;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.TableSpec;

/**
 * How large a pool has to be for a workload.
 *
 * @param partitionBytes of each copy of a partition
 * @param coordinators that can work at once
 */
record PoolSize(long partitionBytes, int coordinators) {
    /** The smallest pool in which every record has a primary and a backup. */
    static final int NODES = 2;

    static final int REPLICAS = 2;

    /** For loading, checking and looking on. */
    private static final int MORE_COORDINATORS = 8;

    private static final long LOG_SLOT_BYTES = 64 * 1024;
    private static final long LOG_SLOTS = 3;
    private static final long BUCKET_BYTES = 1024;
    private static final long HEAD_BYTES = 64;
    private static final long SPARE_BYTES = 4 << 20;

    static PoolSize of(MeasuredWorkload workload, int hands) {
        long bytes = SPARE_BYTES;
        for (TableSpec table : workload.tables()) bytes += tableBytes(table);
        return new PoolSize(bytes + 63 & -64, hands + MORE_COORDINATORS);
    }

    /** As the store lays tables out: two slots in three used, a quarter more buckets for overflow. */
    private static long tableBytes(TableSpec table) {
        long slot = ObjectLayout.bytes(table.schema().length());
        long slots = Math.clamp(BUCKET_BYTES / slot, 2, 8);
        long buckets = table.rows() * 3 / 2 / (slots * NODES) + 1;
        return HEAD_BYTES + (buckets + Math.max(4, buckets / 4)) * (HEAD_BYTES + slots * slot);
    }

    /** What all copies and logs take. */
    long allBytes() {
        return NODES * REPLICAS * partitionBytes
                + (long) NODES * coordinators * LOG_SLOTS * LOG_SLOT_BYTES
                + (16L << 20);
    }

    /** Of a pool URL. */
    String parameters() {
        return "nodes=" + NODES + "&replicas=" + REPLICAS + "&partitions=" + NODES + "&memory=" + partitionBytes
                + "&coordinators=" + coordinators + "&log=" + LOG_SLOT_BYTES;
    }
}
