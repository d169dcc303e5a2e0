package tidepool.workload.measured.tpcc;

import java.util.List;
import tidepool.store.TableLayout;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.RowSink;
import tidepool.workload.measured.RowSource;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.TableSpec;
import tidepool.workload.measured.WorkloadClient;
import tidepool.workload.measured.WorkloadOptions;

/** TPC-C: an order-entry business of several warehouses. */
public final class Tpcc implements MeasuredWorkload {
    private final Scale scale;
    private final TpccSize size;

    Tpcc(Scale scale, TpccSize size) {
        this.scale = scale;
        this.size = size;
    }

    /** Makes the workload from its options: {@code tpcc?warehouses=4&orders=1m}. */
    public static Tpcc of(WorkloadOptions options, Scale scale) {
        boolean paper = scale == Scale.PAPER;
        int warehouses = (int) options.number("warehouses", paper ? 8 : 4, 1, TpccSize.MAX_WAREHOUSES);
        int customers =
                (int) options.number("customers", paper ? 300 : 3_000, TpccSize.MIN_CUSTOMERS, TpccSize.MAX_CUSTOMERS);
        int items = (int) options.number("items", paper ? 10_000 : 100_000, 100, TpccSize.MAX_ITEMS);
        long orders = options.number("orders", 300_000, 1, 400_000_000);
        return new Tpcc(scale, TpccSize.of(scale, warehouses, customers, items, orders));
    }

    @Override
    public String name() {
        return "tpcc";
    }

    @Override
    public String settings() {
        return size.warehouses() + " warehouses of 10 districts, " + size.customers() + " customers each, "
                + size.items() + " items, room for " + size.orders() + " new orders, scale " + scale.text();
    }

    @Override
    public List<String> types() {
        return List.of("new-order", "payment", "order-status", "delivery", "stock-level");
    }

    @Override
    public List<TableSpec> tables() {
        return TpccTables.of(size);
    }

    @Override
    public List<String> books() {
        return TpccTotals.NAMES;
    }

    @Override
    public void load(RowSink rows, int share, int shares) {
        new TpccLoad(size, rows).load(share, shares);
    }

    @Override
    public WorkloadClient client(List<TableLayout> tables, int number, int clients, long seed) {
        return new TpccClient(size, new TpccTables(tables), number, seed);
    }

    @Override
    public List<String> check(RowSource rows, long[] book) {
        return new TpccCheck(size, rows, book).check();
    }
}
