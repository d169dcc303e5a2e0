package tidepool.store.motor;

import java.util.List;
import java.util.Locale;
import tidepool.store.schema.Schema;

/**
 * How large the attribute bars of a table are made (§4.2): as much as the versions that a tuple keeps usually need, by how
 * many bytes transactions change and how often. A bar holds at least one delta of a whole value, because a version that is
 * being written is undone from its delta.
 */
public final class BarSize {
    /**
     * An update that was declared or sampled.
     *
     * @param bytes of attributes that it changes
     * @param frequency its part of all updates of the table, from 0 to 1
     */
    public record Update(long bytes, double frequency) {}

    private BarSize() {}

    /** The paper's sum over all kinds of updates: max(versions × frequency, 1) deltas of each. */
    public static long of(Schema schema, int versions, List<Update> updates) {
        long sum = 0;
        for (Update u : updates)
            sum += Math.max(StrictMath.round(versions * u.frequency()), 1) * DeltaLayout.bytes(u.bytes());
        return Math.max(sum, DeltaLayout.bytes(schema.length()));
    }

    /** When nothing is known: one update of the whole value, the others of a quarter of it. */
    public static long of(Schema schema, int versions) {
        long quarter = (schema.length() + 3L) / 4;
        return DeltaLayout.bytes(schema.length()) + (versions - 1) * DeltaLayout.bytes(quarter);
    }

    /** What was chosen, for a person. */
    public static String report(Schema schema, int versions, long barBytes) {
        long row = versions * TupleLayout.CELL_BYTES + PackageLayout.bytes(schema.length()) + barBytes;
        return String.format(
                Locale.ROOT,
                "table %s: %d versions, bar %d bytes for values of %d, %d bytes a row (%.1f times the value)",
                schema.name(),
                versions,
                barBytes,
                schema.length(),
                row,
                row / (double) schema.length());
    }
}
