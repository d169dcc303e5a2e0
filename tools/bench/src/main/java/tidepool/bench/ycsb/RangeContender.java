package tidepool.bench.ycsb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tidepool.base.Randomness;
import tidepool.bench.race.ClientDriver;
import tidepool.bench.race.Contender;
import tidepool.workload.measured.ycsb.Ycsb;

/** A key store with {@link RangeClerk clerks that scan} in a race of YCSB E. */
public final class RangeContender implements Contender {
    private static final int MAX_TOLD = 10;

    private final KeyStore store;
    private final Ycsb ycsb;
    private final List<RangeDriver> drivers = new ArrayList<>();

    public RangeContender(KeyStore store, Ycsb ycsb) {
        this.store = store;
        this.ycsb = ycsb;
    }

    @Override
    public String settings() {
        return store.settings();
    }

    @Override
    public List<String> types() {
        return ycsb.types();
    }

    @Override
    public ClientDriver driver(int number, int count, long seed) {
        RangeDriver driver =
                new RangeDriver((RangeClerk) store.clerk(), ycsb, number, new Randomness(seed).fork("hand " + number));
        synchronized (drivers) {
            drivers.add(driver);
        }
        return driver;
    }

    @Override
    public Map<String, Long> aborts() {
        synchronized (drivers) {
            return Map.of(
                    "conflict", drivers.stream().mapToLong(RangeDriver::aborts).sum());
        }
    }

    /** Checks that all loaded records are there, and those that drivers have inserted, and no others of theirs. */
    @Override
    public List<String> check() {
        List<String> wrong = new ArrayList<>();
        Clerk clerk = store.clerk();
        byte[] value = new byte[ycsb.valueBytes()];
        for (long record = 0; record < ycsb.records() && wrong.size() < MAX_TOLD; record++)
            require(clerk, ycsb.loaded(record), value, wrong);
        synchronized (drivers) {
            for (RangeDriver driver : drivers) {
                for (long i = 0; i < driver.inserted() && wrong.size() < MAX_TOLD; i++)
                    require(clerk, ycsb.inserted(driver.number(), i), value, wrong);
                if (clerk.read(ycsb.inserted(driver.number(), driver.inserted()), value))
                    wrong.add("driver " + driver.number() + " has inserted more records than it counted");
                if (driver.wrong() > 0)
                    wrong.add(
                            "driver " + driver.number() + " has read " + driver.wrong() + " wrong records and ranges");
            }
        }
        return wrong;
    }

    private static void require(Clerk clerk, long key, byte[] value, List<String> wrong) {
        if (!clerk.read(key, value)) {
            wrong.add("the record of key " + key + " is missing");
            return;
        }
        try {
            Stamp.read(value, key);
        } catch (IllegalStateException e) {
            wrong.add(e.getMessage());
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
