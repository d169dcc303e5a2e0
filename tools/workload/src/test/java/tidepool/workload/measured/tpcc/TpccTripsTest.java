package tidepool.workload.measured.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.TransactionTooLargeException;
import tidepool.Worker;

/**
 * The trips of each transaction to the pool, and that the largest of them fit; docs/benchmarks/workloads/tpcc.md has
 * these numbers.
 */
@Timeout(300)
class TpccTripsTest {
    private static final TpccSize BY_NUMBER = new TpccSize(2, 30, 200, 0, 0, 5_000, false);
    private static final TpccSize BY_NAME = new TpccSize(2, 30, 200, 100, 0, 5_000, false);
    private static final TpccSize INDEXED_BY_NUMBER = new TpccSize(2, 30, 200, 0, 0, 5_000, true);
    private static final TpccSize INDEXED_BY_NAME = new TpccSize(2, 30, 200, 100, 0, 5_000, true);

    /** Executes, and pages of scans. */
    @Test
    void executesAreFew() {
        assertEquals(List.of(2, 1, 2, 3, 4), executes(BY_NUMBER));
        assertEquals(List.of(2, 2, 3, 3, 4), executes(BY_NAME));
        assertEquals(List.of(2, 1, 2, 12, 3), executes(INDEXED_BY_NUMBER));
        assertEquals(List.of(2, 2, 3, 12, 3), executes(INDEXED_BY_NAME));
    }

    private static List<Integer> executes(TpccSize size) {
        CountedTxn counted = new CountedTxn();
        try (TpccPool tpcc = new TpccPool(size, "ford");
                Worker worker = tpcc.pool.worker()) {
            TpccClient client = tpcc.client(0, 1);
            return tpcc.workload.types().stream()
                    .map(tpcc.workload.types()::indexOf)
                    .map(type -> {
                        client.draw(type);
                        assertTrue(worker.transact(txn -> client.run(counted.of(txn))));
                        client.committed();
                        return counted.executes;
                    })
                    .toList();
        }
    }

    /**
     * FORD without conflicts, and with the addresses of all existing rows known. An execute is one trip, and another if
     * it inserts. Validation is one, if a row is only read. A commit is one, if a row is written.
     */
    @Test
    void tripsAreFew() {
        assertEquals(List.of(1 + 2 + 1 + 1, 2 + 1, 2 + 1, 3 + 1, 4 + 1), trips(BY_NUMBER));
        assertEquals(List.of(1 + 2 + 1 + 1, 1 + 2 + 1 + 1, 3 + 1, 3 + 1, 4 + 1), trips(BY_NAME));
    }

    /**
     * With indexes. A new order also locks the leaf of its customer, and an order-status reads a leaf and then the row.
     * A stock-level reads leaves and then lines. A delivery reads a leaf for each district, or less where two of them
     * have one.
     */
    @Test
    void tripsByIndexesAreFew() {
        assertEquals(
                List.of(1 + 2 + 1 + 1 + 1, 2 + 1, 2 + 1 + 1, 1 + 2 + 1 + 1, 1 + 2 + 1 + 1), trips(INDEXED_BY_NUMBER));
        assertEquals(
                List.of(1 + 2 + 1 + 1 + 1, 1 + 2 + 1 + 1, 1 + 2 + 1 + 1, 1 + 2 + 1 + 1, 1 + 2 + 1 + 1),
                trips(INDEXED_BY_NAME));
    }

    private static List<Integer> trips(TpccSize size) {
        try (TpccPool tpcc = new TpccPool(size, "ford");
                Worker worker = tpcc.pool.worker()) {
            TpccClient client = tpcc.client(0, 1);
            int[] fewest = new int[5];
            for (int i = 0; i < 4_000; i++) {
                int type = client.draw();
                assertTrue(TpccPool.finish(worker, client));
                int trips = (int) worker.roundTrips();
                if (fewest[type] == 0 || trips < fewest[type]) fewest[type] = trips;
            }
            return Arrays.stream(fewest).boxed().toList();
        }
    }

    /** All orders have 15 lines, no item twice, and everything lies on one node. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv&vcache=global", "farm", "drtmh"})
    void largestTransactionsFit(String protocol) {
        try (TpccPool tpcc = longOrders(protocol, "26k", false)) {
            assertEquals(621, accesses(tpcc, TpccClient.STOCK_LEVEL)); // 1 + 20 + 300 + 300
            assertEquals(190, accesses(tpcc, TpccClient.DELIVERY)); // 10 × (1 + 2 + 1 + 15)
        }
        try (TpccPool tpcc = longOrders(protocol, "40k", true)) {
            assertEquals(605, accesses(tpcc, TpccClient.STOCK_LEVEL)); // 1 + 4 leaves + 300 + 300
            assertEquals(182, accesses(tpcc, TpccClient.DELIVERY)); // 10 × (2 + 1 + 15) + 2 leaves
        }
    }

    /** 200 objects with the heads of ten buckets; the log of a new pool has 64k. */
    @Test
    void logOfDeliveryTakes25Kilobytes() {
        try (TpccPool tpcc = longOrders("ford", "24k", false)) {
            assertThrows(TransactionTooLargeException.class, () -> accesses(tpcc, TpccClient.DELIVERY));
        }
    }

    private static int accesses(TpccPool tpcc, int type) {
        CountedTxn counted = new CountedTxn();
        TpccClient client = tpcc.client(0, 1);
        client.draw(type);
        try (Worker worker = tpcc.pool.worker()) {
            assertTrue(worker.transact(txn -> client.run(counted.of(txn))));
        }
        client.committed();
        assertEquals(List.of(), tpcc.check(client.book()));
        return counted.accesses;
    }

    private static TpccPool longOrders(String protocol, String log, boolean isIndexed) {
        TpccSize size = new TpccSize(1, 20, 300, 0, 0, 1_000, isIndexed);
        TpccPool tpcc = new TpccPool(size, protocol, "nodes=1&replicas=1&memory=16m&logheap=0&log=" + log);
        for (int district = 1; district <= WarehouseTables.DISTRICTS; district++)
            for (int order = 1; order <= size.customers(); order++) lengthen(tpcc, district, order);
        return tpcc;
    }

    private static void lengthen(TpccPool tpcc, int district, int order) {
        int[] customer = new int[1];
        int[] lines = new int[1];
        tpcc.change(TpccTables.ORDER, OrderTables.order(1, district, order), (memory, row) -> {
            customer[0] = OrderTables.O_C_ID.get(memory, row);
            lines[0] = OrderTables.O_OL_CNT.get(memory, row);
            OrderTables.O_OL_CNT.set(memory, row, (byte) OrderTables.MAX_LINES);
        });
        if (!tpcc.size.isIndexed())
            tpcc.change(
                    TpccTables.LAST_ORDER,
                    CustomerTables.customer(1, district, customer[0]),
                    (memory, row) -> CustomerTables.LO_OL_CNT.set(memory, row, OrderTables.MAX_LINES));
        for (int line = 1; line <= OrderTables.MAX_LINES; line++) {
            int item = (order - 1) * OrderTables.MAX_LINES + line;
            TpccPool.Change change = (memory, row) -> {
                OrderTables.OL_I_ID.set(memory, row, item);
                if (order <= tpcc.size.deliveredFirst()) OrderTables.OL_DELIVERY_D.set(memory, row, 1);
            };
            long key = OrderTables.line(1, district, order, line);
            if (line <= lines[0]) tpcc.change(TpccTables.ORDER_LINE, key, change);
            else tpcc.insert(TpccTables.ORDER_LINE, key, change);
        }
    }
}
