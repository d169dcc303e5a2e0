package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import tidepool.workload.measured.RowSource;

/** Reads all rows of a database, each once, for the check. */
final class TpccFacts {
    /** The number of order numbers after the last known one at which unexpected rows are searched. */
    private static final int BEYOND = 64;

    /** After this number of consecutive clients without a payment, there are no more clients. */
    private static final int MAX_SILENT_CLIENTS = 1024;

    private final TpccSize size;
    private final RowSource rows;

    /** W_YTD by warehouse, from 1. */
    final long[] ytd;

    /** Payments to each warehouse, from 1. */
    final long[] paid;

    final DistrictFacts[] districts;

    /** The payments of clients, and the sums of ordered quantities in the stock. */
    long payments;

    long stockYtd;
    long stockOrders;
    long stockRemotes;

    /** The number of missing rows that should always exist. */
    long missing;

    TpccFacts(TpccSize size, RowSource rows) {
        this.size = size;
        this.rows = rows;
        ytd = new long[size.warehouses() + 1];
        paid = new long[size.warehouses() + 1];
        districts = new DistrictFacts[size.districts()];
        for (int w = 1; w <= size.warehouses(); w++) {
            if (find(TpccTables.WAREHOUSE, WarehouseTables.warehouse(w)))
                ytd[w] = WarehouseTables.W_YTD.get(memory(), row());
            for (int d = 1; d <= WarehouseTables.DISTRICTS; d++)
                districts[index(w, d)] = new DistrictFacts(w, d, size.customers());
        }
        for (DistrictFacts district : districts) gather(district);
        gatherHistory();
        gatherStock();
    }

    DistrictFacts district(int warehouse, int district) {
        return districts[index(warehouse, district)];
    }

    private static int index(int warehouse, int district) {
        return (warehouse - 1) * WarehouseTables.DISTRICTS + district - 1;
    }

    private void gather(DistrictFacts facts) {
        long key = WarehouseTables.district(facts.warehouse, facts.district);
        if (find(TpccTables.DISTRICT, key)) {
            facts.ytd = WarehouseTables.D_YTD.get(memory(), row());
            facts.next = WarehouseTables.D_NEXT_O_ID.get(memory(), row());
        }
        if (!size.isIndexed() && find(TpccTables.OLDEST, key))
            facts.oldest = OrderTables.OLDEST_O_ID.get(memory(), row());
        for (int c = 1; c <= size.customers(); c++) gatherCustomer(facts, c);
        for (int order = 1; order < Math.max(facts.next, facts.highest + 1) + BEYOND; order++)
            gatherOrder(facts, order);
    }

    private void gatherCustomer(DistrictFacts facts, int c) {
        long key = CustomerTables.customer(facts.warehouse, facts.district, c);
        if (find(TpccTables.CUSTOMER, key)) {
            facts.balance[c] = CustomerTables.C_BALANCE.get(memory(), row());
            facts.ytdPayment[c] = CustomerTables.C_YTD_PAYMENT.get(memory(), row());
            facts.deliveries[c] = CustomerTables.C_DELIVERY_CNT.get(memory(), row());
            facts.payments[c] = CustomerTables.C_PAYMENT_CNT.get(memory(), row());
        }
        if (!size.isIndexed() && find(TpccTables.LAST_ORDER, key)) {
            facts.lastOrder[c] = CustomerTables.LO_O_ID.get(memory(), row());
            facts.lastLines[c] = CustomerTables.LO_OL_CNT.get(memory(), row());
        }
    }

    private void gatherOrder(DistrictFacts facts, int order) {
        long key = OrderTables.order(facts.warehouse, facts.district, order);
        int customer = 0;
        facts.makeRoom(order);
        if (rows.read(TpccTables.ORDER, key)) {
            facts.isOrder[order] = true;
            facts.hasCarrier[order] = OrderTables.O_CARRIER_ID.get(memory(), row()) != 0;
            facts.lineCount[order] = OrderTables.O_OL_CNT.get(memory(), row());
            customer = OrderTables.O_C_ID.get(memory(), row());
            if (customer < 1 || customer > facts.customers()) customer = 0;
            facts.lastFound[customer] = order;
            facts.lastFoundLines[customer] = facts.lineCount[order];
        }
        facts.isNew[order] = rows.read(TpccTables.NEW_ORDER, key);
        for (int line = 1; line <= OrderTables.MAX_LINES; line++) {
            if (!rows.read(TpccTables.ORDER_LINE, OrderTables.line(facts.warehouse, facts.district, order, line)))
                continue;
            facts.lines[order]++;
            if (OrderTables.OL_DELIVERY_D.get(memory(), row()) == 0) continue;
            facts.linesDelivered[order]++;
            facts.deliveredTo[customer] += OrderTables.OL_AMOUNT.get(memory(), row());
        }
        if (facts.isOrder[order] || facts.isNew[order] || facts.lines[order] > 0) facts.highest = order;
    }

    // ---- payments

    private void gatherHistory() {
        for (DistrictFacts district : districts)
            for (int c = 1; c <= size.customers(); c++)
                if (find(TpccTables.HISTORY, CustomerTables.firstPayment(district.warehouse, district.district, c)))
                    pay();
        for (int client = 0, silent = 0; silent < MAX_SILENT_CLIENTS; client++, silent++) {
            for (long number = 0; rows.read(TpccTables.HISTORY, CustomerTables.payment(client, number)); number++) {
                pay();
                payments++;
                silent = 0;
            }
        }
    }

    private void pay() {
        int amount = CustomerTables.H_AMOUNT.get(memory(), row());
        int warehouse = CustomerTables.H_W_ID.get(memory(), row());
        int district = CustomerTables.H_D_ID.get(memory(), row());
        if (warehouse >= 1 && warehouse < paid.length) paid[warehouse] += amount;
        if (isDistrict(warehouse, district)) district(warehouse, district).paid += amount;
        int customerWarehouse = CustomerTables.H_C_W_ID.get(memory(), row());
        int customerDistrict = CustomerTables.H_C_D_ID.get(memory(), row());
        int customer = CustomerTables.H_C_ID.get(memory(), row());
        if (isDistrict(customerWarehouse, customerDistrict) && customer >= 1 && customer <= size.customers())
            district(customerWarehouse, customerDistrict).paidBy[customer] += amount;
    }

    private boolean isDistrict(int warehouse, int district) {
        return warehouse >= 1
                && warehouse <= size.warehouses()
                && district >= 1
                && district <= WarehouseTables.DISTRICTS;
    }

    private void gatherStock() {
        for (int w = 1; w <= size.warehouses(); w++) {
            for (int item = 1; item <= size.items(); item++) {
                if (!find(TpccTables.STOCK, ItemTables.stock(w, item))) continue;
                stockYtd += ItemTables.S_YTD.get(memory(), row());
                stockOrders += ItemTables.S_ORDER_CNT.get(memory(), row());
                stockRemotes += ItemTables.S_REMOTE_CNT.get(memory(), row());
            }
        }
    }

    // ---- rows

    private boolean find(int table, long key) {
        boolean found = rows.read(table, key);
        if (!found) missing++;
        return found;
    }

    private MemorySegment memory() {
        return rows.memory();
    }

    private long row() {
        return rows.value();
    }
}
