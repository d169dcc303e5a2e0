package tidepool.store;

import tidepool.store.StoreException.Reason;
import tidepool.store.motor.TupleLayout;
import tidepool.store.schema.Schema;

/** Chooses how many buckets a table gets, and writes that down as the text that the catalog keeps. */
public final class TableGeometry {
    /** A bucket should be read in one READ of about this size. */
    private static final long BUCKET_BYTES = 1024;

    private static final int MOST_SLOTS = 8;

    /** Where values lie beside the slots, whoever looks for a key reads versions of others for nothing: shorter buckets. */
    private static final int MOST_SLOTS_BESIDE = 4;

    private static final int LEAST_SLOTS = 2;

    private TableGeometry() {}

    /** Room for the rows at two thirds of the slots, and a quarter as many overflow buckets as buckets. */
    static TableInfo lay(
            int id, Schema schema, long rows, int partitions, long base, RowFormat format, long tailBytes) {
        if (rows < 1 || rows > 1L << 32)
            throw new StoreException(Reason.FULL, "a table has 1 to 2^32 rows: rows=" + rows);
        int slots = slots(format);
        long buckets = Math.max(1, (rows * 3 / 2 + (long) slots * partitions - 1) / ((long) slots * partitions));
        if (buckets > Integer.MAX_VALUE / 2)
            throw new StoreException(Reason.FULL, "too many rows for one table: " + rows);
        int overflow = (int) Math.max(4, buckets / 4);
        return new TableInfo(id, schema, partitions, (int) buckets, slots, overflow, base, format, tailBytes);
    }

    /** Slots of each bucket of a table. */
    public static int slots(RowFormat format) {
        int most = format.kind().equals(TupleLayout.KIND) ? MOST_SLOTS_BESIDE : MOST_SLOTS;
        return Math.clamp(BUCKET_BYTES / ObjectLayout.bytes(format.contentBytes()), LEAST_SLOTS, most);
    }

    static String text(TableInfo table) {
        return table.id() + " " + table.buckets() + " " + table.slots()
                + table.format().text() + " " + table.overflow() + " " + table.base()
                + " " + table.schema();
    }

    static TableInfo parse(String text, int partitions, long tailBytes) {
        String[] parts = text.split(" ", 6);
        try {
            Schema schema = Schema.parse(parts[5]);
            String[] slots = parts[2].split("/");
            return new TableInfo(
                    Integer.parseInt(parts[0]),
                    schema,
                    partitions,
                    Integer.parseInt(parts[1]),
                    Integer.parseInt(slots[0]),
                    Integer.parseInt(parts[3]),
                    Long.parseLong(parts[4]),
                    RowFormat.parse(slots, schema),
                    tailBytes);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new StoreException(Reason.CORRUPT, "the catalog has a table that cannot be read: " + text);
        }
    }
}
