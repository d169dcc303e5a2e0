package tidepool.protocol.motor;

import java.util.List;
import tidepool.base.Checks;
import tidepool.fabric.FabricUrl;
import tidepool.schema.Schema;
import tidepool.schema.UpdateProfile;
import tidepool.store.RowFormat;
import tidepool.store.motor.BarSize;
import tidepool.store.motor.TupleLayout;

/**
 * The switches of Motor. Coordinators of both isolation levels may share a pool. The session that makes a table decides
 * how many versions it keeps.
 *
 * @param isolation the guarantee of transactions that write
 * @param versions cells of each tuple, of tables that are made; 0 for as many as each table needs
 * @param barBytes bytes of the bar of each row, of tables that are made; 0 to estimate them
 */
public record MotorOptions(Isolation isolation, int versions, long barBytes) {
    /** The guarantee of transactions that write. */
    public enum Isolation {
        /** Records that were only read are unchanged when the transaction commits. */
        SERIALIZABLE,
        /** All reads are of one snapshot, and the first committer of a record wins. Write skew is possible. */
        SNAPSHOT
    }

    /** Names of the switches in a pool URL. */
    public static final List<String> NAMES = List.of("isolation", "versions", "bar");

    public static final MotorOptions DEFAULT = new MotorOptions(Isolation.SERIALIZABLE, 0, 0);

    /** Cells of a table for which no number was declared. */
    private static final int ASSUMED_VERSIONS = 4;

    public MotorOptions {
        Checks.argument(
                versions == 0 || versions >= TupleLayout.MIN_VERSIONS && versions <= TupleLayout.MAX_VERSIONS,
                "versions takes " + TupleLayout.MIN_VERSIONS + " to " + TupleLayout.MAX_VERSIONS + ", not " + versions);
    }

    /** Reads {@code ?isolation=…&versions=…&bar=…}. A switch that is not given has its default. */
    public static MotorOptions of(FabricUrl url) {
        return new MotorOptions(
                url.choice("isolation", DEFAULT.isolation),
                url.integer("versions", DEFAULT.versions, TupleLayout.MIN_VERSIONS, TupleLayout.MAX_VERSIONS),
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

    /**
     * Returns the cells as given by the switch, or as declared for the table. A row that is only inserted and deleted
     * has two versions, never more.
     */
    private int cells(Schema schema) {
        if (versions != 0) return versions;
        if (schema.versions() != 0)
            return Math.clamp(schema.versions(), TupleLayout.MIN_VERSIONS, TupleLayout.MAX_VERSIONS);
        return schema.updates() == UpdateProfile.NEVER ? TupleLayout.MIN_VERSIONS : ASSUMED_VERSIONS;
    }
}
