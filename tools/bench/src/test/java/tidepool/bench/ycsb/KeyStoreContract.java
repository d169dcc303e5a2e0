package tidepool.bench.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Randomness;

/** The contract of every key store. Without it a comparison would mean nothing. */
public abstract class KeyStoreContract {
    static final int RECORDS = 300;
    static final int BYTES = 40;
    private static final int THREADS = 2;
    private static final int OPERATIONS = 20_000;
    private static final int HOT = 4;

    @TempDir
    protected Path folder;

    /** Makes and loads the store. */
    protected abstract KeyStore open(KeyStoreOptions options);

    /** Returns the name of the contender on the command line. */
    protected abstract String name();

    final KeyStore store() {
        return open(new KeyStoreOptions(name(), folder, RECORDS, 0, 0, BYTES, THREADS));
    }

    private static long read(Clerk clerk, long key) {
        byte[] value = new byte[BYTES];
        assertTrue(clerk.read(key, value), "key " + key);
        return Stamp.read(value, key);
    }

    private static void update(Clerk clerk, long key, long stamp) {
        byte[] value = new byte[BYTES];
        Stamp.write(value, key, stamp);
        clerk.update(key, value);
    }

    /** All records exist at the beginning, and no others. */
    @Test
    void itBeginsFull() {
        try (KeyStore store = store()) {
            Clerk clerk = store.clerk();
            for (long key = 0; key < RECORDS; key++) assertEquals(0, read(clerk, key), "key " + key);
            assertFalse(clerk.read(RECORDS, new byte[BYTES]));
            assertFalse(store.settings().isEmpty());
        }
    }

    /** An update is read by its writer and by others, and the store does not keep the writer's array. */
    @Test
    void anUpdateIsRead() {
        try (KeyStore store = store()) {
            Clerk clerk = store.clerk();
            Clerk other = store.clerk();
            byte[] value = new byte[BYTES];
            for (long key = 0; key < RECORDS; key += 7) {
                Stamp.write(value, key, key + 1);
                clerk.update(key, value);
            }
            for (long key = 0; key < RECORDS; key++) {
                long expected = key % 7 == 0 ? key + 1 : 0;
                assertEquals(expected, read(clerk, key), "key " + key);
                assertEquals(expected, read(other, key), "key " + key);
            }
            assertEquals(0, clerk.aborts());
        }
    }

    /**
     * Each key has one writer, who counts up; all threads read. Each value read is whole and never older than an
     * earlier value read by that thread. A writer reads its own writes, and the last updates exist at the end.
     */
    @Test
    void threadsSeeWholeRecordsThatOnlyGetNewer() throws Exception {
        try (KeyStore store = store();
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Future<long[]>> writers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                writers.add(threads.submit(() -> {
                    Clerk clerk = store.clerk();
                    start.await();
                    return work(clerk, number);
                }));
            }
            long[] expected = new long[HOT];
            for (Future<long[]> writer : writers) {
                long[] written = writer.get();
                for (int key = 0; key < HOT; key++) expected[key] += written[key];
            }
            Clerk clerk = store.clerk();
            for (int key = 0; key < HOT; key++) {
                assertTrue(expected[key] > 0);
                assertEquals(expected[key], read(clerk, key), "key " + key);
            }
        }
    }

    /** Returns the last stamps that the thread wrote, 0 for keys of other threads. */
    private static long[] work(Clerk clerk, int number) {
        Randomness random = new Randomness(17 + number);
        long[] seen = new long[HOT];
        long[] written = new long[HOT];
        for (int i = 0; i < OPERATIONS; i++) {
            int key = random.nextInt(HOT);
            boolean mine = key % THREADS == number;
            if (mine && random.chance(1, 2)) {
                update(clerk, key, ++written[key]);
                seen[key] = written[key];
            } else {
                long stamp = read(clerk, key);
                assertTrue(mine ? stamp == seen[key] : stamp >= seen[key], "key " + key + " goes back in time");
                seen[key] = stamp;
            }
        }
        return written;
    }
}
