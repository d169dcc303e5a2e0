package tidepool.bench.straw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import tidepool.protocol.Coordinator;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;
import tidepool.workload.measured.WorkloadClient;

/** Several threads at once: nothing is lost, there is no deadlock, and a workload runs as on any protocol. */
class StrawThreadsTest {
    private static final int THREADS = 4;
    private static final int TRANSACTIONS = 20_000;
    private static final int ROWS = 20;

    private static StrawStore loaded(Counters workload) {
        StrawStore store = new StrawStore(workload.tables());
        for (int share = 0; share < 3; share++)
            try (StrawSink rows = store.sink()) {
                workload.load(rows, share, 3);
            }
        return store;
    }

    /** The work of a runner with one client. */
    private static long[] run(StrawStore store, WorkloadClient client) {
        try (Coordinator coordinator = store.coordinator()) {
            for (int i = 0; i < TRANSACTIONS; i++) {
                client.draw();
                while (true) {
                    Txn txn = coordinator.begin();
                    boolean wants = client.run(txn);
                    if (wants && txn.commit() == Outcome.COMMITTED) {
                        client.committed();
                        break;
                    }
                    boolean aborted = txn.abortReason() == AbortReason.LOCKED;
                    txn.rollback();
                    if (aborted) continue;
                    client.gaveUp();
                    break;
                }
            }
        }
        return client.book();
    }

    @Test
    void countersAddUp() throws Exception {
        Counters workload = new Counters(ROWS);
        StrawStore store = loaded(workload);
        long[] book = new long[2];
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<long[]>> books = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                WorkloadClient client = workload.client(store.tables(), i, THREADS, 5);
                books.add(threads.submit(() -> run(store, client)));
            }
            for (Future<long[]> each : books) for (int i = 0; i < book.length; i++) book[i] += each.get()[i];
        }
        assertEquals(List.of(), workload.check(store.source(), book));
        assertTrue(book[0] > 0);

        book[0]++;
        assertEquals(1, workload.check(store.source(), book).size(), "the check can fail");
    }

    /** A request for a held lock out of order is refused, and leaves no lock. */
    @Test
    void outOfOrderAHeldLockAborts() throws Exception {
        Counters workload = new Counters(ROWS);
        StrawStore store = loaded(workload);
        TableLayout table = store.tables().getFirst();
        long low = 0;
        long high = 1;
        if (store.stripe(0, low) > store.stripe(0, high)) {
            low = 1;
            high = 0;
        }
        assertFalse(store.stripe(0, low) == store.stripe(0, high));
        long first = low;
        long second = high;
        try (ExecutorService one = Executors.newSingleThreadExecutor();
                ExecutorService two = Executors.newSingleThreadExecutor()) {
            Coordinator ones = store.coordinator();
            Coordinator twos = store.coordinator();
            Txn holder = ones.begin();
            Txn other = twos.begin();
            holder.update(table, first);
            assertTrue(one.submit(holder::execute).get());
            other.update(table, second);
            assertTrue(two.submit(other::execute).get());

            other.update(table, first);
            assertFalse(two.submit(other::execute).get(), "it would wait for a lock before its own");
            assertEquals(AbortReason.LOCKED, other.abortReason());
            assertEquals(Outcome.ABORTED, two.submit(other::commit).get());

            holder.update(table, second);
            assertTrue(one.submit(holder::execute).get(), "the other has let go");
            assertEquals(Outcome.COMMITTED, one.submit(holder::commit).get());

            Txn again = twos.begin();
            again.update(table, second);
            assertTrue(two.submit(again::execute).get());
            assertTrue(store.lock(store.stripe(0, first)).isLocked(), "this time it begins with all of them");
            again.update(table, first);
            assertTrue(two.submit(again::execute).get());
            assertEquals(Outcome.COMMITTED, two.submit(again::commit).get());
            for (long key : new long[] {first, second})
                assertFalse(store.lock(store.stripe(0, key)).isLocked());
        }
    }

    /** In order a held lock is waited for. */
    @Test
    void inOrderAHeldLockIsWaitedFor() throws Exception {
        Counters workload = new Counters(ROWS);
        StrawStore store = loaded(workload);
        TableLayout table = store.tables().getFirst();
        try (ExecutorService one = Executors.newSingleThreadExecutor();
                ExecutorService two = Executors.newSingleThreadExecutor()) {
            Txn holder = store.coordinator().begin();
            holder.update(table, 0);
            assertTrue(one.submit(holder::execute).get());
            Txn other = store.coordinator().begin();
            other.update(table, 0);
            Future<Boolean> waits = two.submit(other::execute);
            while (!store.lock(store.stripe(0, 0)).hasQueuedThreads()) Thread.onSpinWait();
            assertFalse(waits.isDone());
            assertEquals(Outcome.COMMITTED, one.submit(holder::commit).get());
            assertTrue(waits.get());
            assertEquals(holder.id(), other.version(0));
            assertEquals(Outcome.COMMITTED, two.submit(other::commit).get());
        }
    }
}
