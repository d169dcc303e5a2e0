package tidepool.workload.measured.tpcc;

import java.util.ArrayList;
import java.util.List;
import tidepool.store.TableLayout;
import tidepool.workload.measured.TableSpec;

/**
 * The tables by their numbers, the first nine as in the artifacts, and those of a pool. The last three are there where
 * they replace indexes.
 */
final class TpccTables {
    static final int WAREHOUSE = 0;
    static final int DISTRICT = 1;
    static final int CUSTOMER = 2;
    static final int HISTORY = 3;
    static final int NEW_ORDER = 4;
    static final int ORDER = 5;
    static final int ORDER_LINE = 6;
    static final int ITEM = 7;
    static final int STOCK = 8;
    static final int NAMESAKES = 9;
    static final int LAST_ORDER = 10;
    static final int OLDEST = 11;

    final TableLayout warehouse;
    final TableLayout district;
    final TableLayout customer;
    final TableLayout history;
    final TableLayout newOrder;
    final TableLayout order;
    final TableLayout orderLine;
    final TableLayout item;
    final TableLayout stock;
    final TableLayout namesakes;
    final TableLayout lastOrder;
    final TableLayout oldest;

    TpccTables(List<TableLayout> tables) {
        warehouse = tables.get(WAREHOUSE);
        district = tables.get(DISTRICT);
        customer = tables.get(CUSTOMER);
        history = tables.get(HISTORY);
        newOrder = tables.get(NEW_ORDER);
        order = tables.get(ORDER);
        orderLine = tables.get(ORDER_LINE);
        item = tables.get(ITEM);
        stock = tables.get(STOCK);
        boolean hasMore = tables.size() > NAMESAKES;
        namesakes = hasMore ? tables.get(NAMESAKES) : null;
        lastOrder = hasMore ? tables.get(LAST_ORDER) : null;
        oldest = hasMore ? tables.get(OLDEST) : null;
    }

    /** Returns all tables with the highest number of their rows. */
    static List<TableSpec> of(TpccSize size) {
        long districts = size.districts();
        long customers = districts * size.customers();
        long orders = customers + size.orders();
        long lines = orders * (OrderTables.MIN_LINES + OrderTables.MAX_LINES) / 2;
        boolean isIndexed = size.isIndexed();
        List<TableSpec> tables = new ArrayList<>(List.of(
                new TableSpec(WarehouseTables.WAREHOUSE, size.warehouses()),
                new TableSpec(WarehouseTables.DISTRICT, districts),
                new TableSpec(isIndexed ? CustomerTables.INDEXED_CUSTOMER : CustomerTables.CUSTOMER, customers),
                new TableSpec(CustomerTables.HISTORY, orders),
                new TableSpec(isIndexed ? OrderTables.ORDERED_NEW_ORDER : OrderTables.NEW_ORDER, orders),
                new TableSpec(isIndexed ? OrderTables.INDEXED_ORDER : OrderTables.ORDER, orders),
                new TableSpec(isIndexed ? OrderTables.ORDERED_LINE : OrderTables.ORDER_LINE, lines),
                new TableSpec(ItemTables.ITEM, size.items()),
                new TableSpec(ItemTables.STOCK, (long) size.warehouses() * size.items())));
        if (!isIndexed) {
            tables.add(new TableSpec(CustomerTables.NAMESAKES, districts * size.names()));
            tables.add(new TableSpec(CustomerTables.LAST_ORDER, customers));
            tables.add(new TableSpec(OrderTables.OLDEST, districts));
        }
        return List.copyOf(tables);
    }
}
