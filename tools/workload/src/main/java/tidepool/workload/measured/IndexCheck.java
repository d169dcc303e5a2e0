package tidepool.workload.measured;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.schema.IndexKeys;
import tidepool.schema.IndexSchema;
import tidepool.schema.RowKey;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.RangeScan;
import tidepool.txn.Txn;

/**
 * A comparison of indexes with rows by transactions, when no client works. Each index is scanned once with its rows:
 * entries ascend, each is what its row makes of its columns, and there are as many as the table has rows.
 */
final class IndexCheck {
    private static final int PAGE = 256;
    private static final int MAX_TOLD = 10;

    private final Tidepool pool;
    private final List<String> problems = new ArrayList<>();

    private IndexCheck(Tidepool pool) {
        this.pool = pool;
    }

    /** Checks all indexes of the tables and waits for all reads. Returns the findings, a sentence each. */
    static List<String> of(Tidepool pool, List<TableLayout> tables) {
        IndexCheck check = new IndexCheck(pool);
        for (TableLayout table : tables) for (IndexSchema index : table.schema().indexes()) check.check(table, index);
        return check.problems;
    }

    private void check(TableLayout table, IndexSchema index) {
        String where = "index " + index.name() + " of table " + table.name();
        Walk walk = new Walk(table, index, where);
        try (Worker worker = pool.worker()) {
            do worker.read(walk);
            while (walk.goOn());
        } catch (StoreException e) {
            problems.add(where + ": " + e.getMessage());
            return;
        }
        long rows = pool.size(table.name()).rows();
        if (walk.entries != rows)
            problems.add(where + " has " + walk.entries + " entries, and the table has " + rows + " rows");
    }

    /** Reads a page of an index in each transaction. */
    private final class Walk implements Worker.Work {
        private final String where;
        private final IndexKeys keys;
        private final RangeScan scan;
        private final RowKey key;
        private final byte[] last; // the greatest entry of all pages until now
        private final byte[] made;
        private byte[] next; // the greatest entry of the page that was read
        private long entries;
        private long found;
        private boolean isEnd;
        private List<String> wrong = new ArrayList<>();

        Walk(TableLayout table, IndexSchema index, String where) {
            this.where = where;
            this.keys = IndexKeys.of(table.schema(), index);
            this.scan = new RangeScan(table, index.name()).limit(PAGE);
            this.key = table.schema().key().newKey();
            this.last = new byte[keys.width()];
            this.made = new byte[keys.width()];
        }

        @Override
        public boolean run(Txn txn) {
            wrong = new ArrayList<>();
            found = 0;
            isEnd = true;
            next = last.clone();
            System.arraycopy(last, 0, scan.low(), 0, last.length);
            scan.begin();
            while (scan.hasNext()) {
                if (!txn.scan(scan)) return false;
                for (int i = 0; i < scan.rows(); i++) look(txn, i);
            }
            return true;
        }

        private void look(Txn txn, int i) {
            byte[] entry = Arrays.copyOfRange(scan.entries(), i * keys.width(), (i + 1) * keys.width());
            int order = Arrays.compareUnsigned(entry, next);
            boolean isAgain = entries > 0 && found == 0 && order == 0; // a page begins with the last entry
            if (isAgain) return;
            if (order < 0) wrong.add(where + " is not sorted at the entry of row " + scan.key(i, key));
            keys.encode(txn.memory(), txn.value(scan.access(i)), scan.key(i, key), made, 0);
            if (!Arrays.equals(entry, made)) wrong.add(where + " has another entry than that of row " + key);
            next = entry;
            found++;
            isEnd = false;
        }

        /** Takes the page that was read. Returns whether there is another one. */
        boolean goOn() {
            for (String each : wrong) if (problems.size() < MAX_TOLD) problems.add(each);
            entries += found;
            System.arraycopy(next, 0, last, 0, last.length);
            return !isEnd;
        }
    }
}
