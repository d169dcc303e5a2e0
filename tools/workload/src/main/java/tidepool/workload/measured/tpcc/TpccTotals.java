package tidepool.workload.measured.tpcc;

import java.util.List;

/** The entries of clients' books, by number. */
final class TpccTotals {
    static final int NEW_ORDERS = 0;
    static final int LINES = 1;
    static final int QUANTITY = 2;
    static final int REMOTE_LINES = 3;
    static final int ROLLED_BACK = 4;
    static final int PAYMENTS = 5;
    static final int PAID = 6;
    static final int DELIVERED = 7;
    static final int NOTHING_TO_DELIVER = 8;
    static final int MISSING = 9;

    static final List<String> NAMES = List.of(
            "new orders",
            "order lines",
            "items ordered",
            "lines from other warehouses",
            "new orders rolled back",
            "payments",
            "cents paid",
            "orders delivered",
            "districts without an order to deliver",
            "rows not found");

    private TpccTotals() {}
}
