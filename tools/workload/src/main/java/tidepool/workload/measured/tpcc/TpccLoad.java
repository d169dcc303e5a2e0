package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tidepool.base.Randomness;
import tidepool.schema.Fields.StringField;
import tidepool.schema.Schema;
import tidepool.workload.measured.RowSink;
import tidepool.workload.measured.draw.NonUniform;

/**
 * The initial rows (clause 4.3.3.1). Each district has its own stream of random numbers, and also writes a tenth of the
 * items and of its warehouse's stock. So the rows are equal for any number of shares.
 */
final class TpccLoad {
    /** NURand's constant for last names in the load; that of a run differs from it as clause 2.1.6.1 demands. */
    static final int NAME_CONSTANT = 157;

    /** The date of all rows from before the run. */
    static final long FIRST_DATE = 1;

    private static final Randomness SEED = new Randomness(0x7bcc);

    private final TpccSize size;
    private final RowSink rows;
    private Randomness random = SEED;

    TpccLoad(TpccSize size, RowSink rows) {
        this.size = size;
        this.rows = rows;
    }

    void load(int share, int shares) {
        for (int i = 1 + share; i <= size.items(); i += shares) item(i);
        for (int number = share; number < size.districts(); number += shares) {
            int warehouse = number / WarehouseTables.DISTRICTS + 1;
            int district = number % WarehouseTables.DISTRICTS + 1;
            random = SEED.fork("district " + number);
            if (district == 1) warehouse(warehouse);
            district(warehouse, district);
            for (int i = district; i <= size.items(); i += WarehouseTables.DISTRICTS) stock(warehouse, i);
            customers(warehouse, district);
            orders(warehouse, district);
        }
    }

    private void item(int item) {
        random = SEED.fork("item " + item);
        long at = rows.row(TpccTables.ITEM, ItemTables.item(item));
        ItemTables.I_IM_ID.set(memory(), at, 1 + random.nextInt(10_000));
        Texts.letters(random, memory(), at, ItemTables.I_NAME, 14, 24);
        ItemTables.I_PRICE.set(memory(), at, 1_00 + random.nextInt(99_01));
        Texts.data(random, memory(), at, ItemTables.I_DATA);
    }

    private void warehouse(int warehouse) {
        long at = rows.row(TpccTables.WAREHOUSE, WarehouseTables.warehouse(warehouse));
        address(WarehouseTables.WAREHOUSE, at);
        Texts.letters(random, memory(), at, WarehouseTables.W_NAME, 6, WarehouseTables.NAME_BYTES);
        WarehouseTables.W_TAX.set(memory(), at, random.nextInt(2001));
        WarehouseTables.W_YTD.set(memory(), at, WarehouseTables.DISTRICTS * size.paidFirst());
    }

    private void district(int warehouse, int district) {
        long at = rows.row(TpccTables.DISTRICT, WarehouseTables.district(warehouse, district));
        address(WarehouseTables.DISTRICT, at);
        Texts.letters(random, memory(), at, WarehouseTables.D_NAME, 6, WarehouseTables.NAME_BYTES);
        WarehouseTables.D_TAX.set(memory(), at, random.nextInt(2001));
        WarehouseTables.D_YTD.set(memory(), at, size.paidFirst());
        WarehouseTables.D_NEXT_O_ID.set(memory(), at, size.customers() + 1);
        if (size.isIndexed()) return;
        at = rows.row(TpccTables.OLDEST, WarehouseTables.district(warehouse, district));
        OrderTables.OLDEST_O_ID.set(memory(), at, size.deliveredFirst() + 1);
    }

    private void address(Schema schema, long at) {
        for (String line : List.of("street_1", "street_2", "city"))
            Texts.letters(random, memory(), at, schema.field(line), 10, 20);
        Texts.letters(random, memory(), at, schema.field("state"), 2, 2);
        Texts.zip(random, memory(), at, schema.field("zip"));
    }

    private void stock(int warehouse, int item) {
        long at = rows.row(TpccTables.STOCK, ItemTables.stock(warehouse, item));
        ItemTables.S_QUANTITY.set(memory(), at, (short) (10 + random.nextInt(91)));
        for (int district = 1; district <= WarehouseTables.DISTRICTS; district++)
            Texts.letters(
                    random, memory(), at, ItemTables.dist(district), ItemTables.DIST_BYTES, ItemTables.DIST_BYTES);
        Texts.data(random, memory(), at, ItemTables.S_DATA);
    }

    // ---- customers, their payments, and the customers of each name

    private record Named(String first, int customer) {}

    private void customers(int warehouse, int district) {
        Map<Integer, List<Named>> names = new TreeMap<>();
        NonUniform drawn = new NonUniform(255, 0, size.names() - 1, NAME_CONSTANT);
        for (int customer = 1; customer <= size.customers(); customer++) {
            // The first thousand have one of the names each, so every name that is looked up exists.
            int name = customer <= size.names() ? customer - 1 : (int) drawn.draw(random);
            String first = customer(warehouse, district, customer, name);
            names.computeIfAbsent(name, _ -> new ArrayList<>()).add(new Named(first, customer));
            firstPayment(warehouse, district, customer);
        }
        if (size.isIndexed()) return;
        names.forEach((name, namesakes) -> {
            namesakes.sort(Comparator.comparing(Named::first).thenComparingInt(Named::customer));
            long at = rows.row(TpccTables.NAMESAKES, CustomerTables.name(warehouse, district, name));
            for (Named each : namesakes) CustomerTables.addNamesake(memory(), at, each.customer());
        });
    }

