package tidepool.workload.measured.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tidepool.Worker;

/** Long stretches allocate nothing, also when rows are inserted all the time; only new nodes of indexes do. */
@Timeout(300)
class TpccAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int BEFORE = 1_500;
    private static final int MEASURED = 3_000;
    private static final int TRIES = 8;
    private static final TpccSize BY_TABLES = new TpccSize(2, 30, 200, 60, 1, 5_000, false);
    private static final int[] WITHOUT_INSERTS_INTO_INDEXES = {
        TpccClient.PAYMENT, TpccClient.ORDER_STATUS, TpccClient.STOCK_LEVEL
    };

    /**
     * Each stretch inserts twice as many rows as came before it, so that whatever grows with the rows would have to
     * grow in every one of them. The best of some tries: the compiler itself allocates on this thread for a while.
     */
    @Test
    void aStretchWithInsertsAllocatesNothing() {
        assertAllocatesNothing(BY_TABLES, TpccClient::draw);
    }

    /** Scans of indexes allocate nothing, whatever the columns of their bounds are. */
    @Test
    void scansAllocateNothing() {
        int[] drawn = new int[1];
        assertAllocatesNothing(TpccPool.SMALL, client -> {
            int type = WITHOUT_INSERTS_INTO_INDEXES[drawn[0]++ % WITHOUT_INSERTS_INTO_INDEXES.length];
            client.draw(type);
            return type;
        });
    }

    private static void assertAllocatesNothing(TpccSize size, ToIntFunction<TpccClient> draw) {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && min > 0; i++) min = Math.min(min, stretch(size, i, draw));

        assertEquals(0, min);
    }

    private static long stretch(TpccSize size, int seed, ToIntFunction<TpccClient> draw) {
        try (TpccPool tpcc = new TpccPool(size, "ford");
                Worker worker = tpcc.pool.worker()) {
            TpccClient client = tpcc.client(0, seed);
            Worker.Work work = client::run;
            run(worker, work, client, draw, BEFORE);
            long inserted = tpcc.pool.statistics().commits();
            long before = THREADS.getCurrentThreadAllocatedBytes();
            run(worker, work, client, draw, MEASURED);
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertTrue(tpcc.pool.statistics().commits() > inserted, "something was done");
            return allocated;
        }
    }

    private static void run(
            Worker worker, Worker.Work work, TpccClient client, ToIntFunction<TpccClient> draw, int transactions) {
        for (int i = 0; i < transactions; i++) {
            draw.applyAsInt(client);
            if (worker.transact(work)) client.committed();
            else client.gaveUp();
        }
    }
}
