package tidepool.workload.measured.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Worker;
import tidepool.schema.IndexKeys;
import tidepool.schema.Schema;
import tidepool.store.IndexNodeLayout;
import tidepool.store.StoreException;

/** All five transactions leave a consistent database, whatever conflicts they meet. */
@Timeout(300)
class TpccTest {
    private static final TpccSize BY_TABLES = new TpccSize(2, 30, 200, 60, 1, 5_000, false);

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "ford-lv&vcache=global", "farm", "drtmh", "hdtx", "farmv2", "motor"})
    void threadsLeaveAllInOrder(String protocol) throws InterruptedException {
        try (TpccPool tpcc = new TpccPool(TpccPool.SMALL, protocol)) {
            long[] book = tpcc.runThreads(3, 11, 2_000);

            assertEquals(List.of(), tpcc.check(book));
            for (int entry : new int[] {
                TpccTotals.NEW_ORDERS, TpccTotals.REMOTE_LINES, TpccTotals.ROLLED_BACK, TpccTotals.DELIVERED
            }) assertTrue(book[entry] > 0, TpccTotals.NAMES.get(entry) + " in " + Arrays.toString(book));
            assertEquals(0, book[TpccTotals.MISSING]);
        }
    }

    /** With one warehouse there is no other, and with a low number of orders some districts have nothing to deliver. */
    @Test
    void oneWarehouseIsEnough() {
        try (TpccPool tpcc = new TpccPool(new TpccSize(1, 20, 100, 0, 0, 5_000, true), "ford")) {
            TpccClient client = tpcc.client(0, 1);
            try (Worker worker = tpcc.pool.worker()) {
                for (int i = 0; i < 10; i++) {
                    client.draw(TpccClient.DELIVERY);
                    assertTrue(TpccPool.finish(worker, client));
                }
            }
            long[] first = client.book().clone();
            assertEquals(6 * 10, first[TpccTotals.DELIVERED]); // 30 of a hundred of the first 20 orders wait
            assertEquals(4 * 10, first[TpccTotals.NOTHING_TO_DELIVER]);
            assertEquals(List.of(), tpcc.check(first));

            long[] second = tpcc.run(1, 2, 1_000).book();
            assertEquals(0, second[TpccTotals.REMOTE_LINES] + second[TpccTotals.ROLLED_BACK]);
            for (int i = 0; i < first.length; i++) first[i] += second[i];
            assertEquals(List.of(), tpcc.check(first));
        }
    }

    /** Several runs on one pool: no payment takes the place of one of an earlier run. */
    @Test
    void runsFollowEachOther() {
        try (TpccPool tpcc = new TpccPool()) {
            long[] book = new long[TpccTotals.NAMES.size()];
            for (int run = 0; run < 4; run++) {
                long[] more = tpcc.run(0, run, 300).book();
                for (int i = 0; i < book.length; i++) book[i] += more[i];

                assertEquals(List.of(), tpcc.check(book));
            }
        }
    }

    /** Each number in the books is compared with the tables. */
    @Test
    void wrongBooksAreNoticed() {
        try (TpccPool tpcc = new TpccPool()) {
            long[] book = tpcc.run(0, 5, 300).book().clone();
            for (int entry = 0; entry < book.length; entry++) {
                // These two leave no rows to compare with.
                if (entry == TpccTotals.ROLLED_BACK || entry == TpccTotals.NOTHING_TO_DELIVER) continue;
                book[entry]++;
                List<String> found = tpcc.check(book);
                assertFalse(found.isEmpty(), TpccTotals.NAMES.get(entry));
                for (String sentence : found) assertTrue(sentence.startsWith("book: "), sentence);
                book[entry]--;
            }
        }
    }

    /** Tables that stand for indexes serve the papers' scale, and these rules as well. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "motor"})
    void tablesStandForIndexes(String protocol) throws InterruptedException {
        try (TpccPool tpcc = new TpccPool(BY_TABLES, protocol)) {
            long[] book = tpcc.runThreads(2, 11, 1_000);

            assertEquals(List.of(), tpcc.check(book));
            assertTrue(book[TpccTotals.DELIVERED] > 0, Arrays.toString(book));
        }
    }

    /** Tables that stand for indexes are checked as well. */
    @Test
    void tableThatLeadsAstrayIsNoticed() {
        try (TpccPool tpcc = new TpccPool(BY_TABLES, "ford")) {
            tpcc.change(
                    TpccTables.LAST_ORDER,
                    CustomerTables.customer(1, 1, 1),
                    (memory, row) ->
                            CustomerTables.LO_O_ID.set(memory, row, CustomerTables.LO_O_ID.get(memory, row) + 1));
            List<String> found = tpcc.check(new long[TpccTotals.NAMES.size()]);
            assertEquals(1, found.size());
            assertTrue(found.getFirst().startsWith("index: last order of customer 1"), found.getFirst());
        }
    }

    /** An entry that is not the one of its row is found. */
    @Test
    void entryOfAnotherNameIsNoticed() {
        try (TpccPool tpcc = new TpccPool()) {
            int width = IndexKeys.of(CustomerTables.INDEXED_CUSTOMER, CustomerTables.INDEXED_CUSTOMER.index("by_name"))
                    .width();
            tpcc.changeLeaf(TpccTables.CUSTOMER, width, (memory, leaf) -> {
                long first = IndexNodeLayout.key(leaf, 0, width, 0) + Short.BYTES + 1 + CustomerTables.NAME_BYTES;
                memory.set(ValueLayout.JAVA_BYTE, first, (byte) '.');
            });
            List<String> found = tpcc.check(new long[TpccTotals.NAMES.size()]);
            assertEquals(1, found.size(), found.toString());
            assertTrue(
                    found.getFirst().startsWith("index by_name of table customer has another entry than that of row"),
                    found.getFirst());
        }
    }

    /** Entries that are missing are found: the numbers differ. */
    @Test
    void missingEntryIsNoticed() {
        try (TpccPool tpcc = new TpccPool()) {
            tpcc.changeLeaf(
                    TpccTables.NEW_ORDER, 8, (memory, leaf) -> IndexNodeLayout.remove(memory, leaf, 0, Long.BYTES));
            assertEquals(
                    List.of("index primary of table new_order has 179 entries, and the table has 180 rows"),
                    tpcc.check(new long[TpccTotals.NAMES.size()]));
        }
    }

    /** An entry whose row is gone is found. */
    @Test
    void entryWithoutItsRowIsNoticed() {
        try (TpccPool tpcc = new TpccPool()) {
            tpcc.changeLeaf(TpccTables.NEW_ORDER, 8, (memory, leaf) -> {
                long key = IndexNodeLayout.key(leaf, 0, Long.BYTES, 0);
                memory.set(ValueLayout.JAVA_BYTE, key + 7, (byte) 1); // the first order was delivered long ago
            });
            List<String> found = tpcc.check(new long[TpccTotals.NAMES.size()]);
            assertEquals(1, found.size(), found.toString());
            assertTrue(found.getFirst().contains("has an entry without its row: key="), found.getFirst());
        }
    }

    /** Each client looks up what a program that reads all rows would find. */
    @Test
    void indexesFindWhatTheSpecificationAsksFor() {
        try (TpccPool tpcc = new TpccPool()) {
            tpcc.run(0, 5, 500);
            TpccIndexes indexes = tpcc.client(1, 1).indexes;
            for (int name = 0; name < tpcc.size.names(); name++) {
                int wanted = name;
                tpcc.transact(txn -> indexes.findCustomers(txn, 2, 3, wanted));
                assertEquals(middleOf(tpcc, Texts.lastName(name)), indexes.middleCustomer(), Texts.lastName(name));
            }
            for (int customer = 1; customer <= tpcc.size.customers(); customer++) {
                int wanted = customer;
                int[] newest = new int[1];
                for (int order = 1; order <= 600; order++) {
                    int number = order;
                    tpcc.transact(txn -> {
                        int access = txn.read(tpcc.tables.get(TpccTables.ORDER), OrderTables.order(2, 3, number));
                        if (!txn.execute()) return false;
                        boolean isOwn =
                                txn.found(access) && OrderTables.O_C_ID.get(txn.memory(), txn.value(access)) == wanted;
                        if (isOwn) newest[0] = number;
                        return true;
                    });
                }
                tpcc.transact(txn -> indexes.findNewestOrder(txn, 2, 3, wanted));
                assertEquals(newest[0], indexes.newestOrder(), "customer " + customer);
            }
        }
    }

    private static int middleOf(TpccPool tpcc, String last) {
        TreeMap<String, Integer> named = new TreeMap<>();
        for (int customer = 1; customer <= tpcc.size.customers(); customer++) {
            int number = customer;
            tpcc.look(TpccTables.CUSTOMER, CustomerTables.customer(2, 3, customer), (memory, row) -> {
                Schema schema = CustomerTables.INDEXED_CUSTOMER;
                if (schema.stringField("last").get(memory, row).equals(last))
                    named.put(schema.stringField("first").get(memory, row), number);
            });
        }
        return List.copyOf(named.values()).get((named.size() + 1) / 2 - 1);
    }

    /** The failure that the specification wants is none of the engine's, and changes nothing. */
    @Test
    void unusedItemRollsBack() {
        try (TpccPool tpcc = new TpccPool(new TpccSize(2, 30, 200, 60, 100, 1_000, true), "ford");
                Worker worker = tpcc.pool.worker()) {
            TpccClient client = tpcc.client(0, 3);
            for (int i = 0; i < 50; i++) {
                client.draw(TpccClient.NEW_ORDER);
                assertFalse(TpccPool.finish(worker, client));
                assertTrue(client.missed());
                assertEquals(1, worker.attempts());
            }
            assertEquals(50, client.book()[TpccTotals.ROLLED_BACK]);
            assertEquals(List.of(), tpcc.check(client.book()));
        }
    }

    /** Tables grow until the memory of the pool ends. A sentence names the table, and nothing is left half-done. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void tablesGrowUntilMemoryEnds(String protocol) {
        TpccSize size = new TpccSize(1, 20, 100, 0, 0, 1, true);
        try (TpccPool tpcc = new TpccPool(size, protocol, "nodes=3&replicas=2&memory=4m");
                Worker worker = tpcc.pool.worker()) {
            TpccClient client = tpcc.client(0, 3);
            StoreException full = assertThrows(StoreException.class, () -> {
                for (int i = 0; i < 200_000; i++) {
                    client.draw();
                    TpccPool.finish(worker, client);
                }
            });
            assertEquals(StoreException.Reason.FULL, full.reason());
            assertTrue(full.getMessage().matches("table \\w+ is full: .* it cannot grow: .*"), full.getMessage());
            assertTrue(client.book()[TpccTotals.NEW_ORDERS] >= 1);
            assertEquals(List.of(), tpcc.check(client.book()));
        }
    }
}
