package tidepool.bench.ordered;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tidepool.base.Randomness;
import tidepool.bench.race.ClientDriver;
import tidepool.bench.race.Contender;
import tidepool.store.TableLayout;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.WorkloadClient;

/** An ordered store in a race: the same transactions as on our own pools, and the workload's own check. */
public final class OrderedContender implements Contender {
    private final OrderedStore store;
    private final MeasuredWorkload workload;
    private final List<TableLayout> tables;
    private final List<WorkloadClient> clients = new ArrayList<>();
    private final List<OrderedDriver> drivers = new ArrayList<>();

    public OrderedContender(OrderedStore store, MeasuredWorkload workload) {
        this.store = store;
        this.workload = workload;
        List<TableLayout> layouts = new ArrayList<>();
        workload.tables().forEach(table -> layouts.add(new TableLayout(layouts.size(), table.schema(), 1, 1, 1, 0, 0)));
        tables = List.copyOf(layouts);
        try (OrderedSink rows = new OrderedSink(new OrderedTxn(store.session(), tables), tables)) {
            workload.load(rows, 0, 1);
        }
    }

    @Override
    public String settings() {
        return store.settings();
    }

    @Override
    public List<String> types() {
        return workload.types();
    }

    @Override
    public ClientDriver driver(int number, int count, long seed) {
        WorkloadClient client = workload.client(tables, number, count, seed);
        Randomness random = new Randomness(seed).fork("pauses of hand " + number);
        OrderedDriver driver = new OrderedDriver(new OrderedTxn(store.session(), tables), workload, client, random);
        synchronized (clients) {
            clients.add(client);
            drivers.add(driver);
        }
        return driver;
    }

    @Override
    public Map<String, Long> aborts() {
        synchronized (clients) {
            return Map.of(
                    "conflict",
                    drivers.stream().mapToLong(OrderedDriver::aborts).sum());
        }
    }

    @Override
    public List<String> check() {
        long[] book = new long[workload.books().size()];
        synchronized (clients) {
            for (WorkloadClient client : clients) for (int i = 0; i < book.length; i++) book[i] += client.book()[i];
        }
        return workload.check(new OrderedSource(store.session()), book);
    }

    @Override
    public void close() {
        store.close();
    }
}