    /** Writes a customer. Returns the first name. */
    private String customer(int warehouse, int district, int customer, int name) {
        long at = rows.row(TpccTables.CUSTOMER, CustomerTables.customer(warehouse, district, customer));
        Schema schema = size.isIndexed() ? CustomerTables.INDEXED_CUSTOMER : CustomerTables.CUSTOMER;
        StringField first = schema.stringField("first");
        address(schema, at);
        Texts.letters(random, memory(), at, first, 8, CustomerTables.NAME_BYTES);
        schema.stringField("middle").set(memory(), at, "OE");
        schema.stringField("last").set(memory(), at, Texts.lastName(name));
        Texts.digits(random, memory(), at, schema.field("phone"), 16);
        schema.longField("since").set(memory(), at, FIRST_DATE);
        schema.stringField("credit").set(memory(), at, random.chance(1, 10) ? "BC" : "GC");
        schema.longField("credit_lim").set(memory(), at, 50_000_00);
        CustomerTables.C_DISCOUNT.set(memory(), at, random.nextInt(5001));
        CustomerTables.C_BALANCE.set(memory(), at, -CustomerTables.FIRST_PAYMENT);
        CustomerTables.C_YTD_PAYMENT.set(memory(), at, CustomerTables.FIRST_PAYMENT);
        CustomerTables.C_PAYMENT_CNT.set(memory(), at, 1);
        Texts.letters(random, memory(), at, schema.field("data"), 300, CustomerTables.DATA_BYTES);
        if (size.isIndexed()) {
            CustomerTables.C_W_ID.set(memory(), at, (short) warehouse);
            CustomerTables.C_D_ID.set(memory(), at, (byte) district);
        }
        return first.get(memory(), at);
    }

    private void firstPayment(int warehouse, int district, int customer) {
        long at = rows.row(TpccTables.HISTORY, CustomerTables.firstPayment(warehouse, district, customer));
        CustomerTables.H_C_ID.set(memory(), at, (short) customer);
        CustomerTables.H_C_D_ID.set(memory(), at, (byte) district);
        CustomerTables.H_C_W_ID.set(memory(), at, (short) warehouse);
        CustomerTables.H_D_ID.set(memory(), at, (byte) district);
        CustomerTables.H_W_ID.set(memory(), at, (short) warehouse);
        CustomerTables.H_DATE.set(memory(), at, FIRST_DATE);
        CustomerTables.H_AMOUNT.set(memory(), at, CustomerTables.FIRST_PAYMENT);
        Texts.letters(random, memory(), at, CustomerTables.H_DATA, 12, 24);
    }

    // ---- orders, one of each customer

    private void orders(int warehouse, int district) {
        int[] customers = new int[size.customers()];
        for (int i = 0; i < customers.length; i++) customers[i] = i + 1;
        random.shuffle(customers);
        for (int order = 1; order <= customers.length; order++) order(warehouse, district, order, customers[order - 1]);
    }

    private void order(int warehouse, int district, int order, int customer) {
        boolean delivered = order <= size.deliveredFirst();
        int lines = OrderTables.MIN_LINES + random.nextInt(OrderTables.MAX_LINES - OrderTables.MIN_LINES + 1);
        long at = rows.row(TpccTables.ORDER, OrderTables.order(warehouse, district, order));
        OrderTables.O_C_ID.set(memory(), at, customer);
        OrderTables.O_ENTRY_D.set(memory(), at, FIRST_DATE);
        if (delivered) OrderTables.O_CARRIER_ID.set(memory(), at, (byte) (1 + random.nextInt(10)));
        OrderTables.O_OL_CNT.set(memory(), at, (byte) lines);
        OrderTables.O_ALL_LOCAL.set(memory(), at, (byte) 1);
        if (!size.isIndexed()) {
            at = rows.row(TpccTables.LAST_ORDER, CustomerTables.customer(warehouse, district, customer));
            CustomerTables.LO_O_ID.set(memory(), at, order);
            CustomerTables.LO_OL_CNT.set(memory(), at, lines);
        }
        if (!delivered) {
            at = rows.row(TpccTables.NEW_ORDER, OrderTables.order(warehouse, district, order));
            OrderTables.NO_ENTRY_D.set(memory(), at, FIRST_DATE);
        }
        for (int line = 1; line <= lines; line++) line(warehouse, district, order, line, delivered);
    }

    private void line(int warehouse, int district, int order, int line, boolean delivered) {
        long at = rows.row(TpccTables.ORDER_LINE, OrderTables.line(warehouse, district, order, line));
        OrderTables.OL_I_ID.set(memory(), at, 1 + random.nextInt(size.items()));
        OrderTables.OL_SUPPLY_W_ID.set(memory(), at, (short) warehouse);
        if (delivered) OrderTables.OL_DELIVERY_D.set(memory(), at, FIRST_DATE);
        OrderTables.OL_QUANTITY.set(memory(), at, (byte) 5);
        OrderTables.OL_AMOUNT.set(memory(), at, delivered ? 0 : 1 + random.nextInt(9999_99));
        Texts.letters(random, memory(), at, OrderTables.OL_DIST_INFO, ItemTables.DIST_BYTES, ItemTables.DIST_BYTES);
    }

    private MemorySegment memory() {
        return rows.memory();
    }
}
