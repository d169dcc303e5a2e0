package tidepool.store;

import java.util.Locale;
import tidepool.schema.Schema;
import tidepool.store.farmv2.ChainLayout;
import tidepool.store.motor.BarSize;
import tidepool.store.motor.TupleLayout;

/**
 * A description for people of how rows of a table lie in memory: versions, the blocks outside the slots, and why they
 * have their size.
 */
public final class RowReport {
    private RowReport() {}

    /** Describes a table of a pool, in one sentence. */
    public static String of(TableLayout table) {
        return of(table.schema(), table.format(), table.slotBytes());
    }

    /** Describes a table that may be made. */
    public static String of(Schema schema, RowFormat format) {
        return of(schema, format, ObjectLayout.bytes(format.contentBytes()));
    }

    private static String of(Schema schema, RowFormat format, long slotBytes) {
        String kept =
                switch (format.kind()) {
                    case RowFormat.PLAIN -> "one version, in its slot";
                    case TupleLayout.KIND -> format.versions() + " versions, bar " + BarSize.describe(schema, format);
                    case ChainLayout.KIND ->
                        format.versions() + " versions, the older ones in blocks of "
                                + ChainLayout.blockBytes(schema.length()) + " bytes";
                    default -> format.versions() + " versions as " + format.kind();
                };
        long row = slotBytes + format.sideStride();
        return String.format(
                Locale.ROOT,
                "table %s: %s; %d bytes a row, %.1f times its value",
                schema.name(),
                kept,
                row,
                row / (double) schema.length());
    }
}
