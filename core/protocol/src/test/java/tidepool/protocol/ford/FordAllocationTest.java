package tidepool.protocol.ford;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnCounter;
import tidepool.schema.AttributeType;
import tidepool.schema.Fields;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** Tests that a transaction in steady state allocates nothing, whether it commits or aborts. */
class FordAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 20_000;

    private final Fabric fabric = Fabric.open("mem:?nodes=3");
    private final Session session = fabric.attach();
    private final Catalog catalog = Catalog.open(fabric, session, new PoolOptions("ford", 2, 0, 1 << 20, 8, 16 * 1024));
    private final Schema schema =
            Schema.builder("account").attribute("balance", AttributeType.LONG).build();
    private final TableLayout table = catalog.table(schema, 100);
    private final Fields.LongField balance = schema.longField("balance");
    private final TxnCounter counters = new TxnCounter();
    private final Coordinator coordinator = new FordCoordinator(session, catalog, counters, FordOptions.DEFAULT);

    @AfterEach
    void close() {
        fabric.close();
    }

    @Test
    void transactionsThatCommitAllocateNothing() {
        load();
        assertEquals(0, allocatedPerThousand(() -> {
            Txn txn = coordinator.begin();
            int from = txn.update(table, 1);
            int to = txn.update(table, 2);
            int seen = txn.read(table, 3);
            txn.execute();
            balance.set(txn.memory(), txn.value(from), balance.get(txn.memory(), txn.value(from)) - 1);
            balance.set(txn.memory(), txn.value(to), balance.get(txn.memory(), txn.value(seen)) + 1);
            assertEquals(Outcome.COMMITTED, txn.commit());
        }));
    }

    @Test
    void insertsAndDeletesAllocateNothing() {
        assertEquals(0, allocatedPerThousand(() -> {
            Txn txn = coordinator.begin();
            txn.insert(table, 50);
            assertEquals(Outcome.COMMITTED, txn.commit());
            txn = coordinator.begin();
            txn.delete(table, 50);
            assertEquals(Outcome.COMMITTED, txn.commit());
        }));
    }

    @Test
    void transactionsThatAbortAllocateNothing() {
        load();
        Coordinator other = new FordCoordinator(session, catalog, counters, FordOptions.DEFAULT);
        Txn holder = other.begin();
        holder.update(table, 1);
        assertTrue(holder.execute());

        assertEquals(0, allocatedPerThousand(() -> {
            Txn txn = coordinator.begin();
            txn.update(table, 2);
            txn.update(table, 1);
            assertEquals(Outcome.ABORTED, txn.commit());
        }));
    }

    private void load() {
        for (long key = 0; key < 10; key++) {
            Txn txn = coordinator.begin();
            txn.insert(table, key);
            assertEquals(Outcome.COMMITTED, txn.commit());
        }
    }

    /**
     * Returns bytes per thousand rounds, the best of 20 tries: at first the compiler itself allocates on this thread.
     */
    private static long allocatedPerThousand(Runnable round) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 20 && best > 0; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int r = 0; r < ROUNDS; r++) round.run();
            best = Math.min(best, (THREADS.getCurrentThreadAllocatedBytes() - before) * 1000 / ROUNDS);
        }
        return best / 1000; // less than a byte per round is the measurement itself
    }
}
