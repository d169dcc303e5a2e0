package tidepool.workload.measured.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import tidepool.Worker;

/**
 * New orders bring new rows for as long as they come, and where each lies is remembered: that must not make garbage
 * either.
 */
class TpccAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int BEFORE = 1_500;
    private static final int MEASURED = 3_000;
    private static final int TRIES = 8;

    /**
     * Each stretch inserts twice as many rows as came before it, so that whatever grows with the rows would have to
     * grow in every one of them. The best of some tries: the compiler itself allocates on this thread for a while.
     */
    @Test
    void aStretchWithInsertsAllocatesNothing() {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && min > 0; i++) min = Math.min(min, stretch(i));

        assertEquals(0, min);
    }

    private static long stretch(int seed) {
        try (TpccPool tpcc = new TpccPool();
                Worker worker = tpcc.pool.worker()) {
            TpccClient client = tpcc.client(0, seed);
            Worker.Work work = client::run;
            run(worker, work, client, BEFORE);
            long inserted = tpcc.pool.statistics().commits();
            long before = THREADS.getCurrentThreadAllocatedBytes();
            run(worker, work, client, MEASURED);
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertTrue(tpcc.pool.statistics().commits() > inserted, "something was done");
            return allocated;
        }
    }

    private static void run(Worker worker, Worker.Work work, TpccClient client, int transactions) {
        for (int i = 0; i < transactions; i++) {
            client.draw();
            if (worker.transact(work)) client.committed();
            else client.gaveUp();
        }
    }
}
