package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLongArray;
import jdk.jfr.Recording;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Randomness;
import tidepool.schema.AttributeType;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Schema;
import tidepool.txn.AbortReason;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * Garbage collection stops all threads from time to time, so a worker makes no garbage: 0 bytes, conflicts and retries
 * included, under every protocol.
 */
@ParameterizedClass
@ValueSource(
        strings = {
            "ford",
            "ford-lv",
            "farm",
            "drtmh",
            "drtmh&report=commit",
            "hdtx&lease=10",
            "hdtx&reads=locked&release=client&locks=spin",
            "motor",
            "farmv2"
        })
@Timeout(300)
class WorkerAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 2_000;

    /** Few, because under HDTX a blocked transaction waits in a queue and seldom aborts. */
    private static final int CONFLICTS = 10;

    private final Schema schema =
            Schema.builder("accounts").attribute("balance", AttributeType.LONG).build();
    private final LongField balance = schema.longField("balance");
    private final Tidepool pool;
    private final TableHandle accounts;

    /** Whether the protocol takes locks only at commit: a transaction before its commit blocks no other. */
    private final boolean locksToCommit;

    private final boolean locksReads;

    /** Whether an attempt locks the reads that the previous attempt found changed. */
    private final boolean locksHotReads;

    WorkerAllocationTest(String protocol) {
        pool = Tidepool.open("mem:?nodes=3&replicas=2&memory=1m&protocol=" + protocol);
        accounts = pool.table(schema, 100);
        locksToCommit = protocol.startsWith("farm") || protocol.startsWith("drtmh");
        locksReads = protocol.contains("reads=locked");
        locksHotReads = protocol.startsWith("hdtx") && !protocol.contains("locks=spin");
    }

    @BeforeEach
    void load() {
        pool.transact(tx -> {
            for (long key = 0; key < 10; key++) tx.raw().insert(accounts, key);
        });
    }

    @AfterEach
    void close() {
        pool.close();
    }

    /** Moves an amount from one account to another and reads a third. */
    private final class Transfer implements Worker.Work {
        long from;
        long to;
        long seen;

        @Override
        public boolean run(Txn txn) {
            int source = txn.update(accounts, from);
            int target = txn.update(accounts, to);
            int looked = txn.read(accounts, (Math.max(from, to) + 1) % 10);
            if (!txn.execute()) return false;
            add(txn, source, -1);
            add(txn, target, 1);
            seen = balance.get(txn.memory(), txn.value(looked));
            return true;
        }

        private void add(Txn txn, int access, long amount) {
            long at = txn.value(access);
            balance.set(txn.memory(), at, balance.get(txn.memory(), at) + amount);
        }
    }

    @Test
    void commitsAllocateNothing() {
        Transfer transfer = new Transfer();
        try (Worker worker = pool.worker()) {
            assertEquals(0, allocated(round -> {
                transfer.from = round % 10;
                transfer.to = (round + 3) % 10;
                assertTrue(worker.transact(transfer));
            }));
        }
    }

    @Test
    void readsInsertsDeletesAndGivingUpAllocateNothing() {
        Worker.Work insert = txn -> txn.insert(accounts, 50) >= 0;
        Worker.Work delete = txn -> txn.delete(accounts, 50) >= 0;
        Worker.Work read = txn -> txn.read(accounts, 1) >= 0;
        Worker.Work giveUp = txn -> {
            txn.update(accounts, 1);
            return !txn.execute();
        };
        try (Worker worker = pool.worker()) {
            assertEquals(0, allocated(_ -> {
                assertTrue(worker.transact(insert));
                assertTrue(worker.transact(delete));
                assertTrue(worker.read(read));
                assertFalse(worker.transact(giveUp));
            }));
        }
    }

    /**
     * Another worker changes, twice, a row that the first one has read and not yet committed; no other worker writes
     * its write set.
     */
    @Test
    void readsThatChangeAllocateNothing() {
        assumeFalse(locksReads, "whoever has read something has locked it");
        int times = locksHotReads ? 1 : 2;
        overtaken(times, txn -> {
            txn.read(accounts, 1);
            txn.update(accounts, 2);
            return txn.execute();
        });
        assertTrue(pool.statistics().aborts(AbortReason.READ_CHANGED) >= (long) times * ROUNDS);
    }

    /** Another worker changes, twice, a row that both write. */
    @Test
    void writesThatChangeAllocateNothing() {
        assumeTrue(locksToCommit, "whoever has read what it writes has locked it");
        overtaken(2, txn -> {
            txn.update(accounts, 1);
            return txn.execute();
        });
        // FaRM finds it when it validates, DrTM+H after the lock.
        assertTrue(aborts() >= 2 * ROUNDS);
    }

    /** @param times how often the row is changed in each round */
    private void overtaken(int times, Worker.Work begins) {
        try (Worker other = pool.worker();
                Worker slow = pool.worker()) {
            int[] runs = new int[1];
            Worker.Work changes = txn -> txn.update(accounts, 1) >= 0;
            Worker.Work overtaken = txn -> {
                if (!begins.run(txn)) return false;
                if (++runs[0] <= times) assertTrue(other.transact(changes));
                return true;
            };

            assertEquals(0, allocated(_ -> {
                runs[0] = 0;
                assertTrue(slow.transact(overtaken));
                assertEquals(times + 1, slow.attempts());
            }));
        }
    }

    /** One worker holds the lock while another, on the same thread, meets it twice, pauses, and then gives up. */
    @Test
    void conflictsAndRetriesAllocateNothing() {
        assumeFalse(locksToCommit, "on one thread nobody holds a lock");
        try (Worker holder = pool.worker();
                Worker blocked = pool.worker()) {
            int[] runs = new int[1];
            Worker.Work meets = txn -> {
                if (++runs[0] == 3) return false;
                txn.update(accounts, 1);
                return txn.execute();
            };
            Worker.Work holds = txn -> {
                txn.update(accounts, 1);
                if (!txn.execute()) return false;
                runs[0] = 0;
                assertFalse(blocked.transact(meets));
                assertEquals(3, blocked.attempts());
                return true;
            };

            assertEquals(0, allocated(_ -> assertTrue(holder.transact(holds))));
            assertTrue(pool.statistics().aborts(AbortReason.LOCKED) >= 2 * ROUNDS);
        }
    }

    /** Conflicts that end by an exception inside the work, which is made once. */
    @Test
    void workThatDoesNotLookAllocatesNothing() {
        assumeFalse(locksToCommit, "on one thread nobody holds a lock");
        try (Worker holder = pool.worker();
                Worker blocked = pool.worker()) {
            int[] runs = new int[1];
            Worker.Work meets = txn -> {
                if (++runs[0] == 3) return false;
                int access = txn.update(accounts, 1);
                txn.execute();
                return txn.value(access) != 0;
            };
            Worker.Work holds = txn -> {
                txn.update(accounts, 1);
                if (!txn.execute()) return false;
                runs[0] = 0;
                assertFalse(blocked.transact(meets));
                return true;
            };

            assertEquals(0, allocated(_ -> assertTrue(holder.transact(holds))));
        }
    }

    /** Two threads on two accounts: real conflicts, whenever they happen. */
    @Test
    void threadsThatMeetAllocateNothing() throws InterruptedException {
        AtomicLongArray allocated = new AtomicLongArray(2);
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            allocated.set(number, Long.MAX_VALUE);
            threads[i] = Thread.ofPlatform().start(() -> {
                Randomness random = new Randomness(number);
                Transfer transfer = new Transfer();
                try (Worker worker = pool.worker()) {
                    // Repeated until there were enough conflicts.
                    do {
                        long min = Math.min(allocated.get(number), allocated(_ -> {
                            transfer.from = random.nextInt(2);
                            transfer.to = 1 - transfer.from;
                            assertTrue(worker.transact(transfer));
                        }));
                        allocated.set(number, min);
                    } while (aborts() < CONFLICTS);
                }
            });
        }
        for (Thread thread : threads) thread.join();

        assertEquals("[0, 0]", allocated.toString());
        assertTrue(aborts() >= CONFLICTS);
    }

    private long aborts() {
        long all = 0;
        for (AbortReason reason : AbortReason.values()) all += pool.statistics().aborts(reason);
        return all;
    }

    /** A recording that contains only slow transactions makes no garbage either. */
    @Test
    void recordingWithAThresholdAllocatesNothing() {
        Transfer transfer = new Transfer();
        transfer.to = 1;
        try (Worker worker = pool.worker();
                Recording recording = new Recording()) {
            recording.enable("tidepool.Transaction").withThreshold(java.time.Duration.ofHours(1));
            recording.start();
            assertEquals(0, allocated(_ -> assertTrue(worker.transact(transfer))));
        }
    }

    /** An action that is repeated. */
    private interface Step {
        void run(int round);
    }

    /**
     * Returns the bytes of all rounds, the minimum of some tries: at first the compiler itself allocates on this
     * thread.
     */
    private static long allocated(Step step) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 30 && best > 0; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int round = 0; round < ROUNDS; round++) step.run(round);
            best = Math.min(best, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return best;
    }
}
