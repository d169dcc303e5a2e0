package tidepool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Carrier;
import tidepool.base.Clock;
import tidepool.schema.AttributeType;
import tidepool.schema.Schema;
import tidepool.txn.TableHandle;

/** Which thread gets which coordinator: over a network the scheduler in which it was made matters. */
class PooledCoordinatorTest {
    private final Tidepool pool = Tidepool.open("mem:?nodes=1&replicas=1&memory=1m&coordinators=2");

    @AfterEach
    void close() {
        pool.close();
    }

    private PooledCoordinator takeAndGiveBack() {
        PooledCoordinator pooled = pool.coordinators().take(Clock.system().nowNanos() + 1_000_000_000L);
        pool.coordinators().giveBack(pooled);
        return pooled;
    }

    private static <T> T onACarrier(Supplier<T> work) {
        Object[] result = new Object[1];
        Carrier carrier = new Carrier();
        carrier.start("strand", () -> result[0] = work.get());
        carrier.run();
        @SuppressWarnings("unchecked")
        T got = (T) result[0];
        return got;
    }

    /** A strand with a thread's coordinator would poll for each answer, and never let its carrier sleep. */
    @Test
    void aStrandDoesNotTakeAThreadsCoordinator() {
        PooledCoordinator ofThread = takeAndGiveBack();
        assertSame(ofThread, takeAndGiveBack());

        PooledCoordinator ofStrand = onACarrier(this::takeAndGiveBack);
        assertNotSame(ofThread, ofStrand);
        assertSame(ofThread, takeAndGiveBack());
    }

    /**
     * Coordinators of one carrier share addresses of records: an address that one has looked up the others need not.
     */
    @Test
    void strandsOfACarrierShareAddresses() {
        TableHandle table = pool.table(
                Schema.builder("accounts")
                        .attribute("balance", AttributeType.LONG)
                        .build(),
                100);
        try (Worker loader = pool.worker()) {
            assertTrue(loader.transact(txn -> {
                txn.insert(table, 7);
                return txn.execute();
            }));
        }
        pool.coordinators().close();
        long[] trips = onACarrier(() -> {
            try (Worker first = pool.worker();
                    Worker second = pool.worker()) {
                return new long[] {tripsToRead(first, table), tripsToRead(second, table)};
            }
        });

        assertArrayEquals(new long[] {2, 1}, trips);
    }

    private static long tripsToRead(Worker worker, TableHandle table) {
        assertTrue(worker.read(txn -> {
            txn.read(table, 7);
            return txn.execute();
        }));
        return worker.roundTrips();
    }

    /** A coordinator of another scheduler is better than none. */
    @Test
    void whenNoMoreCanBeMadeAnyIsTaken() {
        PooledCoordinator first = pool.coordinators().take(Clock.system().nowNanos() + 1_000_000_000L);
        PooledCoordinator second = takeAndGiveBack();

        assertSame(second, onACarrier(this::takeAndGiveBack));
        pool.coordinators().giveBack(first);
    }
}
