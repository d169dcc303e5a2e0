package tidepool;

import java.util.ArrayList;
import java.util.List;
import tidepool.schema.IndexSchema;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.store.IndexNodeLayout;
import tidepool.store.TableLayout;

/**
 * The making and the end of indexes of a table that is used. Every step can be repeated by another process.
 *
 * <pre>
 *   building   all sessions that do not know the index are shut out; from here on transactions maintain it, and none
 *              scans it; then each row that is there is entered by a transaction that reads it
 *   ready      transactions scan it
 *   dropping   all sessions that know the index are shut out; none maintains it; then its nodes are deleted
 * </pre>
 */
final class IndexBuild {
    /** The number of rows that one transaction enters, and of nodes that one deletes. */
    private static final int BATCH = 32;

    private static final int PAGE_ROWS = 256;

    private final Tidepool pool;
    private final String name;
    private final AlterListener progress;

    IndexBuild(Tidepool pool, String name, AlterListener progress) {
        this.pool = pool;
        this.name = name;
        this.progress = progress;
    }

    private TableLayout table() {
        return pool.knownTables().find(name);
    }

    /** Builds the indexes that are building, and ends those that are dropping. */
    void finish() {
        for (IndexSchema each : table().schema().indexes()) {
            if (each.state() == IndexSchema.State.BUILDING) build(each);
            if (each.state() == IndexSchema.State.DROPPING) end(each);
        }
    }

    private void build(IndexSchema index) {
        try {
            enterRows(index);
        } catch (DuplicateKeyException e) {
            become(index, index.withState(IndexSchema.State.DROPPING));
            end(index);
            throw new DuplicateKeyException("index " + index.name() + " of table " + name
                    + " was not made, because two rows have the same values: " + e.getMessage());
        }
        become(index, index.withState(IndexSchema.State.READY));
    }

    private void enterRows(IndexSchema index) {
        TableLayout table = table();
        RowPages<RowKey> pages = new RowPages<>(pool, table, PAGE_ROWS, null, (_, key, _) -> key.copy()).perPage();
        while (pages.next()) {
            List<RowKey> keys = pages.rows();
            for (int from = 0; from < keys.size(); from += BATCH) {
                List<RowKey> batch = keys.subList(from, Math.min(from + BATCH, keys.size()));
                pool.transact(tx -> {
                    if (!tx.attempt().enter(table, index, batch)) throw ConflictSignal.SIGNAL;
                });
            }
            progress.entered(index.name(), pages.rowsRead(), pages.progress());
        }
    }

    /** Deletes the nodes of an index that no transaction uses any more, then the index. */
    private void end(IndexSchema index) {
        TableLayout nodes = pool.knownTables().indexNodes(table());
        RowPages<RowKey> pages = new RowPages<>(pool, nodes, PAGE_ROWS, null, (_, key, _) -> key.copy()).perPage();
        List<RowKey> batch = new ArrayList<>();
        while (pages.next()) {
            for (RowKey key : pages.rows()) {
                if (IndexNodeLayout.indexOf(key.word()) != index.number()) continue;
                batch.add(key);
                if (batch.size() == BATCH) delete(nodes, batch);
            }
        }
        delete(nodes, batch);
        become(index, null);
    }

    private void delete(TableLayout nodes, List<RowKey> batch) {
        pool.transact(tx -> {
            for (RowKey key : batch) tx.attempt().delete(nodes, key.word());
        });
        batch.clear();
    }

    /** Gives an index another state, or ends it. Does nothing if another process has done so. */
    private void become(IndexSchema index, IndexSchema next) {
        TableLayout known = table();
        List<IndexSchema> all = new ArrayList<>();
        for (IndexSchema each : known.schema().indexes()) {
            if (each.number() != index.number() || !each.name().equals(index.name())) all.add(each);
            else if (next != null) all.add(next);
        }
        Schema schema = known.schema().withIndexes(all);
        if (schema.equals(known.schema())) return;
        pool.changes().make("altering table " + name, each -> each.alter(known, schema));
    }
}
