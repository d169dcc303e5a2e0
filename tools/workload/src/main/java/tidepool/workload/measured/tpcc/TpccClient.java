package tidepool.workload.measured.tpcc;

import tidepool.txn.Txn;
import tidepool.workload.measured.BookClient;
import tidepool.workload.measured.draw.Draw;
import tidepool.workload.measured.draw.Mix;
import tidepool.workload.measured.draw.NonUniform;

/**
 * A client that draws transactions in the mix that the artifacts and the specification share, and runs them. A client
 * stands for terminals of all warehouses: the home warehouse is drawn each time.
 */
final class TpccClient extends BookClient {
    static final int NEW_ORDER = 0;
    static final int PAYMENT = 1;
    static final int ORDER_STATUS = 2;
    static final int DELIVERY = 3;
    static final int STOCK_LEVEL = 4;

    /** Shares by type, in percent (clause 5.2.3). */
    private static final Mix MIX = new Mix(45, 43, 4, 4, 4);

    /** NURand's constants, those of the artifacts. The last differs by 66 from that of the load (clause 2.1.6.1). */
    private static final int ITEM_CONSTANT = 7911;

    private static final int CUSTOMER_CONSTANT = 259;
    private static final int NAME_CONSTANT = TpccLoad.NAME_CONSTANT + 66;

    final TpccSize size;
    final TpccTables tables;
    final int number;

    /** The lookups by index; null where tables replace the indexes. */
    final TpccIndexes indexes;

    private final Draw items;
    private final Draw customers;
    private final Draw names;
    private final TpccTransaction[] transactions;
    private int type;
    private long date = TpccLoad.FIRST_DATE;

    TpccClient(TpccSize size, TpccTables tables, int number, long seed) {
        super(TpccTotals.NAMES.size(), number, seed);
        this.size = size;
        this.tables = tables;
        this.number = number;
        this.indexes = size.isIndexed() ? new TpccIndexes(tables) : null;
        items = new NonUniform(8191, 1, size.items(), ITEM_CONSTANT);
        customers = new NonUniform(1023, 1, size.customers(), CUSTOMER_CONSTANT);
        names = new NonUniform(255, 0, size.names() - 1, NAME_CONSTANT);
        transactions = new TpccTransaction[] {
            new NewOrder(this), new Payment(this), new OrderStatus(this), new Delivery(this), new StockLevel(this)
        };
    }

    @Override
    public int draw() {
        draw(MIX.draw(random));
        return type;
    }

    /** Draws a transaction of one type. */
    void draw(int wanted) {
        type = wanted;
        date++;
        transactions[type].draw(random);
    }

    @Override
    protected boolean attempt(Txn txn) {
        return transactions[type].attempt(txn);
    }

    @Override
    public void committed() {
        super.committed();
        transactions[type].committed();
    }

    /** Called when a transaction gave up. Only a new order with an item that does not exist does. */
    @Override
    public void gaveUp() {
        book()[TpccTotals.ROLLED_BACK]++;
    }

    // ---- for the transactions

    void count(int entry, long amount) {
        note(entry, amount);
    }

    void expectedFailure() {
        miss();
    }

    /** Returns the date. Dates only grow within a client. They use no clock, so a seed decides every byte. */
    long date() {
        return date;
    }

    int drawWarehouse() {
        return 1 + random.nextInt(size.warehouses());
    }

    /** Returns another warehouse, if there is one. */
    int drawOther(int warehouse) {
        if (size.warehouses() == 1) return warehouse;
        int other = 1 + random.nextInt(size.warehouses() - 1);
        return other < warehouse ? other : other + 1;
    }

    int drawDistrict() {
        return 1 + random.nextInt(WarehouseTables.DISTRICTS);
    }

    int drawItem() {
        return (int) items.draw(random);
    }

    int drawCustomer() {
        return (int) customers.draw(random);
    }

    int drawName() {
        return (int) names.draw(random);
    }
}
