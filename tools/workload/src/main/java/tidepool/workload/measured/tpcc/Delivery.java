package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import tidepool.base.Randomness;
import tidepool.txn.Txn;

/**
 * Delivers the oldest new order of each district of a warehouse, all ten in one transaction (clause 2.7).
 *
 * <pre>
 *   execute 1   UPDATE number of the oldest new order, of each district; or SCAN for it, a district after the other
 *   execute 2   DELETE new order; UPDATE order
 *   execute 3   UPDATE customer, lines
 * </pre>
 */
final class Delivery extends TpccTransaction {
    private static final int NONE = -1;

    private final int[] oldestAccess = new int[WarehouseTables.DISTRICTS];
    private final int[] queuedAccess = new int[WarehouseTables.DISTRICTS];
    private final int[] orderAccess = new int[WarehouseTables.DISTRICTS];
    private final int[] customerAccess = new int[WarehouseTables.DISTRICTS];
    private final int[] lineAccess = new int[WarehouseTables.DISTRICTS * OrderTables.MAX_LINES];
    private final int[] number = new int[WarehouseTables.DISTRICTS];
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
        for (int i = 0; i < WarehouseTables.DISTRICTS; i++) {
            if (!isQueued(txn, i)) continue;
            if (!txn.found(orderAccess[i])) return missing();
            long order = txn.value(orderAccess[i]);
            int customer = OrderTables.O_C_ID.get(memory, order);
            customerAccess[i] = txn.update(tables.customer, CustomerTables.customer(warehouse, i + 1, customer));
            for (int line = 0; line < OrderTables.O_OL_CNT.get(memory, order); line++)
                lineAccess[i * OrderTables.MAX_LINES + line] =
                        txn.update(tables.orderLine, OrderTables.line(warehouse, i + 1, number[i], line + 1));
        }
        if (!txn.execute()) return false;
        for (int i = 0; i < WarehouseTables.DISTRICTS; i++) {
            if (!isQueued(txn, i)) client.count(TpccTotals.NOTHING_TO_DELIVER, 1);
            else if (!deliver(txn, memory, i)) return missing();
        }
        return true;
    }

    private boolean findOldest(Txn txn) {
        if (client.indexes != null) {
            for (int i = 0; i < WarehouseTables.DISTRICTS; i++) {
                if (!client.indexes.findOldestNew(txn, warehouse, i + 1)) return false;
                number[i] = client.indexes.oldestNew();
            }
            return true;
        }
        for (int i = 0; i < WarehouseTables.DISTRICTS; i++)
            oldestAccess[i] = txn.update(tables.oldest, WarehouseTables.district(warehouse, i + 1));
        if (!txn.execute()) return false;
        for (int i = 0; i < WarehouseTables.DISTRICTS; i++)
            number[i] = OrderTables.OLDEST_O_ID.get(txn.memory(), txn.value(oldestAccess[i]));
        return true;
    }

    private boolean takeOrders(Txn txn) {
        for (int i = 0; i < WarehouseTables.DISTRICTS; i++) {
            queuedAccess[i] = NONE;
            if (number[i] == 0) continue;
            long key = OrderTables.order(warehouse, i + 1, number[i]);
            queuedAccess[i] = txn.delete(tables.newOrder, key);
            orderAccess[i] = txn.update(tables.order, key);
        }
        return txn.execute();
    }

    private boolean isQueued(Txn txn, int i) {
        return queuedAccess[i] != NONE && txn.found(queuedAccess[i]);
    }

    private boolean deliver(Txn txn, MemorySegment memory, int i) {
        long order = txn.value(orderAccess[i]);
        long amount = 0;
        for (int line = 0; line < OrderTables.O_OL_CNT.get(memory, order); line++) {
            int access = lineAccess[i * OrderTables.MAX_LINES + line];
            if (!txn.found(access)) return false;
            amount += OrderTables.OL_AMOUNT.get(memory, txn.value(access));
            OrderTables.OL_DELIVERY_D.set(memory, txn.value(access), client.date());
        }
        OrderTables.O_CARRIER_ID.set(memory, order, carrier);
        if (client.indexes == null) OrderTables.OLDEST_O_ID.set(memory, txn.value(oldestAccess[i]), number[i] + 1);
        long customer = txn.value(customerAccess[i]);
        CustomerTables.C_BALANCE.set(memory, customer, CustomerTables.C_BALANCE.get(memory, customer) + amount);
        CustomerTables.C_DELIVERY_CNT.set(memory, customer, CustomerTables.C_DELIVERY_CNT.get(memory, customer) + 1);
        client.count(TpccTotals.DELIVERED, 1);
        return true;
    }
}
