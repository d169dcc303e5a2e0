package tidepool.workload.measured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.protocol.ForwardingTxn;
import tidepool.store.TableLayout;

/**
 * The contract of every measured workload, on FORD in memory. It can be loaded in shares, run by several threads and
 * checked. The check fails when a write, a whole transaction or an update of another client is lost. Equal seeds give
 * equal transactions. Nothing is allocated.
 */
@Timeout(300)
public abstract class MeasuredWorkloadContract {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int CLIENTS = 3;
    private static final int TRANSACTIONS = 1_000;
    private static final int LOST_EVERY = 20;

    protected Tidepool pool;
    protected MeasuredWorkload workload;
    protected List<TableLayout> tables;

    /** A small one. */
    protected abstract MeasuredWorkload small();

    /** Whether the client changes anything at all; without that there is nothing to lose. */
    protected boolean writes() {
        return true;
    }

    /** Whether it changes rows that are there. */
    protected boolean updates() {
        return writes();
    }

    /** The most bytes that a thousand transactions may allocate; more than none where indexes get new nodes. */
    protected long allocatedBytes() {
        return 0;
    }

    /** Memory of each copy of a partition. */
    protected String memory() {
        return "16m";
    }

    @BeforeEach
    void load() throws InterruptedException {
        workload = small();
        pool = Tidepool.open("mem:?nodes=3&replicas=2&memory=" + memory());
        tables = PoolTables.open(pool, workload);
        onThreads(2, share -> PoolLoader.load(pool, tables, workload, share, 2));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void loadedStoreIsAsItShouldBe() {
        assertEquals(
                List.of(),
                PoolRows.check(pool, tables, workload, new long[workload.books().size()]));
    }

    /** The reason for it all: several clients at once, and afterwards everything adds up. */
    @Test
    void severalClientsLeaveWhatTheyCommitted() throws InterruptedException {
        long[] book = runClients(() -> null, false);

        assertEquals(List.of(), check(book));
        assertTrue(sum(book) > 0, "the clients did something");
    }

    @Test
    void forgottenWriteIsFound() throws InterruptedException {
        assumeTrue(updates());
        assertWrong(check(runClients(PlantedBugs.ForgetsWrites::new, false)));
    }

    @Test
    void lostUpdateIsFound() throws InterruptedException {
        assumeTrue(updates());
        assertWrong(check(runClients(PlantedBugs.ReadsStale::new, false)));
    }

    /** A protocol that says "committed" and has done nothing. */
    @Test
    void lostTransactionIsFound() throws InterruptedException {
        assumeTrue(writes());
        assertWrong(check(runClients(() -> null, true)));
    }

    /** A run that is repeated with its seed has equal transactions, not only equally many. */
    @Test
    void sameSeedDrawsTheSame() throws InterruptedException {
        List<String> first = drawn(1, 7);
        close();
        load();
        List<String> again = drawn(1, 7);
        close();
        load();

        assertEquals(first, again);
        assertNotEquals(first, drawn(1, 8));
    }

    /** Clients with equal draws would only conflict with each other. */
    @Test
    void clientsDrawDifferently() {
        assertNotEquals(drawn(0, 7), drawn(1, 7));
    }

    /** Garbage stops all threads from time to time, and a benchmark would measure its own. */
    @Test
    void transactionsAllocateNothing() {
        WorkloadClient client = workload.client(tables, 0, 1, 7);
        Worker.Work work = client::run;
        try (Worker worker = pool.worker()) {
            long best = Long.MAX_VALUE;
            // The best of some tries: the compiler itself allocates on this thread for a while.
            for (int i = 0; i < 30 && best > allocatedBytes(); i++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                for (int round = 0; round < TRANSACTIONS; round++) step(client, worker, work);
                best = Math.min(best, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            assertTrue(best <= allocatedBytes(), best + " bytes, not " + allocatedBytes());
        }
        assertEquals(List.of(), check(client.book()));
    }

    private static void step(WorkloadClient client, Worker worker, Worker.Work work) {
        client.draw();
        if (worker.transact(work)) client.committed();
        else client.gaveUp();
    }

    // ---- running

    /**
     * Returns the sum of the books of all clients. Each client runs on a wrapped transaction; null for the real one.
     */
    protected final long[] runClients(Supplier<ForwardingTxn> wrapped, boolean losesTransactions)
            throws InterruptedException {
        long[] book = new long[workload.books().size()];
        onThreads(CLIENTS, number -> {
            long[] own = runClient(number, 7, wrapped.get(), losesTransactions);
            synchronized (book) {
                for (int i = 0; i < book.length; i++) book[i] += own[i];
            }
        });
        return book;
    }

    private long[] runClient(int number, long seed, ForwardingTxn wrapped, boolean losesTransactions) {
        WorkloadClient client = workload.client(tables, number, CLIENTS, seed);
        int[] ran = new int[1];
        boolean[] lost = new boolean[1];
        Worker.Work work = txn -> {
            if (wrapped != null) wrapped.forwardTo(txn);
            boolean wanted = client.run(wrapped == null ? txn : wrapped);
            lost[0] = losesTransactions && wanted && ++ran[0] % LOST_EVERY == 0;
            return wanted && !lost[0];
        };
        try (Worker worker = pool.worker()) {
            for (int i = 0; i < TRANSACTIONS; i++) {
                int type = client.draw();
                assertTrue(type >= 0 && type < workload.types().size(), "type " + type);
                if (worker.transact(work) || lost[0]) client.committed();
                else client.gaveUp();
            }
        }
        return client.book();
    }

    protected final List<String> check(long[] book) {
        return PoolRows.check(pool, tables, workload, book);
    }

    private static void assertWrong(List<String> findings) {
        assertFalse(findings.isEmpty(), "the check found nothing wrong");
    }

    private List<String> drawn(int number, long seed) {
        PlantedBugs.Listens listens = new PlantedBugs.Listens();
        runClient(number, seed, listens, false);
        return listens.heard;
    }

    private static long sum(long[] book) {
        long sum = 0;
        for (long entry : book) sum += Math.abs(entry);
        return sum;
    }

    // ---- threads

    /** The work of the thread of a number. */
    private interface Part {
        void run(int number);
    }

    private static void onThreads(int count, Part part) throws InterruptedException {
        AtomicReference<Throwable> failed = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            threads.add(Thread.ofPlatform()
                    .uncaughtExceptionHandler((_, e) -> failed.compareAndSet(null, e))
                    .start(() -> part.run(number)));
        }
        for (Thread thread : threads) thread.join();
        if (failed.get() != null) throw new AssertionError("a thread failed", failed.get());
    }
}
