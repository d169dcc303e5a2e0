package tidepool.workload.measured.tpcc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tidepool.schema.IndexSchema;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.txn.RangeScan;
import tidepool.txn.Txn;

/**
 * What the transactions of one client look up by ordered indexes. Its methods wait for the memory nodes, and return
 * false if the attempt was aborted.
 *
 * <pre>
 *   customer by_name       w_id, d_id, last, first    those of a last name; the one in the middle by first name
 *   order by_customer      c_id, then the key         the newest order of a customer
 *   new_order              the key                    the oldest one of a district
 *   order_line             the key                    the lines of the last orders of a district
 * </pre>
 */
final class TpccIndexes {
    private static final int FIRST_LINES = 64;

    private final RangeScan byName;
    private final RangeScan byCustomer;
    private final RangeScan newOrders;
    private final RangeScan lines;

    // ---- bounds
    private final MemorySegment customerRow;
    private final MemorySegment orderRow;
    private final long nameAt;
    private final long firstAt;
    private final List<byte[]> names = new ArrayList<>();
    private final RowKey least;
    private final RowKey greatest;
    private final RowKey from;
    private final RowKey to;

    // ---- what was found
    private int[] customers = new int[CustomerTables.MAX_NAMESAKES];
    private int count;
    private int[] lineAccess = new int[FIRST_LINES];
    private long[] lineKey = new long[FIRST_LINES];

    TpccIndexes(TpccTables tables) {
        byName = new RangeScan(tables.customer, CustomerTables.BY_NAME).keysOnly();
        byCustomer =
                new RangeScan(tables.order, OrderTables.BY_CUSTOMER).reversed().limit(1);
        newOrders =
                new RangeScan(tables.newOrder, IndexSchema.PRIMARY).keysOnly().limit(1);
        lines = new RangeScan(tables.orderLine, IndexSchema.PRIMARY);
        Schema customer = tables.customer.schema();
        customerRow = Arena.ofAuto().allocate(customer.length(), 8);
        orderRow = Arena.ofAuto().allocate(tables.order.schema().length(), 8);
        nameAt = customer.field("last").attribute().offset();
        firstAt = customer.field("first").attribute().offset();
        for (int name = 0; name < CustomerTables.NAMES; name++) names.add(Texts.lastNameBytes(name));
        least = customer.key().newKey().setWord(0);
        greatest = customer.key().newKey().setWord(Long.MAX_VALUE);
        from = tables.order.schema().key().newKey();
        to = tables.order.schema().key().newKey();
    }

    /** Finds the customers of a last name, of which there is at least one, in the order of their first names. */
    boolean findCustomers(Txn txn, int warehouse, int district, int name) {
        CustomerTables.C_W_ID.set(customerRow, 0, (short) warehouse);
        CustomerTables.C_D_ID.set(customerRow, 0, (byte) district);
        MemorySegment.copy(names.get(name), 0, customerRow, ValueLayout.JAVA_BYTE, nameAt, CustomerTables.NAME_BYTES);
        fillFirst((byte) 0);
        byName.from(customerRow, 0, least);
        fillFirst((byte) 0xff); // above every name
        byName.to(customerRow, 0, greatest).begin();
        count = 0;
        while (byName.hasNext()) {
            if (!txn.scan(byName)) return false;
            for (int i = 0; i < byName.rows(); i++) {
                if (count == customers.length) customers = Arrays.copyOf(customers, 2 * count);
                customers[count++] = CustomerTables.numberOf(byName.keyWord(i));
            }
        }
        return true;
    }

    private void fillFirst(byte value) {
        for (int i = 0; i < CustomerTables.NAME_BYTES; i++) customerRow.set(ValueLayout.JAVA_BYTE, firstAt + i, value);
    }

    /** Returns the customer in the middle of those that were found (clause 2.5.2.2); 0 if there was none. */
    int middleCustomer() {
        return count == 0 ? 0 : customers[(count + 1) / 2 - 1];
    }

    /** Finds and reads the newest order of a customer. */
    boolean findNewestOrder(Txn txn, int warehouse, int district, int customer) {
        OrderTables.O_C_ID.set(orderRow, 0, customer);
        from.setWord(OrderTables.order(warehouse, district, 0));
        to.setWord(OrderTables.order(warehouse, district + 1, 0));
        byCustomer.from(orderRow, 0, from).to(orderRow, 0, to).begin();
        return txn.scan(byCustomer);
    }

    /** Returns the number of the order that was found; 0 if there was none. */
    int newestOrder() {
        return byCustomer.rows() == 0 ? 0 : OrderTables.numberOf(byCustomer.keyWord(0));
    }

    /** Returns the access of the order that was found. */
    int newestOrderAccess() {
        return byCustomer.access(0);
    }

    /** Finds the oldest order of a district that waits for delivery. */
    boolean findOldestNew(Txn txn, int warehouse, int district) {
        newOrders
                .from(OrderTables.order(warehouse, district, 0))
                .to(OrderTables.order(warehouse, district + 1, 0))
                .begin();
        return txn.scan(newOrders);
    }

    /** Returns the number of the new order that was found; 0 if there was none. */
    int oldestNew() {
        return newOrders.rows() == 0 ? 0 : OrderTables.numberOf(newOrders.keyWord(0));
    }

    /** Finds and reads the lines of some orders of a district, in their order. */
    boolean findLines(Txn txn, int warehouse, int district, int firstOrder, int orders) {
        lines.from(OrderTables.line(warehouse, district, firstOrder, 0))
                .to(OrderTables.line(warehouse, district, firstOrder + orders, 0))
                .limit((long) orders * OrderTables.MAX_LINES)
                .begin();
        count = 0;
        while (lines.hasNext()) {
            if (!txn.scan(lines)) return false;
            for (int i = 0; i < lines.rows(); i++) {
                if (count == lineAccess.length) {
                    lineAccess = Arrays.copyOf(lineAccess, 2 * count);
                    lineKey = Arrays.copyOf(lineKey, 2 * count);
                }
                lineAccess[count] = lines.access(i);
                lineKey[count++] = lines.keyWord(i);
            }
        }
        return true;
    }

    /** Returns the number of lines that were found. */
    int lines() {
        return count;
    }

    int lineAccess(int i) {
        return lineAccess[i];
    }

    /**
     * Returns whether the lines that were found are those of this number of orders, without a gap between orders and
     * between lines of an order.
     */
    boolean areWhole(int firstOrder, int orders) {
        int order = firstOrder - 1;
        int line = 0;
        for (int i = 0; i < count; i++) {
            boolean isNext = OrderTables.orderOf(lineKey[i]) == order + 1;
            boolean isRight = OrderTables.lineOf(lineKey[i]) == (isNext ? 1 : line + 1)
                    && (isNext || OrderTables.orderOf(lineKey[i]) == order);
            if (!isRight) return false;
            order = OrderTables.orderOf(lineKey[i]);
            line = OrderTables.lineOf(lineKey[i]);
        }
        return order == firstOrder + orders - 1;
    }
}
