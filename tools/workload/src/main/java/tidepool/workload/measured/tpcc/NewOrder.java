package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import tidepool.base.Randomness;
import tidepool.txn.Txn;

/**
 * Enters an order (clause 2.4).
 *
 * <pre>
 *   execute 1   READ warehouse, customer, items; UPDATE district, stocks; without indexes, last order of the customer
 *   execute 2   INSERT order, new order, lines
 * </pre>
 */
final class NewOrder extends TpccTransaction {
    private static final int NONE = -1;

    private final int[] item = new int[OrderTables.MAX_LINES];
    private final int[] supplier = new int[OrderTables.MAX_LINES];
    private final int[] quantity = new int[OrderTables.MAX_LINES];
    private final int[] itemAccess = new int[OrderTables.MAX_LINES];
    private final int[] stockAccess = new int[OrderTables.MAX_LINES];
    private final int[] lineAccess = new int[OrderTables.MAX_LINES];
    private int warehouse;
    private int district;
    private int customer;
    private int lines;
    private int remotes;

    /** The output for the customer: the total price with taxes and discount, in cents. */
    long total;

    NewOrder(TpccClient client) {
        super(client);
    }

    @Override
    void draw(Randomness random) {
        warehouse = client.drawWarehouse();
        district = client.drawDistrict();
        customer = client.drawCustomer();
        lines = OrderTables.MIN_LINES + random.nextInt(OrderTables.MAX_LINES - OrderTables.MIN_LINES + 1);
        remotes = 0;
        for (int i = 0; i < lines; i++) {
            item[i] = client.drawItem();
            supplier[i] = random.chance(1, 100) ? client.drawOther(warehouse) : warehouse;
            quantity[i] = 1 + random.nextInt(10);
            if (supplier[i] != warehouse) remotes++;
        }
        if (random.chance(size.rollback(), 100)) item[lines - 1] = size.items() + 1;
    }

    @Override
    boolean attempt(Txn txn) {
        int home = txn.read(tables.warehouse, WarehouseTables.warehouse(warehouse));
        int place = txn.update(tables.district, WarehouseTables.district(warehouse, district));
        int buyer = txn.read(tables.customer, CustomerTables.customer(warehouse, district, customer));
        int last = size.isIndexed()
                ? NONE
                : txn.update(tables.lastOrder, CustomerTables.customer(warehouse, district, customer));
        for (int i = 0; i < lines; i++) {
            itemAccess[i] = txn.read(tables.item, ItemTables.item(item[i]));
            stockAccess[i] = txn.update(tables.stock, ItemTables.stock(supplier[i], item[i]));
        }
        if (!txn.execute()) return false;
        if (!txn.found(itemAccess[lines - 1])) {
            client.expectedFailure();
            return false;
        }
        MemorySegment memory = txn.memory();
        int number = WarehouseTables.D_NEXT_O_ID.get(memory, txn.value(place));
        WarehouseTables.D_NEXT_O_ID.set(memory, txn.value(place), number + 1);
        if (last != NONE) {
            CustomerTables.LO_O_ID.set(memory, txn.value(last), number);
            CustomerTables.LO_OL_CNT.set(memory, txn.value(last), lines);
        }
        if (!insert(txn, memory, number)) return false;
        long sum = 0;
        for (int i = 0; i < lines; i++) sum += fill(txn, memory, i);
        total = sum
                * (10_000 - CustomerTables.C_DISCOUNT.get(memory, txn.value(buyer)))
                / 10_000
                * (10_000
                        + WarehouseTables.W_TAX.get(memory, txn.value(home))
                        + WarehouseTables.D_TAX.get(memory, txn.value(place)))
                / 10_000;
        client.count(TpccTotals.NEW_ORDERS, 1);
        client.count(TpccTotals.LINES, lines);
        client.count(TpccTotals.REMOTE_LINES, remotes);
        return true;
    }

    private boolean insert(Txn txn, MemorySegment memory, int number) {
        int order = txn.insert(tables.order, OrderTables.order(warehouse, district, number));
        int queued = txn.insert(tables.newOrder, OrderTables.order(warehouse, district, number));
        for (int i = 0; i < lines; i++)
            lineAccess[i] = txn.insert(tables.orderLine, OrderTables.line(warehouse, district, number, i + 1));
        if (!txn.execute()) return false;
        long at = txn.value(order);
        OrderTables.O_C_ID.set(memory, at, customer);
        OrderTables.O_ENTRY_D.set(memory, at, client.date());
        OrderTables.O_OL_CNT.set(memory, at, (byte) lines);
        OrderTables.O_ALL_LOCAL.set(memory, at, (byte) (remotes == 0 ? 1 : 0));
        OrderTables.NO_ENTRY_D.set(memory, txn.value(queued), client.date());
        return true;
    }

    /** Takes a line's items from the stock and writes the line. Returns its amount. */
    private int fill(Txn txn, MemorySegment memory, int i) {
        long stock = txn.value(stockAccess[i]);
        int left = ItemTables.S_QUANTITY.get(memory, stock) - quantity[i];
        ItemTables.S_QUANTITY.set(memory, stock, (short) (left >= 10 ? left : left + 91));
        ItemTables.S_YTD.set(memory, stock, ItemTables.S_YTD.get(memory, stock) + quantity[i]);
        ItemTables.S_ORDER_CNT.set(memory, stock, ItemTables.S_ORDER_CNT.get(memory, stock) + 1);
        if (supplier[i] != warehouse)
            ItemTables.S_REMOTE_CNT.set(memory, stock, ItemTables.S_REMOTE_CNT.get(memory, stock) + 1);
        client.count(TpccTotals.QUANTITY, quantity[i]);

        int amount = quantity[i] * ItemTables.I_PRICE.get(memory, txn.value(itemAccess[i]));
        long line = txn.value(lineAccess[i]);
        OrderTables.OL_I_ID.set(memory, line, item[i]);
        OrderTables.OL_SUPPLY_W_ID.set(memory, line, (short) supplier[i]);
        OrderTables.OL_QUANTITY.set(memory, line, (byte) quantity[i]);
        OrderTables.OL_AMOUNT.set(memory, line, amount);
        long from = stock + ItemTables.dist(district).attribute().offset();
        long to = line + OrderTables.OL_DIST_INFO.attribute().offset();
        MemorySegment.copy(memory, from, memory, to, ItemTables.DIST_BYTES);
        return amount;
    }
}
