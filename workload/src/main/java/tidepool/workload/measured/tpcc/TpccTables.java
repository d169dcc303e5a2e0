package tidepool.workload.measured.tpcc;

import java.util.List;
import tidepool.store.TableInfo;
import tidepool.workload.measured.TableSpec;

/** The tables by their numbers, the first nine as in the artifacts, and those of a pool. */
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

    final TableInfo warehouse;
    final TableInfo district;
    final TableInfo customer;
    final TableInfo history;
    final TableInfo newOrder;
    final TableInfo order;
    final TableInfo orderLine;
    final TableInfo item;
    final TableInfo stock;
    final TableInfo namesakes;
    final TableInfo lastOrder;
    final TableInfo oldest;

    TpccTables(List<TableInfo> tables) {
        warehouse = tables.get(WAREHOUSE);
        district = tables.get(DISTRICT);
        customer = tables.get(CUSTOMER);
        history = tables.get(HISTORY);
        newOrder = tables.get(NEW_ORDER);
        order = tables.get(ORDER);
        orderLine = tables.get(ORDER_LINE);
        item = tables.get(ITEM);
        stock = tables.get(STOCK);
        namesakes = tables.get(NAMESAKES);
        lastOrder = tables.get(LAST_ORDER);
        oldest = tables.get(OLDEST);
    }

    /** All tables with the rows that they may come to have. */
    static List<TableSpec> of(TpccSize size) {
        long districts = size.districts();
        long customers = districts * size.customers();
        long orders = customers + size.orders();
        long lines = orders * (Orders.LEAST_LINES + Orders.MOST_LINES) / 2;
        return List.of(
                new TableSpec(Places.WAREHOUSE, size.warehouses()),
                new TableSpec(Places.DISTRICT, districts),
                new TableSpec(People.CUSTOMER, customers),
                new TableSpec(People.HISTORY, orders),
                new TableSpec(Orders.NEW_ORDER, orders),
                new TableSpec(Orders.ORDER, orders),
                new TableSpec(Orders.ORDER_LINE, lines),
                new TableSpec(Goods.ITEM, size.items()),
                new TableSpec(Goods.STOCK, (long) size.warehouses() * size.items()),
                new TableSpec(People.NAMESAKES, districts * size.names()),
                new TableSpec(People.LAST_ORDER, customers),
                new TableSpec(Orders.OLDEST, districts));
    }
}
