package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tidepool.base.Randomness;
import tidepool.store.schema.Schema;
import tidepool.workload.measured.RowSink;
import tidepool.workload.measured.draw.NonUniform;

/**
 * The first rows (clause 4.3.3.1). Each district has a stream of random numbers of its own, and a tenth of the items and
 * of its warehouse's stock beside it, so the rows are the same in however many shares they are written.
 */
final class TpccLoad {
    /** NURand's constant for last names while loading; that of a run differs from it as clause 2.1.6.1 wants. */
    static final int NAME_CONSTANT = 157;

    /** The date of whatever was there before the run. */
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
            int warehouse = number / Places.DISTRICTS + 1;
            int district = number % Places.DISTRICTS + 1;
            random = SEED.fork("district " + number);
            if (district == 1) warehouse(warehouse);
            district(warehouse, district);
            for (int i = district; i <= size.items(); i += Places.DISTRICTS) stock(warehouse, i);
            customers(warehouse, district);
            orders(warehouse, district);
        }
    }

    private void item(int item) {
        random = SEED.fork("item " + item);
        long at = rows.row(TpccTables.ITEM, Goods.item(item));
        Goods.I_IM_ID.set(memory(), at, 1 + random.nextInt(10_000));
        Texts.letters(random, memory(), at, Goods.I_NAME, 14, 24);
        Goods.I_PRICE.set(memory(), at, 1_00 + random.nextInt(99_01));
        Texts.data(random, memory(), at, Goods.I_DATA);
    }

    private void warehouse(int warehouse) {
        long at = rows.row(TpccTables.WAREHOUSE, Places.warehouse(warehouse));
        address(Places.WAREHOUSE, at);
        Texts.letters(random, memory(), at, Places.W_NAME, 6, Places.NAME_BYTES);
        Places.W_TAX.set(memory(), at, random.nextInt(2001));
        Places.W_YTD.set(memory(), at, Places.DISTRICTS * size.paidFirst());
    }

    private void district(int warehouse, int district) {
        long at = rows.row(TpccTables.DISTRICT, Places.district(warehouse, district));
        address(Places.DISTRICT, at);
        Texts.letters(random, memory(), at, Places.D_NAME, 6, Places.NAME_BYTES);
        Places.D_TAX.set(memory(), at, random.nextInt(2001));
        Places.D_YTD.set(memory(), at, size.paidFirst());
        Places.D_NEXT_O_ID.set(memory(), at, size.customers() + 1);
        at = rows.row(TpccTables.OLDEST, Places.district(warehouse, district));
        Orders.OLDEST_O_ID.set(memory(), at, size.deliveredFirst() + 1);
    }

    private void address(Schema schema, long at) {
        for (String line : List.of("street_1", "street_2", "city"))
            Texts.letters(random, memory(), at, schema.field(line), 10, 20);
        Texts.letters(random, memory(), at, schema.field("state"), 2, 2);
        Texts.zip(random, memory(), at, schema.field("zip"));
    }

    private void stock(int warehouse, int item) {
        long at = rows.row(TpccTables.STOCK, Goods.stock(warehouse, item));
        Goods.S_QUANTITY.set(memory(), at, (short) (10 + random.nextInt(91)));
        for (int district = 1; district <= Places.DISTRICTS; district++)
            Texts.letters(random, memory(), at, Goods.dist(district), Goods.DIST_BYTES, Goods.DIST_BYTES);
        Texts.data(random, memory(), at, Goods.S_DATA);
    }

    // ---- customers, what they have paid, and who has which name

    private record Named(String first, int customer) {}

    private void customers(int warehouse, int district) {
        Map<Integer, List<Named>> names = new TreeMap<>();
        NonUniform drawn = new NonUniform(255, 0, size.names() - 1, NAME_CONSTANT);
        for (int customer = 1; customer <= size.customers(); customer++) {
            // The first thousand have one of the names each, so that there is nobody to be looked up in vain.
            int name = customer <= size.names() ? customer - 1 : (int) drawn.draw(random);
            String first = customer(warehouse, district, customer, name);
            names.computeIfAbsent(name, _ -> new ArrayList<>()).add(new Named(first, customer));
            firstPayment(warehouse, district, customer);
        }
        names.forEach((name, namesakes) -> {
            namesakes.sort(Comparator.comparing(Named::first).thenComparingInt(Named::customer));
            long at = rows.row(TpccTables.NAMESAKES, People.name(warehouse, district, name));
            for (Named each : namesakes) People.addNamesake(memory(), at, each.customer());
        });
    }

    /** Returns the first name. */
    private String customer(int warehouse, int district, int customer, int name) {
        long at = rows.row(TpccTables.CUSTOMER, People.customer(warehouse, district, customer));
        address(People.CUSTOMER, at);
        Texts.letters(random, memory(), at, People.C_FIRST, 8, 16);
        People.CUSTOMER.stringField("middle").set(memory(), at, "OE");
        People.C_LAST.set(memory(), at, Texts.lastName(name));
        Texts.digits(random, memory(), at, People.CUSTOMER.field("phone"), 16);
        People.CUSTOMER.longField("since").set(memory(), at, FIRST_DATE);
        People.C_CREDIT.set(memory(), at, random.chance(1, 10) ? "BC" : "GC");
        People.CUSTOMER.longField("credit_lim").set(memory(), at, 50_000_00);
        People.C_DISCOUNT.set(memory(), at, random.nextInt(5001));
        People.C_BALANCE.set(memory(), at, -People.FIRST_PAYMENT);
        People.C_YTD_PAYMENT.set(memory(), at, People.FIRST_PAYMENT);
        People.C_PAYMENT_CNT.set(memory(), at, 1);
        Texts.letters(random, memory(), at, People.C_DATA, 300, People.DATA_BYTES);
        return People.C_FIRST.get(memory(), at);
    }

    private void firstPayment(int warehouse, int district, int customer) {
        long at = rows.row(TpccTables.HISTORY, People.firstPayment(warehouse, district, customer));
        People.H_C_ID.set(memory(), at, (short) customer);
        People.H_C_D_ID.set(memory(), at, (byte) district);
        People.H_C_W_ID.set(memory(), at, (short) warehouse);
        People.H_D_ID.set(memory(), at, (byte) district);
        People.H_W_ID.set(memory(), at, (short) warehouse);
        People.H_DATE.set(memory(), at, FIRST_DATE);
        People.H_AMOUNT.set(memory(), at, People.FIRST_PAYMENT);
        Texts.letters(random, memory(), at, People.H_DATA, 12, 24);
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
        int lines = Orders.LEAST_LINES + random.nextInt(Orders.MOST_LINES - Orders.LEAST_LINES + 1);
        long at = rows.row(TpccTables.ORDER, Orders.order(warehouse, district, order));
        Orders.O_C_ID.set(memory(), at, customer);
        Orders.O_ENTRY_D.set(memory(), at, FIRST_DATE);
        if (delivered) Orders.O_CARRIER_ID.set(memory(), at, (byte) (1 + random.nextInt(10)));
        Orders.O_OL_CNT.set(memory(), at, (byte) lines);
        Orders.O_ALL_LOCAL.set(memory(), at, (byte) 1);
        at = rows.row(TpccTables.LAST_ORDER, People.customer(warehouse, district, customer));
        People.LO_O_ID.set(memory(), at, order);
        People.LO_OL_CNT.set(memory(), at, lines);
        if (!delivered) {
            at = rows.row(TpccTables.NEW_ORDER, Orders.order(warehouse, district, order));
            Orders.NO_ENTRY_D.set(memory(), at, FIRST_DATE);
        }
        for (int line = 1; line <= lines; line++) line(warehouse, district, order, line, delivered);
    }

    private void line(int warehouse, int district, int order, int line, boolean delivered) {
        long at = rows.row(TpccTables.ORDER_LINE, Orders.line(warehouse, district, order, line));
        Orders.OL_I_ID.set(memory(), at, 1 + random.nextInt(size.items()));
        Orders.OL_SUPPLY_W_ID.set(memory(), at, (short) warehouse);
        if (delivered) Orders.OL_DELIVERY_D.set(memory(), at, FIRST_DATE);
        Orders.OL_QUANTITY.set(memory(), at, (byte) 5);
        Orders.OL_AMOUNT.set(memory(), at, delivered ? 0 : 1 + random.nextInt(9999_99));
        Texts.letters(random, memory(), at, Orders.OL_DIST_INFO, Goods.DIST_BYTES, Goods.DIST_BYTES);
    }

    private MemorySegment memory() {
        return rows.memory();
    }
}
