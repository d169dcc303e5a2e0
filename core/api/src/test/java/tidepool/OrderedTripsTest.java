package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.schema.Fields;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Ordered;
import tidepool.txn.RangeScan;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/** Round trips of scans and of writes to tables with indexes, as the fabric counts them. */
class OrderedTripsTest {
    @Ordered
    @Index(
            name = "by_owner",
            on = {"owner"})
    record Account(@Key long id, int owner, long balance) {}

    @Ordered
    record Plain(@Key long id, long balance) {}

    record Bare(@Key long id, int owner, long balance) {}

    private static void fill(Tidepool pool) {
        Table<Account> accounts = pool.table("accounts", Account.class, 4000);
        Table<Plain> plain = pool.table("plain", Plain.class, 4000);
        Table<Bare> bare = pool.table("bare", Bare.class, 4000);
        for (int from = 0; from < 1000; from += 50) {
            int first = from;
            pool.transact(tx -> {
                for (int i = first; i < first + 50; i++) {
                    accounts.put(tx, new Account(2 * i, i % 10, i));
                    plain.put(tx, new Plain(2 * i, i));
                    bare.put(tx, new Bare(2 * i, i % 10, i));
                }
            });
        }
    }

    /** Leaves and rows are each read in one round trip, and validated in one more. An insert costs what it costs. */
    @ParameterizedTest
    @CsvSource({
        "ford,                  1, 2, 3, 3, 3, 5, 2, 3",
        "ford&locking=separate, 1, 2, 3, 3, 3, 4, 3, 4",
        "farm,                  1, 2, 3, 5, 5, 6, 5, 6",
        "drtmh,                 1, 2, 3, 3, 3, 4, 3, 4",
        "hdtx,                  1, 2, 3, 3, 3, 5, 2, 3",
        "motor,                 2, 2, 4, 3, 4, 6, 3, 5"
    })
    void tripsAreThoseOfTheTable(
            String protocol,
            long leaf,
            long leaves,
            long rows,
            long bareInsert,
            long insert,
            long split,
            long bareUpdate,
            long update) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=32m&protocol=" + protocol)) {
            fill(pool);
            try (Worker worker = pool.worker()) {
                RangeScan byKey = new RangeScan(pool.table("plain"), "primary");
                RangeScan byOwner = new RangeScan(pool.table("accounts"), "by_owner");
                long one = scan(worker, byKey.keysOnly(), 10);
                long two = scan(worker, new RangeScan(pool.table("plain"), "primary").keysOnly(), 64);
                long row = scan(worker, new RangeScan(pool.table("plain"), "primary"), 64);
                long own = scan(worker, byOwner.reversed(), 20);
                long bare = insert(worker, pool.table("bare"), 777);
                long splitting = insert(worker, pool.table("plain"), 775); // the leaf is full
                long plain = insert(worker, pool.table("plain"), 777);
                assertEquals(
                        List.of(leaf, leaves, rows, rows, bareInsert, insert, split, bareUpdate, update),
                        List.of(
                                one,
                                two,
                                row,
                                own,
                                bare,
                                plain,
                                splitting,
                                update(worker, pool.table("bare")),
                                update(worker, pool.table("accounts"))));
            }
        }
    }

    /**
     * A queue: the first row goes, a new last one comes. The leaves in front become empty one after the other, next to
     * full ones, and have to go all the same: otherwise each search for the first row reads all of them.
     */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "farm", "motor"})
    void theFrontOfAQueueStaysNear(String protocol) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&memory=16m&protocol=" + protocol);
                Worker worker = pool.worker()) {
            TableHandle queue = pool.table("queue", Plain.class, 4000).handle();
            RangeScan first = new RangeScan(queue, "primary").keysOnly().limit(1);
            for (long i = 0; i < 500; i++) insert(worker, queue, i);
            long most = 0;
            for (long i = 0; i < 3000; i++) {
                worker.read(txn -> {
                    first.from(0).begin();
                    return txn.scan(first);
                });
                most = Math.max(most, worker.roundTrips());
                assertEquals(i, first.keyWord(0));
                worker.transact(txn -> {
                    txn.delete(queue, first.keyWord(0));
                    return txn.execute();
                });
                insert(worker, queue, 500 + i);
            }
            assertTrue(most <= 8, "trips: " + most);
        }
    }

    private static long scan(Worker worker, RangeScan scan, int limit) {
        scan.from(scan.index().columns().isEmpty() ? (Object) 500L : (Object) 5);
        for (int i = 0; i < 3; i++) {
            worker.read(txn -> {
                scan.limit(limit).begin();
                while (scan.hasNext()) if (!txn.scan(scan)) return false;
                assertEquals(limit, scan.rows());
                return true;
            });
        }
        return worker.roundTrips();
    }

    private static long insert(Worker worker, TableHandle table, long key) {
        Fields.LongField balance = table.schema().longField("balance");
        worker.transact((Txn txn) -> {
            int access = txn.insert(table, key);
            if (!txn.execute()) return false;
            balance.set(txn.memory(), txn.value(access), 5);
            return true;
        });
        return worker.roundTrips();
    }

    /** Changes a column; the places of both leaves are known. */
    private static long update(Worker worker, TableHandle table) {
        Fields.IntField owner = table.schema().intField("owner");
        for (int i = 0; i < 4; i++) {
            int next = 3 + i % 2;
            worker.transact((Txn txn) -> {
                int access = txn.update(table, 500);
                if (!txn.execute()) return false;
                owner.set(txn.memory(), txn.value(access), next);
                return true;
            });
        }
        return worker.roundTrips();
    }
}
