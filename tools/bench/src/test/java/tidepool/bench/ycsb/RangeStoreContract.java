package tidepool.bench.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.bench.race.Contender;
import tidepool.bench.race.Trial;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;
import tidepool.workload.measured.ycsb.Ycsb;

/** The contract of every key store that runs YCSB E. */
public abstract class RangeStoreContract {
    static final int RECORDS = 200;

    @TempDir
    protected Path folder;

    private final Ycsb ycsb = (Ycsb) Workloads.named("ycsb-e?inserts=20k&records=" + RECORDS, Scale.SPEC);

    /** Makes and loads the store. */
    protected abstract KeyStore open(KeyStoreOptions options);

    final KeyStore store() {
        return open(
                new KeyStoreOptions("any", folder, RECORDS, Ycsb.SPREAD_SHIFT, ycsb.inserts(), ycsb.valueBytes(), 2));
    }

    /** A scan begins at the key, also where no record is, has as many records as asked for, and ends at the last. */
    @Test
    void scansAreInTheOrderOfKeys() {
        try (KeyStore store = store()) {
            RangeClerk clerk = (RangeClerk) store.clerk();
            assertEquals(List.of(0L, 1L, 2L), scan(clerk, 0, 3));
            assertEquals(List.of(8L, 9L), scan(clerk, ycsb.loaded(7) + 1, 2));
            assertEquals(List.of(198L, 199L), scan(clerk, ycsb.loaded(198), 100));
            assertEquals(List.of(), scan(clerk, ycsb.loaded(199) + 1, 100));

            byte[] value = new byte[ycsb.valueBytes()];
            long between = ycsb.loaded(1) + 5;
            Stamp.write(value, between, 0);
            clerk.insert(between, value);
            assertEquals(List.of(1L, 1L, 2L), scan(clerk, ycsb.loaded(1), 3));
            assertEquals(List.of(1L, 2L), scan((RangeClerk) store.clerk(), between, 2));
            assertTrue(clerk.read(between, value));
        }
    }

    private static List<Long> scan(RangeClerk clerk, long from, int limit) {
        List<Long> found = new ArrayList<>();
        clerk.scan(from, limit, (key, value) -> {
            assertTrue(Stamp.isOf(value, key), "key " + key);
            found.add(Ycsb.record(key));
        });
        return found;
    }

    /** Two threads scan and insert, and all is there at the end. */
    @Test
    void threadsLeaveAllInOrder() {
        try (Contender contender = new RangeContender(store(), ycsb)) {
            assertTrue(Trial.run(contender, 2, 3, 100) > 0);
            assertEquals(List.of(), contender.check());
        }
    }
}
