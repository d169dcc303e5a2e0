package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import tidepool.base.Randomness;
import tidepool.protocol.Txn;

/**
 * Delivers the oldest new order of each district of a warehouse, all ten in one transaction (clause 2.7).
 *
 * <pre>
 *   execute 1   UPDATE number of the oldest new order, of each district
 *   execute 2   DELETE new order; UPDATE order
 *   execute 3   UPDATE customer, lines
 * </pre>
 */
final class Delivery extends TpccTransaction {
    private final int[] oldestAccess = new int[Places.DISTRICTS];
    private final int[] queuedAccess = new int[Places.DISTRICTS];
    private final int[] orderAccess = new int[Places.DISTRICTS];
    private final int[] customerAccess = new int[Places.DISTRICTS];
    private final int[] lineAccess = new int[Places.DISTRICTS * Orders.MOST_LINES];
    private final int[] number = new int[Places.DISTRICTS];
    private int warehouse;
    private byte carrier;

    Delivery(TpccClient client) {
        super(client);
    }

    @Override
    void draw(Randomness random) {
        warehouse = client.drawWarehouse();
        carrier = (byte) (1 + random.nextInt(10));
    }

    @Override
    boolean attempt(Txn txn) {
        if (!findOldest(txn) || !takeOrders(txn)) return false;
        MemorySegment memory = txn.memory();
        for (int i = 0; i < Places.DISTRICTS; i++) {
            if (!txn.found(queuedAccess[i])) continue;
            if (!txn.found(orderAccess[i])) return missing();
            long order = txn.value(orderAccess[i]);
            int customer = Orders.O_C_ID.get(memory, order);
            customerAccess[i] = txn.update(tables.customer, People.customer(warehouse, i + 1, customer));
            for (int line = 0; line < Orders.O_OL_CNT.get(memory, order); line++)
                lineAccess[i * Orders.MOST_LINES + line] =
                        txn.update(tables.orderLine, Orders.line(warehouse, i + 1, number[i], line + 1));
        }
        if (!txn.execute()) return false;
        for (int i = 0; i < Places.DISTRICTS; i++) {
            if (!txn.found(queuedAccess[i])) client.count(Books.NOTHING_TO_DELIVER, 1);
            else if (!deliver(txn, memory, i)) return missing();
        }
        return true;
    }

    private boolean findOldest(Txn txn) {
        for (int i = 0; i < Places.DISTRICTS; i++)
            oldestAccess[i] = txn.update(tables.oldest, Places.district(warehouse, i + 1));
        if (!txn.execute()) return false;
        for (int i = 0; i < Places.DISTRICTS; i++)
            number[i] = Orders.OLDEST_O_ID.get(txn.memory(), txn.value(oldestAccess[i]));
        return true;
    }

    private boolean takeOrders(Txn txn) {
        for (int i = 0; i < Places.DISTRICTS; i++) {
            long key = Orders.order(warehouse, i + 1, number[i]);
            queuedAccess[i] = txn.delete(tables.newOrder, key);
            orderAccess[i] = txn.update(tables.order, key);
        }
        return txn.execute();
    }

    private boolean deliver(Txn txn, MemorySegment memory, int i) {
        long order = txn.value(orderAccess[i]);
        long amount = 0;
        for (int line = 0; line < Orders.O_OL_CNT.get(memory, order); line++) {
            int access = lineAccess[i * Orders.MOST_LINES + line];
            if (!txn.found(access)) return false;
            amount += Orders.OL_AMOUNT.get(memory, txn.value(access));
            Orders.OL_DELIVERY_D.set(memory, txn.value(access), client.date());
        }
        Orders.O_CARRIER_ID.set(memory, order, carrier);
        Orders.OLDEST_O_ID.set(memory, txn.value(oldestAccess[i]), number[i] + 1);
        long customer = txn.value(customerAccess[i]);
        People.C_BALANCE.set(memory, customer, People.C_BALANCE.get(memory, customer) + amount);
        People.C_DELIVERY_CNT.set(memory, customer, People.C_DELIVERY_CNT.get(memory, customer) + 1);
        client.count(Books.DELIVERED, 1);
        return true;
    }
}
