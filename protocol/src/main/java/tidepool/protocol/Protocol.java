package tidepool.protocol;

import tidepool.fabric.Session;
import tidepool.store.Catalog;
import tidepool.store.Flush;
import tidepool.store.RowFormat;
import tidepool.store.StoreException;
import tidepool.store.schema.Schema;

/** A transaction protocol: who runs transactions, and who repairs what they leave when they die. */
public interface Protocol {
    /** Its name in URLs and on the command line. */
    String name();

    /** Which replicas are persistent before a transaction is reported; the same for everybody who uses a pool. */
    default Flush flush() {
        return Flush.NONE;
    }

    /** Whether its transactions are serializable, in the order in which they happen; otherwise they are isolated by snapshots. */
    default boolean isSerializable() {
        return true;
    }

    /** How the rows of tables that are made through this protocol are laid out. */
    default RowFormat rows(Schema schema) {
        return RowFormat.plain(schema);
    }

    /** A coordinator for one strand or thread of a session. Waits. */
    Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters);

    /** Repairs in the name of a session that lives. Waits. */
    Recovery recovery(Session session, Catalog catalog);

    /**
     * Carries out a change of the memory nodes in the name of a session, with a catalog that was opened for it. Asked only of
     * pools that have a roster.
     */
    default Change change(Session session, Catalog catalog) {
        throw fixedNodes(name());
    }

    /** Fills copies of a partition that do not have everything yet, in the name of a session that lives. Waits. */
    default Refilling refilling(Session session, Catalog catalog, TxnCounter counters) {
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
