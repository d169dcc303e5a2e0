package tidepool.workload.measured.tpcc;

import tidepool.base.Checks;
import tidepool.workload.measured.Scale;

/**
 * The size of a database, and the rules of the specification that its transactions follow.
 *
 * @param warehouses all of which can be home
 * @param customers of a district; also the number of its initial orders
 * @param items also the number of stock rows of each warehouse
 * @param byName percentage of payments and order-statuses that find their customer by the last name
 * @param rollback percentage of new orders that end with an item that does not exist
 * @param orders room for this number of new orders of a run, and for as many payments
 * @param isIndexed whether transactions find rows by ordered indexes, and not by the tables that replace them
 */
record TpccSize(int warehouses, int customers, int items, int byName, int rollback, long orders, boolean isIndexed) {
    static final int MAX_WAREHOUSES = 10_000;
    static final int MAX_CUSTOMERS = 3_000;
    static final int MAX_ITEMS = 100_000;

    /** The number of last orders of a district that stock-level reads: a district begins with at least this number. */
    static final int MIN_CUSTOMERS = 20;

    TpccSize {
        Checks.argument(warehouses >= 1 && warehouses <= MAX_WAREHOUSES, "tpcc has 1 to 10000 warehouses");
        Checks.argument(customers >= MIN_CUSTOMERS && customers <= MAX_CUSTOMERS, "tpcc has 20 to 3000 customers");
        Checks.argument(items >= 1 && items <= MAX_ITEMS, "tpcc has 1 to 100000 items");
        Checks.argument(byName >= 0 && byName <= 100 && rollback >= 0 && rollback <= 100, "these are of a hundred");
        Checks.argument(orders >= 1, "tpcc needs room for orders");
    }

    /** Returns the size for a scale. */
    static TpccSize of(Scale scale, int warehouses, int customers, int items, long orders) {
        return switch (scale) {
            case PAPER -> new TpccSize(warehouses, customers, items, 0, 0, orders, false);
            case SPEC -> new TpccSize(warehouses, customers, items, 60, 1, orders, true);
        };
    }

    /** Returns the number of districts of all warehouses. */
    int districts() {
        return warehouses * WarehouseTables.DISTRICTS;
    }

    /**
     * Returns the number of orders of a district that were delivered before the run: the first 70 of a hundred (clause
     * 4.3.3.1).
     */
    int deliveredFirst() {
        return customers * 7 / 10;
    }

    /** Returns the number of last names that occur: each belongs to one of the first customers. */
    int names() {
        return Math.min(customers, CustomerTables.NAMES);
    }

    /** Returns the payments to a district before the run, in cents: one {@code FIRST_PAYMENT} by each customer. */
    long paidFirst() {
        return (long) customers * CustomerTables.FIRST_PAYMENT;
    }
}
