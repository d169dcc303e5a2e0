package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import tidepool.base.Randomness;
import tidepool.txn.Txn;

/**
 * Counts the items of a district's last twenty orders that are low in stock (clause 2.8).
 *
 * <pre>
 *   execute 1   READ district
 *   execute 2   READ its last 20 orders; or SCAN their lines, 300 at the most, by the keys of the lines
 *   execute 3   READ their lines
 *   execute 4   READ stock of each item among them
 * </pre>
 */
final class StockLevel extends TpccTransaction {
    private static final int ORDERS = 20;

    private final int[] orderAccess = new int[ORDERS];
    private final int[] lineAccess = new int[ORDERS * OrderTables.MAX_LINES];
    private final int[] stockAccess = new int[ORDERS * OrderTables.MAX_LINES];
    private int warehouse;
    private int district;
    private int threshold;

    /** The output: the number of items that are low in stock. */
    int low;

    StockLevel(TpccClient client) {
        super(client);
    }

    @Override
    void draw(Randomness random) {
        warehouse = client.drawWarehouse();
        district = client.drawDistrict();
        threshold = 10 + random.nextInt(11);
    }

    @Override
    boolean attempt(Txn txn) {
        int place = txn.read(tables.district, WarehouseTables.district(warehouse, district));
        if (!txn.execute()) return false;
        MemorySegment memory = txn.memory();
        int first = WarehouseTables.D_NEXT_O_ID.get(memory, txn.value(place)) - ORDERS;
        int stocks = client.indexes == null ? readOrders(txn, first) : scanLines(txn, first);
        if (stocks == ABORTED) return false;
        if (stocks == 0) return missing();
        if (!txn.execute()) return false;
        low = 0;
        for (int i = 0; i < stocks; i++)
            if (ItemTables.S_QUANTITY.get(memory, txn.value(stockAccess[i])) < threshold) low++;
        return true;
    }

    /** Declares the stocks of the lines that the index has. Returns their number; 0 if lines are missing. */
    private int scanLines(Txn txn, int first) {
        TpccIndexes indexes = client.indexes;
        if (!indexes.findLines(txn, warehouse, district, first, ORDERS)) return ABORTED;
        if (!indexes.areWhole(first, ORDERS)) return 0;
        for (int i = 0; i < indexes.lines(); i++) lineAccess[i] = indexes.lineAccess(i);
        return declareStocks(txn, indexes.lines());
    }

    /** Reads orders and lines by their keys and declares the stocks of the lines. Returns as {@link #scanLines}. */
    private int readOrders(Txn txn, int first) {
        for (int i = 0; i < ORDERS; i++)
            orderAccess[i] = txn.read(tables.order, OrderTables.order(warehouse, district, first + i));
        if (!txn.execute()) return ABORTED;
        int lines = 0;
        for (int i = 0; i < ORDERS; i++) {
            if (!txn.found(orderAccess[i])) return 0;
            int count = OrderTables.O_OL_CNT.get(txn.memory(), txn.value(orderAccess[i]));
            for (int line = 1; line <= count; line++)
                lineAccess[lines++] =
                        txn.read(tables.orderLine, OrderTables.line(warehouse, district, first + i, line));
        }
        return txn.execute() ? declareStocks(txn, lines) : ABORTED;
    }

    /**
     * Declares each item once: declaring it again returns the existing access. Returns the number of items, 0 if a line
     * is missing.
     */
    private int declareStocks(Txn txn, int lines) {
        MemorySegment memory = txn.memory();
        int stocks = 0;
        for (int i = 0; i < lines; i++) {
            if (!txn.found(lineAccess[i])) return 0;
            int item = OrderTables.OL_I_ID.get(memory, txn.value(lineAccess[i]));
            int access = txn.read(tables.stock, ItemTables.stock(warehouse, item));
            if (stocks == 0 || access > stockAccess[stocks - 1]) stockAccess[stocks++] = access;
        }
        return stocks;
    }
}
