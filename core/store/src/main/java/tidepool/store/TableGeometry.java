package tidepool.store;

import tidepool.schema.Schema;
import tidepool.store.StoreException.Reason;
import tidepool.store.motor.TupleLayout;

/** The choice of how many buckets a table gets, and its text form, which the catalog keeps. */
public final class TableGeometry {
    /** A bucket should be read in one READ of about this size. */
    private static final long BUCKET_BYTES = 1024;

    private static final int MAX_SLOTS = 8;

    /**
     * Shorter buckets where values lie outside the slots: a lookup reads the versions of the other keys in the bucket
     * without need.
     */
    private static final int MAX_TUPLE_SLOTS = 4;

    private static final int MIN_SLOTS = 2;

    /**
     * The number of buckets of a partition from which on keys lie in runs. In a smaller table a few colliding runs
     * could use up all overflow buckets. A smaller table stays in the processor's cache anyway.
     */
    private static final long MIN_FOR_RUNS = 1 << 14;

    /**
     * Slots of a bucket for each key that a run has in it, on average. With fewer slots, more rows would overflow. Rows
     * so large that a bucket has fewer slots are pages away from their neighbours in any case.
     */
    private static final int SLOTS_PER_RUN_KEY = 4;

    private TableGeometry() {}

    /** Lays out a table whose rows fill two thirds of the slots, with a quarter as many overflow buckets as buckets. */
    public static TableLayout lay(
            int id, Schema schema, long rows, int partitions, long base, RowFormat format, long tailBytes) {
        if (rows < 1 || rows > 1L << 32)
            throw new StoreException(Reason.FULL, "a table has 1 to 2^32 rows: rows=" + rows);
        int slots = slots(format);
        long buckets = Math.max(1, (rows * 3 / 2 + (long) slots * partitions - 1) / ((long) slots * partitions));
        if (buckets > Integer.MAX_VALUE / 2)
            throw new StoreException(Reason.FULL, "too many rows for one table: " + rows);
        int overflow = (int) Math.max(4, buckets / 4);
        return new TableLayout(id, schema, partitions, (int) buckets, slots, overflow, base, format, tailBytes)
                .inRuns(schema.key().isWide() ? TableLayout.SCATTERED : runBits(buckets, slots, partitions));
    }

    private static int runBits(long buckets, int slots, int partitions) {
        if (buckets < MIN_FOR_RUNS || slots < SLOTS_PER_RUN_KEY) return TableLayout.SCATTERED;
        int perBucket = Integer.numberOfTrailingZeros(Integer.highestOneBit(slots / SLOTS_PER_RUN_KEY * partitions));
        return Math.min(TableLayout.RUN_BUCKET_BITS + perBucket, TableLayout.MAX_RUN_BITS);
    }

    /** Returns the slots of each bucket of a table. */
    public static int slots(RowFormat format) {
        int max = format.kind().equals(TupleLayout.KIND) ? MAX_TUPLE_SLOTS : MAX_SLOTS;
        return Math.clamp(BUCKET_BYTES / ObjectLayout.bytes(format.contentBytes()), MIN_SLOTS, max);
    }

    static String text(TableLayout table) {
        return table.id() + (table.keptOrigin() == 0 ? "" : "/" + table.keptOrigin()) + " " + table.buckets() + " "
                + table.slots()
                + table.format().text() + " " + table.overflow()
                + (table.runBits() == TableLayout.SCATTERED ? "" : "/" + table.runBits()) + " " + table.base()
                + " " + table.schema();
    }

    static TableLayout parse(String text, int partitions, long tailBytes) {
        String[] parts = text.split(" ", 6);
        try {
            Schema schema = Schema.parse(parts[5]);
            String[] id = parts[0].split("/", 2); // and the origin, if it is a later version of a table
            String[] slots = parts[2].split("/");
            String[] overflow = parts[3].split("/", 2); // and the bits of a run, if keys lie in runs
            return new TableLayout(
                            Integer.parseInt(id[0]),
                            schema,
                            partitions,
                            Integer.parseInt(parts[1]),
                            Integer.parseInt(slots[0]),
                            Integer.parseInt(overflow[0]),
                            Long.parseLong(parts[4]),
                            RowFormat.parse(slots, schema),
                            tailBytes)
                    .inRuns(overflow.length == 1 ? TableLayout.SCATTERED : Integer.parseInt(overflow[1]))
                    .ofOrigin(id.length == 1 ? 0 : Long.parseLong(id[1]));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new StoreException(
                    Reason.CORRUPT,
                    "the catalog has a table that cannot be read, damaged or of a newer version: " + text);
        }
    }
}
