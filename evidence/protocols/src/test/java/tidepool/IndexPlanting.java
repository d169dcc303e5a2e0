package tidepool;

import java.util.List;
import java.util.function.Function;
import tidepool.protocol.ordered.IndexedTxn;
import tidepool.protocol.ordered.OrderedIndexes;
import tidepool.schema.RowKey;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/** The members of a pool by which tests of other packages plant bugs in its indexes, or use an index by itself. */
public final class IndexPlanting {
    private IndexPlanting() {}

    /** Replaces the layer that maintains indexes. */
    public static void plant(Tidepool pool, Function<OrderedIndexes, IndexedTxn> other) {
        pool.indexedTxns(other);
    }

    /** Enters the row of a key into an index in a transaction of its own, as the building of an index does. */
    public static void enter(Tidepool pool, TableHandle table, String index, RowKey key) {
        TableLayout layout = PoolAccess.layout(table);
        pool.transact(tx -> {
            if (!tx.attempt().enter(layout, layout.schema().index(index), List.of(key))) throw ConflictSignal.SIGNAL;
        });
    }

    /** Returns the attempt of a transaction: with the nodes of an index, it needs no layer that maintains indexes. */
    public static Txn attempt(Transaction transaction) {
        return transaction.attempt();
    }

    /** Returns the table that has the nodes of the indexes of a table. */
    public static TableLayout nodes(Tidepool pool, TableHandle table) {
        return pool.knownTables().indexNodes(PoolAccess.layout(table));
    }

    /** Returns the generation of tables that a process knows. */
    public static int generation(Tidepool pool) {
        return pool.knownTables().generation();
    }
}
