package tidepool.store;

import tidepool.schema.Schema;

/**
 * The nodes of the indexes of a table: rows of one hidden table, which all of its indexes share.
 *
 * <pre>
 *    key:    | number of the index, 8 bits | number of the node, 56 bits: 0 is the root |
 *    value:  976 bytes, {@link IndexNodeLayout}: with its header and checksum a node is 1024 bytes
 * </pre>
 *
 * So locks, logs, versions, recovery, copies, fills and backups hold for nodes as for all rows. Versions of a table
 * share its nodes, as they share the parts of long contents ({@link ContentParts}).
 */
public final class IndexNodes {
    private static final String SUFFIX = ".index";

    /** The rows of a table for each node for which there is room at the beginning. */
    private static final long ROWS_PER_NODE = 16;

    private static final long MIN_NODES = 16;
    private static final long MAX_NODES = 1_000;

    private IndexNodes() {}

    /** Returns the name of the table of nodes of a table with this schema, or of a version of it. */
    public static String nameOf(Schema schema) {
        return ContentParts.owner(schema) + SUFFIX;
    }

    static boolean isOfNodes(Schema schema) {
        return schema.name().endsWith(SUFFIX);
    }

    /** Returns the schema of the table of nodes. */
    static Schema tableOf(Schema schema) {
        return Schema.parse(nameOf(schema) + "(node:bytes[" + IndexNodeLayout.BYTES + "])");
    }

    /** Returns the rows for which a table of nodes is made; it grows as any other table. */
    static long rows(long rowsOfTable) {
        return Math.clamp(rowsOfTable / ROWS_PER_NODE, MIN_NODES, MAX_NODES);
    }
}
