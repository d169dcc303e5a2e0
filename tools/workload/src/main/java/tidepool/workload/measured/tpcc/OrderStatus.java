package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import tidepool.base.Randomness;
import tidepool.txn.Txn;

/**
 * Reads the last order of a customer (clause 2.6).
 *
 * <pre>
 *   execute 1   only by last name: READ customers of that name
 *   execute 2   READ customer, number of the last order
 *   execute 3   READ order, its lines
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
            int namesakes = txn.read(tables.namesakes, CustomerTables.name(warehouse, district, name));
            if (!txn.execute()) return false;
            id = middle(txn.memory(), txn.value(namesakes));
        }
        int asks = txn.read(tables.customer, CustomerTables.customer(warehouse, district, id));
        int last = txn.read(tables.lastOrder, CustomerTables.customer(warehouse, district, id));
        if (!txn.execute()) return false;
        MemorySegment memory = txn.memory();
        balance = CustomerTables.C_BALANCE.get(memory, txn.value(asks));
        order = CustomerTables.LO_O_ID.get(memory, txn.value(last));
        int lines = CustomerTables.LO_OL_CNT.get(memory, txn.value(last));

        int found = txn.read(tables.order, OrderTables.order(warehouse, district, order));
        for (int i = 0; i < lines; i++)
            lineAccess[i] = txn.read(tables.orderLine, OrderTables.line(warehouse, district, order, i + 1));
        if (!txn.execute()) return false;
        if (!txn.found(found)) return missing();
        carrier = OrderTables.O_CARRIER_ID.get(memory, txn.value(found));
        amount = 0;
        for (int i = 0; i < lines; i++) {
            if (!txn.found(lineAccess[i])) return missing();
            amount += OrderTables.OL_AMOUNT.get(memory, txn.value(lineAccess[i]));
        }
        return true;
    }
}
