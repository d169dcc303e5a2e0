package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import tidepool.base.Randomness;
import tidepool.txn.Txn;

/**
 * Reads the last order of a customer (clause 2.6).
 *
 * <pre>
 *   execute 1   only by last name: READ customers of that name, or SCAN them in their index
 *   execute 2   READ customer, number of the last order; or SCAN newest order of the customer in its index
 *   execute 3   READ order, its lines; or READ customer, lines of the order
 * </pre>
 */
final class OrderStatus extends TpccTransaction {
    private final int[] lineAccess = new int[OrderTables.MAX_LINES];
    private int warehouse;
    private int district;
    private int customer;
    private int name;

    // ---- output for the customer
    long balance;
    int order;
    int carrier;
    long amount;

    OrderStatus(TpccClient client) {
        super(client);
    }

    @Override
    void draw(Randomness random) {
        warehouse = client.drawWarehouse();
        district = client.drawDistrict();
        boolean byName = random.chance(size.byName(), 100);
        name = byName ? client.drawName() : -1;
        customer = byName ? 0 : client.drawCustomer();
    }

    @Override
    boolean attempt(Txn txn) {
        int id = customer;
        if (name >= 0) {
            id = customerNamed(txn, warehouse, district, name);
            if (id == ABORTED) return false;
            if (id == 0) return missing();
        }
        return client.indexes == null ? readLast(txn, id) : readNewest(txn, id);
    }

    /** Reads the order that the index has as the newest one, and then its lines and the customer. */
    private boolean readNewest(Txn txn, int id) {
        if (!client.indexes.findNewestOrder(txn, warehouse, district, id)) return false;
        order = client.indexes.newestOrder();
        if (order == 0) return missing();
        int found = client.indexes.newestOrderAccess();
        int lines = OrderTables.O_OL_CNT.get(txn.memory(), txn.value(found));
        int asks = txn.read(tables.customer, CustomerTables.customer(warehouse, district, id));
        declareLines(txn, lines);
        if (!txn.execute()) return false;
        balance = CustomerTables.C_BALANCE.get(txn.memory(), txn.value(asks));
        return sum(txn, found, lines);
    }

    /** Reads the customer and the number of its last order, and then order and lines. */
    private boolean readLast(Txn txn, int id) {
        int asks = txn.read(tables.customer, CustomerTables.customer(warehouse, district, id));
        int last = txn.read(tables.lastOrder, CustomerTables.customer(warehouse, district, id));
        if (!txn.execute()) return false;
        MemorySegment memory = txn.memory();
        balance = CustomerTables.C_BALANCE.get(memory, txn.value(asks));
        order = CustomerTables.LO_O_ID.get(memory, txn.value(last));
        int lines = CustomerTables.LO_OL_CNT.get(memory, txn.value(last));

        int found = txn.read(tables.order, OrderTables.order(warehouse, district, order));
        declareLines(txn, lines);
        return txn.execute() && sum(txn, found, lines);
    }

    private void declareLines(Txn txn, int lines) {
        for (int i = 0; i < lines; i++)
            lineAccess[i] = txn.read(tables.orderLine, OrderTables.line(warehouse, district, order, i + 1));
    }

    private boolean sum(Txn txn, int found, int lines) {
        if (!txn.found(found)) return missing();
        MemorySegment memory = txn.memory();
        carrier = OrderTables.O_CARRIER_ID.get(memory, txn.value(found));
        amount = 0;
        for (int i = 0; i < lines; i++) {
            if (!txn.found(lineAccess[i])) return missing();
            amount += OrderTables.OL_AMOUNT.get(memory, txn.value(lineAccess[i]));
        }
        return true;
    }
}
