package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.testkit.Effort;

/** No number of a sequence comes twice, and additions to a counter do not conflict. */
class SequenceTest {
    private static final int THREADS = 8;

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    private static Tidepool open(String protocol) {
        return Tidepool.open("mem:?nodes=2&replicas=2&memory=8m&coordinators=16&protocol=" + protocol);
    }

    /** Blocks are small here, so that threads draw them at the same time. */
    @ParameterizedTest
    @MethodSource("protocols")
    void noNumberComesTwice(String protocol) throws InterruptedException {
        try (Tidepool pool = open(protocol)) {
            Sequence one = pool.sequence("orders", 3);
            Sequence other = pool.sequence("orders", 5); // as another process has it
            Set<Long> numbers = ConcurrentHashMap.newKeySet();
            int calls = Effort.of(50, 200, 5_000);
            run(thread -> {
                for (int i = 0; i < calls; i++) {
                    Sequence sequence = thread % 2 == 0 ? one : other;
                    long number = sequence.next();
                    assertTrue(number > 0 && numbers.add(number), number + " came twice");
                }
            });
            assertEquals(THREADS * calls, numbers.size());
        }
    }

    @Test
    void aThreadAloneGetsAllNumbersInOrder() {
        try (Tidepool pool = open("ford")) {
            Sequence orders = pool.sequence("orders", 4);
            for (long i = 1; i <= 20; i++) assertEquals(i, orders.next());
            assertEquals(1, pool.sequence("others").next());
            assertEquals(21, pool.sequence("orders").next(), "the next block");
            assertEquals("sequence orders", orders.toString());
        }
    }

    @Test
    void wrongNamesAndBlocksAreRefused() {
        try (Tidepool pool = open("ford")) {
            assertThrows(IllegalArgumentException.class, () -> pool.sequence(""));
            assertThrows(IllegalArgumentException.class, () -> pool.sequence("x", 0));
            assertThrows(IllegalArgumentException.class, () -> pool.sequence("x", 1_000_001));
            assertThrows(IllegalArgumentException.class, () -> pool.sequence("x".repeat(41)));
            assertThrows(IllegalArgumentException.class, () -> pool.counter(""));
            assertThrows(IllegalArgumentException.class, () -> pool.counter("x".repeat(41)));
            Table<Sequence.Row> rows = pool.table("_sequences", Sequence.Row.class);
            pool.transact(tx -> rows.put(tx, new Sequence.Row("old", Long.MAX_VALUE - 10)));
            IllegalStateException end = assertThrows(
                    IllegalStateException.class, () -> pool.sequence("old").next());
            assertEquals("the sequence is used up: name=old next=9223372036854775797", end.getMessage());
        }
    }

    /**
     * Every thread has a coordinator of its own, so no addition meets another one. Only the first addition of a
     * coordinator inserts a row, which may meet another insert in its bucket.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void additionsDoNotConflict(String protocol) throws InterruptedException {
        try (Tidepool pool = open(protocol)) {
            StripedCounter visits = pool.counter("visits");
            StripedCounter sum = pool.counter("sum");
            int additions = Effort.of(30, 100, 5_000);
            fillAll(pool, visits, sum);
            long before = pool.statistics().aborts();
            run(thread -> {
                for (int i = 0; i < additions; i++) {
                    int delta = thread - 3;
                    pool.transact(tx -> {
                        visits.add(tx, 1);
                        sum.add(tx, delta);
                        sum.add(tx, delta);
                    });
                    if (i % 10 != 0) continue;
                    assertThrows(
                            Rollback.class,
                            () -> pool.transact(tx -> {
                                visits.add(tx, 1_000_000);
                                throw new Rollback("not counted");
                            }));
                }
            });
            long rolledBack = (long) THREADS * ((additions + 9) / 10);
            assertEquals(before + rolledBack, pool.statistics().aborts(), "no addition met another one");
            assertEquals((long) THREADS * additions, visits.sum());
            assertEquals(2L * additions * (28 - 24), sum.sum());
            pool.transact(tx -> {
                visits.add(tx, 5);
                assertEquals((long) THREADS * additions + 5, visits.sum(tx), "its own addition too");
            });
        }
    }

    /** Makes the rows of all stripes: inserts may meet in a bucket. */
    private static void fillAll(Tidepool pool, StripedCounter... counters) {
        Table<StripedCounter.Stripe> rows = pool.table("_counters", StripedCounter.Stripe.class, StripedCounter.ROWS);
        for (StripedCounter each : counters)
            for (short stripe = 0; stripe < 16; stripe++) {
                StripedCounter.Stripe empty = new StripedCounter.Stripe(each.name(), stripe, 0);
                pool.transact(tx -> rows.insert(tx, empty));
            }
    }

    private interface Work {
        void run(int thread);
    }

    private static void run(Work work) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    work.run(thread);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        for (Thread each : threads) each.join();
        if (failure.get() != null) throw new AssertionError(failure.get());
    }
}
