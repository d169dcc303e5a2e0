package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import tidepool.base.Randomness;
import tidepool.protocol.Txn;

/**
 * Enters an order (clause 2.4).
 *
 * <pre>
 *   execute 1   READ warehouse, customer, items; UPDATE district, last order of the customer, stocks
 *   execute 2   INSERT order, new order, lines
 * </pre>
 */
final class NewOrder extends TpccTransaction {
    private final int[] item = new int[Orders.MOST_LINES];
    private final int[] supplier = new int[Orders.MOST_LINES];
    private final int[] quantity = new int[Orders.MOST_LINES];
    private final int[] itemAccess = new int[Orders.MOST_LINES];
    private final int[] stockAccess = new int[Orders.MOST_LINES];
    private final int[] lineAccess = new int[Orders.MOST_LINES];
    private int warehouse;
    private int district;
    private int customer;
    private int lines;
    private int remotes;

    /** What the customer is told: the price of all, with taxes and discount, in cents. */
    long total;

    NewOrder(TpccClient client) {
        super(client);
    }

    @Override
    void draw(Randomness random) {
        warehouse = client.drawWarehouse();
        district = client.drawDistrict();
        customer = client.drawCustomer();
        lines = Orders.LEAST_LINES + random.nextInt(Orders.MOST_LINES - Orders.LEAST_LINES + 1);
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
        int home = txn.read(tables.warehouse, Places.warehouse(warehouse));
        int place = txn.update(tables.district, Places.district(warehouse, district));
        int buyer = txn.read(tables.customer, People.customer(warehouse, district, customer));
        int last = txn.update(tables.lastOrder, People.customer(warehouse, district, customer));
        for (int i = 0; i < lines; i++) {
            itemAccess[i] = txn.read(tables.item, Goods.item(item[i]));
            stockAccess[i] = txn.update(tables.stock, Goods.stock(supplier[i], item[i]));
        }
        if (!txn.execute()) return false;
        if (!txn.found(itemAccess[lines - 1])) {
            client.expectedFailure();
            return false;
        }
        MemorySegment memory = txn.memory();
        int number = Places.D_NEXT_O_ID.get(memory, txn.value(place));
        Places.D_NEXT_O_ID.set(memory, txn.value(place), number + 1);
        People.LO_O_ID.set(memory, txn.value(last), number);
        People.LO_OL_CNT.set(memory, txn.value(last), lines);
        if (!insert(txn, memory, number)) return false;
        long sum = 0;
        for (int i = 0; i < lines; i++) sum += fill(txn, memory, i);
        total = sum
                * (10_000 - People.C_DISCOUNT.get(memory, txn.value(buyer)))
                / 10_000
                * (10_000 + Places.W_TAX.get(memory, txn.value(home)) + Places.D_TAX.get(memory, txn.value(place)))
                / 10_000;
        client.count(Books.NEW_ORDERS, 1);
        client.count(Books.LINES, lines);
        client.count(Books.REMOTE_LINES, remotes);
        return true;
    }

    private boolean insert(Txn txn, MemorySegment memory, int number) {
        int order = txn.insert(tables.order, Orders.order(warehouse, district, number));
        int queued = txn.insert(tables.newOrder, Orders.order(warehouse, district, number));
        for (int i = 0; i < lines; i++)
            lineAccess[i] = txn.insert(tables.orderLine, Orders.line(warehouse, district, number, i + 1));
        if (!txn.execute()) return false;
        long at = txn.value(order);
        Orders.O_C_ID.set(memory, at, customer);
        Orders.O_ENTRY_D.set(memory, at, client.date());
        Orders.O_OL_CNT.set(memory, at, (byte) lines);
        Orders.O_ALL_LOCAL.set(memory, at, (byte) (remotes == 0 ? 1 : 0));
        Orders.NO_ENTRY_D.set(memory, txn.value(queued), client.date());
        return true;
    }

    /** Takes a line's items from the stock and writes the line. Returns its amount. */
    private int fill(Txn txn, MemorySegment memory, int i) {
        long stock = txn.value(stockAccess[i]);
        int left = Goods.S_QUANTITY.get(memory, stock) - quantity[i];
        Goods.S_QUANTITY.set(memory, stock, (short) (left >= 10 ? left : left + 91));
        Goods.S_YTD.set(memory, stock, Goods.S_YTD.get(memory, stock) + quantity[i]);
        Goods.S_ORDER_CNT.set(memory, stock, Goods.S_ORDER_CNT.get(memory, stock) + 1);
        if (supplier[i] != warehouse) Goods.S_REMOTE_CNT.set(memory, stock, Goods.S_REMOTE_CNT.get(memory, stock) + 1);
        client.count(Books.QUANTITY, quantity[i]);

        int amount = quantity[i] * Goods.I_PRICE.get(memory, txn.value(itemAccess[i]));
        long line = txn.value(lineAccess[i]);
        Orders.OL_I_ID.set(memory, line, item[i]);
        Orders.OL_SUPPLY_W_ID.set(memory, line, (short) supplier[i]);
        Orders.OL_QUANTITY.set(memory, line, (byte) quantity[i]);
        Orders.OL_AMOUNT.set(memory, line, amount);
        long from = stock + Goods.dist(district).attribute().offset();
        long to = line + Orders.OL_DIST_INFO.attribute().offset();
        MemorySegment.copy(memory, from, memory, to, Goods.DIST_BYTES);
        return amount;
    }
}
