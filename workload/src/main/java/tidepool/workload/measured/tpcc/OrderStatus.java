package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import tidepool.base.Randomness;
import tidepool.protocol.Txn;

/**
 * Tells a customer about his last order (clause 2.6).
 *
 * <pre>
 *   execute 1   only by last name: READ customers of that name
 *   execute 2   READ customer, number of his last order
 *   execute 3   READ order, its lines
 * </pre>
 */
final class OrderStatus extends TpccTransaction {
    private final int[] lineAccess = new int[Orders.MOST_LINES];
    private int warehouse;
    private int district;
    private int customer;
    private int name;

    // ---- what the customer is told
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
            int namesakes = txn.read(tables.namesakes, People.name(warehouse, district, name));
            if (!txn.execute()) return false;
            id = middle(txn.memory(), txn.value(namesakes));
        }
        int asks = txn.read(tables.customer, People.customer(warehouse, district, id));
        int last = txn.read(tables.lastOrder, People.customer(warehouse, district, id));
        if (!txn.execute()) return false;
        MemorySegment memory = txn.memory();
        balance = People.C_BALANCE.get(memory, txn.value(asks));
        order = People.LO_O_ID.get(memory, txn.value(last));
        int lines = People.LO_OL_CNT.get(memory, txn.value(last));

        int found = txn.read(tables.order, Orders.order(warehouse, district, order));
        for (int i = 0; i < lines; i++)
            lineAccess[i] = txn.read(tables.orderLine, Orders.line(warehouse, district, order, i + 1));
        if (!txn.execute()) return false;
        if (!txn.found(found)) return missing();
        carrier = Orders.O_CARRIER_ID.get(memory, txn.value(found));
        amount = 0;
        for (int i = 0; i < lines; i++) {
            if (!txn.found(lineAccess[i])) return missing();
            amount += Orders.OL_AMOUNT.get(memory, txn.value(lineAccess[i]));
        }
        return true;
    }
}
