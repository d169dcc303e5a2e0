package tidepool.workload.measured.tpcc;

import tidepool.base.Checks;
import tidepool.workload.measured.Scale;

/**
 * How large a database is, and which rules of the specification its transactions follow.
 *
 * @param warehouses all of which can be home
 * @param customers of a district; as many orders are there at the beginning
 * @param items as many rows of stock has each warehouse
 * @param byName of a hundred payments and order-statuses, how many find their customer by the last name
 * @param rollback of a hundred new orders, how many end with an item that does not exist
 * @param orders room for so many new orders of a run, and for as many payments
 */
record TpccSize(int warehouses, int customers, int items, int byName, int rollback, long orders) {
    static final int MOST_WAREHOUSES = 10_000;
    static final int MOST_CUSTOMERS = 3_000;
    static final int MOST_ITEMS = 100_000;

    /** Last orders of a district that stock-level looks at: a district begins with as many. */
    static final int LEAST_CUSTOMERS = 20;

    TpccSize {
        Checks.argument(warehouses >= 1 && warehouses <= MOST_WAREHOUSES, "tpcc has 1 to 10000 warehouses");
        Checks.argument(customers >= LEAST_CUSTOMERS && customers <= MOST_CUSTOMERS, "tpcc has 20 to 3000 customers");
        Checks.argument(items >= 1 && items <= MOST_ITEMS, "tpcc has 1 to 100000 items");
        Checks.argument(byName >= 0 && byName <= 100 && rollback >= 0 && rollback <= 100, "these are of a hundred");
        Checks.argument(orders >= 1, "tpcc needs room for orders");
    }

    /** As the scale says. */
    static TpccSize of(Scale scale, int warehouses, int customers, int items, long orders) {
        return switch (scale) {
            case PAPER -> new TpccSize(warehouses, customers, items, 0, 0, orders);
            case SPEC -> new TpccSize(warehouses, customers, items, 60, 1, orders);
        };
    }

    /** Districts of all warehouses. */
    int districts() {
        return warehouses * Places.DISTRICTS;
    }

    /** Orders of a district that were delivered before the run: the first 70 of a hundred (clause 4.3.3.1). */
    int deliveredFirst() {
        return customers * 7 / 10;
    }

    /** Last names that occur: each of them belongs to one of the first customers. */
    int names() {
        return Math.min(customers, People.NAMES);
    }

    /** What has been paid to a district before the run, in cents: so much by each customer. */
    long paidFirst() {
        return (long) customers * People.FIRST_PAYMENT;
    }
}
