package tidepool.bench.ycsb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tidepool.base.Randomness;
import tidepool.bench.race.ClientDriver;
import tidepool.bench.race.Contender;
import tidepool.workload.measured.ycsb.Ycsb;

/**
 * A key store in a race. Drivers update records blindly, so updates cannot be counted. But each driver knows its last
 * write to every key, and in the end a record holds the last write of one of them.
 */
public final class KeyStoreContender implements Contender {
    private final KeyStore store;
    private final Ycsb ycsb;
    private final int records;
    private final List<KeyStoreDriver> drivers = new ArrayList<>();

    public KeyStoreContender(KeyStore store, Ycsb ycsb) {
        this.store = store;
        this.ycsb = ycsb;
        this.records = Math.toIntExact(ycsb.records());
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
        Randomness random = new Randomness(seed).fork("hand " + number);
        Clerk clerk = store.clerk();
        KeyStoreDriver driver = clerk instanceof PipelinedClerk several && several.outstanding() > 1
                ? new PipelinedKeyStoreDriver(several, ycsb, number, random)
                : new KeyStoreDriver(clerk, ycsb, number, random);
        synchronized (drivers) {
            drivers.add(driver);
        }
        return driver;
    }

    @Override
    public Map<String, Long> aborts() {
        synchronized (drivers) {
            return Map.of(
                    "conflict",
                    drivers.stream().mapToLong(KeyStoreDriver::aborts).sum());
        }
    }

    @Override
    public List<String> check() {
        List<String> wrong = new ArrayList<>();
        Clerk clerk = store.clerk();
        byte[] value = new byte[ycsb.valueBytes()];
        synchronized (drivers) {
            for (int key = 0; key < records && wrong.size() < 10; key++) {
                String finding = clerk.read(key, value) ? judge(key, value) : "is missing";
                if (finding != null) wrong.add("the record of key " + key + " " + finding);
            }
        }
        return wrong;
    }

    /** Returns the fault of a record; null if it has none. */
    private String judge(int key, byte[] value) {
        long stamp;
        try {
            stamp = Stamp.read(value, key);
        } catch (IllegalStateException e) {
            return "is not whole";
        }
        boolean written = false;
        for (KeyStoreDriver driver : drivers) {
            if (stamp != 0 && driver.last(key) == stamp) return null;
            written |= driver.last(key) != 0;
        }
        return stamp == 0 && !written ? null : "is not the last that anybody wrote";
    }

    @Override
    public void close() {
        store.close();
    }
}
