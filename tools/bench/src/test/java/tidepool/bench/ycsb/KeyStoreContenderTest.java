package tidepool.bench.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.bench.race.Contender;
import tidepool.bench.race.Trial;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;
import tidepool.workload.measured.ycsb.Ycsb;

/** A key store in a race runs YCSB's operations, and its check can fail. */
class KeyStoreContenderTest {
    private static final int RECORDS = 100;

    @TempDir
    Path folder;

    private final Ycsb ycsb = (Ycsb) Workloads.named("ycsb-a?records=" + RECORDS, Scale.SPEC);

    private KeyStore map() {
        return new MapStore(new KeyStoreOptions("chm", folder, RECORDS, 0, 0, ycsb.valueBytes(), 2));
    }

    @Test
    void aStoreThatLosesNothingIsRight() {
        try (Contender contender = new KeyStoreContender(map(), ycsb)) {
            assertTrue(Trial.run(contender, 2, 3, 50) > 0);
            assertEquals(List.of(), contender.check());
        }
    }

    /** A store that forgets one update in a hundred holds an older record than the last one written. */
    @Test
    void aLostUpdateIsNoticed() {
        try (Contender contender = new KeyStoreContender(new Forgetful(map(), 100), ycsb)) {
            // The last update of some key is among the forgotten ones soon enough.
            boolean noticed = false;
            for (int i = 0; i < 20 && !noticed; i++) {
                Trial.run(contender, 2, i, 20);
                noticed = !contender.check().isEmpty();
            }
            assertTrue(noticed);
        }
    }

    /** A store that never writes anything is found out at once. */
    @Test
    void aStoreThatIgnoresUpdatesIsNoticed() {
        try (Contender contender = new KeyStoreContender(new Forgetful(map(), 1), ycsb)) {
            Trial.run(contender, 1, 3, 20);
            assertFalse(contender.check().isEmpty());
        }
    }

    /** A planted bug: one update in {@code every} is reported as done and is not. */
    private record Forgetful(KeyStore store, int every) implements KeyStore {
        @Override
        public Clerk clerk() {
            Clerk clerk = store.clerk();
            return new Clerk() {
                private int count;

                @Override
                public boolean read(long key, byte[] into) {
                    return clerk.read(key, into);
                }

                @Override
                public void update(long key, byte[] value) {
                    if (++count % every != 0) clerk.update(key, value);
                }

                @Override
                public long aborts() {
                    return clerk.aborts();
                }
            };
        }

        @Override
        public String settings() {
            return "forgets";
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
