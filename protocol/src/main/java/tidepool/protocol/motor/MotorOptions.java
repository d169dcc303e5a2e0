package tidepool.protocol.motor;

import java.util.List;
import tidepool.base.Checks;
import tidepool.fabric.FabricUrl;
import tidepool.store.RowFormat;
import tidepool.store.motor.BarSize;
import tidepool.store.motor.TupleLayout;
import tidepool.store.schema.Schema;
import tidepool.store.schema.Updates;

/**
 * What can be chosen about Motor. Coordinators of both isolation levels may share a pool; how many versions a table keeps is
 * decided by whoever makes it.
 *
 * @param isolation what transactions that write promise
 * @param versions cells of each tuple, of tables that are made; 0 for as many as each table needs
 * @param barBytes of each row, of tables that are made; 0 to estimate it
 */
public record MotorOptions(Isolation isolation, int versions, long barBytes) {
    /** What transactions that write promise. */
    public enum Isolation {
        /** What was only read is as it was when the transaction commits. */
        SERIALIZABLE,
        /** All reads are of one snapshot, and who commits a record first wins; write skew is possible. */
        SNAPSHOT
    }

    /** The switches in a pool URL. */
    public static final List<String> NAMES = List.of("isolation", "versions", "bar");

    public static final MotorOptions DEFAULT = new MotorOptions(Isolation.SERIALIZABLE, 0, 0);

    /** Cells of a table of which nobody has said how many it needs. */
    private static final int ASSUMED_VERSIONS = 4;

    public MotorOptions {
        Checks.argument(
                versions == 0 || versions >= TupleLayout.LEAST_VERSIONS && versions <= TupleLayout.MOST_VERSIONS,
                "versions takes " + TupleLayout.LEAST_VERSIONS + " to " + TupleLayout.MOST_VERSIONS + ", not "
                        + versions);
    }

    /** Reads {@code ?isolation=…&versions=…&bar=…}; what is not given has its default. */
    public static MotorOptions of(FabricUrl url) {
        return new MotorOptions(
                url.choice("isolation", DEFAULT.isolation),
                url.integer("versions", DEFAULT.versions, TupleLayout.LEAST_VERSIONS, TupleLayout.MOST_VERSIONS),
                url.size("bar", 0));
    }

    public boolean isSerializable() {
        return isolation == Isolation.SERIALIZABLE;
    }

    public MotorOptions with(Isolation other) {
        return new MotorOptions(other, versions, barBytes);
    }

    public MotorOptions withVersions(int other) {
        return new MotorOptions(isolation, other, barBytes);
    }

    RowFormat format(Schema schema) {
        int cells = cells(schema);
        BarSize bar = barBytes == 0 ? BarSize.of(schema, cells) : BarSize.given(schema, barBytes);
        return TupleLayout.format(schema, cells, bar);
    }

    /** As many as were asked for, or as the table is said to need. A row that only comes and goes has two versions, never more. */
    private int cells(Schema schema) {
        if (versions != 0) return versions;
        if (schema.versions() != 0)
            return Math.clamp(schema.versions(), TupleLayout.LEAST_VERSIONS, TupleLayout.MOST_VERSIONS);
        return schema.updates() == Updates.NEVER ? TupleLayout.LEAST_VERSIONS : ASSUMED_VERSIONS;
    }
}
