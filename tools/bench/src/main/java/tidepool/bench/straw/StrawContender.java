package tidepool.bench.straw;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tidepool.base.Randomness;
import tidepool.bench.race.ClientDriver;
import tidepool.bench.race.Contender;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.WorkloadClient;

/** The straw-man in a race. It runs any workload, and the workload's own check checks it. */
public final class StrawContender implements Contender {
    private final MeasuredWorkload workload;
    private final StrawStore store;
    private final List<WorkloadClient> clients = new ArrayList<>();
    private final List<StrawDriver> drivers = new ArrayList<>();

    public StrawContender(MeasuredWorkload workload) {
        this.workload = workload;
        this.store = new StrawStore(workload.tables());
        try (StrawSink rows = store.sink()) {
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
        WorkloadClient client = workload.client(store.tables(), number, count, seed);
        StrawDriver driver =
                new StrawDriver(store.coordinator(), client, new Randomness(seed).fork("pauses of hand " + number));
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
                    "locked", drivers.stream().mapToLong(StrawDriver::aborts).sum());
        }
    }

    @Override
    public List<String> check() {
        long[] book = new long[workload.books().size()];
        synchronized (clients) {
            for (WorkloadClient client : clients) for (int i = 0; i < book.length; i++) book[i] += client.book()[i];
        }
        return workload.check(store.source(), book);
    }

    @Override
    public void close() {}
}
