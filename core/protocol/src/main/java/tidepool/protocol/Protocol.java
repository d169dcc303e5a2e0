package tidepool.protocol;

import java.util.List;
import tidepool.fabric.Session;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.FlushPolicy;
import tidepool.store.RowFormat;
import tidepool.store.StoreException;

/**
 * A transaction protocol: makes the coordinators that run transactions and the recoverers that repair dead sessions.
 */
public interface Protocol {
    /** Returns its name in URLs and on the command line. */
    String name();

    /**
     * Returns which replicas are persistent before a transaction is reported. All sessions of a pool use one policy.
     */
    default FlushPolicy flush() {
        return FlushPolicy.NONE;
    }

    /** Returns what its transactions promise to each other. */
    default Promise promise() {
        return Promise.STRICT;
    }

    /** Returns the layout of rows in tables that are created through this protocol. */
    default RowFormat rows(Schema schema) {
        return RowFormat.plain(schema);
    }

    /**
     * Returns a guarantee that a reader might expect and the protocol does not give. Null if it is as safe as its page
     * says.
     */
    default String caveat() {
        return null;
    }

    /**
     * Returns the steps of a transaction that commits, in their order. They are the words of the protocol's table, and
     * methods of its transaction. Empty if the protocol has no such table.
     */
    default List<Step> steps() {
        return List.of();
    }

    /** Makes a coordinator for one strand or thread of a session. Waits for the memory nodes. */
    Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters);

    /** Makes a recoverer that works in the name of a live session. Waits for the memory nodes. */
    Recovery recovery(Session session, Catalog catalog);

    /**
     * Makes the change of the memory nodes, in the name of a session, with a catalog that was opened for the change.
     * Called only for pools that have a roster.
     */
    default Reconfiguration change(Session session, Catalog catalog) {
        throw fixedNodes(name());
    }

    /**
     * Makes a filler for incomplete copies of partitions, in the name of a live session. Waits for the memory nodes.
     */
    default ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
        throw fixedNodes(name());
    }

    private static StoreException fixedNodes(String protocol) {
        return new StoreException(
                StoreException.Reason.UNAVAILABLE,
                "protocol " + protocol
                        + " does not say how its memory nodes change: its pools are listed in URLs, not in"
                        + " ZooKeeper");
    }
}
