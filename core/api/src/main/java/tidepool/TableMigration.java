package tidepool;

import java.util.ArrayList;
import java.util.List;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.schema.SchemaChange;
import tidepool.store.StoreException;
import tidepool.store.StoreException.Reason;
import tidepool.store.TableChange;
import tidepool.store.TableLayout;

/**
 * A change of a table that moves its rows to another layout. {@code docs/decisions/0036-schema-versions.md} has the
 * crash table; every step can be repeated by another process.
 */
final class TableMigration {
    /** The number of rows that one transaction moves, at most. */
    private static final int BATCH = 32;

    private static final int PAGE_ROWS = 256;

    private final Tidepool pool;
    private final String name;
    private long moved;

    TableMigration(Tidepool pool, String name) {
        this.pool = pool;
        this.name = name;
    }

    private TableLayout table() {
        return pool.knownTables().find(name);
    }

    /** Makes a change, and moves the rows; first those of an earlier change. */
    void alter(SchemaChange change, AlterListener progress) {
        finish(progress);
        begin(change);
        finish(progress);
        new IndexBuild(pool, name, progress).finish();
    }

    /** Makes a change. Rows that get another layout are still in the predecessor of the table after that. */
    void begin(SchemaChange change) {
        TableLayout known = table();
        Schema next = change.apply(known.schema());
        if (next.equals(known.schema())) return;
        if (TableChange.keepsBytes(known.schema(), next)) {
            pool.changes().make("altering table " + name, each -> each.alter(known, next));
            return;
        }
        Schema hidden = next.named(name + TableLayout.NEXT);
        TableLayout unused = pool.knownTables().version(hidden.name());
        if (unused != null && !unused.schema().equals(hidden)) dropUnused();
        makeNext(hidden, known.rows());
        pool.changes().make("altering table " + name, each -> each.succeed(known, next));
        if (!table().schema().equals(next))
            throw new StoreException(
                    Reason.BUSY,
                    "table " + name + " was altered by another process: asked=" + next + " stored=" + table().schema());
    }

    /** Makes the table to which rows will move, unless it is there. */
    private void makeNext(Schema hidden, long rows) {
        try {
            pool.sessions().retryAfterFabricFailure(() -> {
                pool.sessions().catalog().clean(); // of rows that were there before the table was emptied
                return pool.sessions().catalog().tableOfAnySize(hidden, rows);
            });
        } catch (StoreException e) {
            if (e.reason() != Reason.MISMATCH) throw e;
            throw new StoreException(Reason.BUSY, "table " + name + " is being altered by another process: try again");
        }
    }

    /** Drops the table that a process has made for a change that has not happened. */
    void dropUnused() {
        TableLayout unused = pool.knownTables().version(name + TableLayout.NEXT);
        if (unused != null) pool.changes().make("dropping table " + unused.name(), each -> each.dropVersion(unused));
    }

    /** Moves all rows that are left in the predecessor of the table, and ends it. */
    void finish(AlterListener progress) {
        TableLayout known = table();
        TableLayout before = known.before();
        if (before == null) return;
        try {
            while (moveAll(known, before, progress)) progress.moved(moved, 0);
        } catch (StoreException e) {
            // Another process may have finished.
            if (e.reason() != Reason.UNKNOWN_TABLE && e.reason() != Reason.MISMATCH || table().before() != null)
                throw e;
            return;
        }
        pool.changes().make("altering table " + name, each -> each.dropVersion(before));
    }

    /** Moves all rows that there are. Returns whether there were any. */
    private boolean moveAll(TableLayout known, TableLayout before, AlterListener progress) {
        RowPages<RowKey> pages = new RowPages<>(pool, before, PAGE_ROWS, null, (_, key, _) -> key.copy()).perPage();
        boolean any = false;
        while (pages.next()) {
            List<RowKey> keys = new ArrayList<>(pages.rows());
            any |= !keys.isEmpty();
            for (int from = 0; from < keys.size(); from += BATCH)
                move(known, keys.subList(from, Math.min(from + BATCH, keys.size())));
            progress.moved(moved, pages.progress());
        }
        return any;
    }

    /** Moves rows in one transaction, or in several if they are too large for one. */
    private void move(TableLayout known, List<RowKey> keys) {
        try {
            pool.transact(tx -> {
                for (RowKey key : keys) tx.attempt().move(known, key);
            });
            moved += keys.size();
        } catch (TransactionTooLargeException e) {
            if (keys.size() == 1) throw e;
            int half = keys.size() / 2;
            move(known, keys.subList(0, half));
            move(known, keys.subList(half, keys.size()));
        }
    }
}
