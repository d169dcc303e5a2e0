package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.base.Coroutine.Kind;

class CarrierTest {
    private final List<String> trace = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void whoIsReadyFirstRunsFirst(Kind kind) {
        var carrier = new Carrier(kind);
        for (String name : List.of("a", "b", "c"))
            carrier.start(name, () -> {
                trace.add(name + 1);
                Waiting.spin();
                trace.add(name + 2);
            });
        carrier.run();

        assertEquals(List.of("a1", "b1", "c1", "a2", "b2", "c2"), trace);
    }

    @ParameterizedTest
    @EnumSource
    void sleepersWakeNotBeforeTheirTimes(Kind kind) {
        var carrier = new Carrier(kind);
        for (int millis : new int[] {9, 3, 6})
            carrier.start("s", () -> {
                long startNanos = carrier.clock().nowNanos();
                Waiting.pause(millis * 1_000_000L);
                if (carrier.clock().nowNanos() - startNanos >= millis * 1_000_000L) trace.add("" + millis);
            });
        carrier.run();

        // The order in which they wake depends on when each began to sleep, which real time decides.
        assertEquals(List.of("3", "6", "9"), trace.stream().sorted().toList());
    }

    /**
     * A thread that starts a strand may wake it before its carrier has seen it: the start must not lose the wake-up.
     */
    @ParameterizedTest
    @EnumSource
    void unparkOfAStrandThatNeverRanIsKept(Kind kind) {
        var carrier = new Carrier(kind);
        Strand strand = carrier.start("s", () -> {
            Strand.park();
            trace.add("through");
        });
        strand.unpark();
        strand.unpark();
        carrier.run();

        assertEquals(List.of("through"), trace);
    }

    /** A carrier returns no strand of another scheduler, and none outside of strands. */
    @ParameterizedTest
    @EnumSource
    void currentIsTheCarriersOwnStrand(Kind kind) {
        var carrier = new Carrier(kind);
        var other = new Carrier(kind);
        Strand strand = carrier.start("s", () -> {
            trace.add(carrier.current() == Strand.current() ? "own" : "not own");
            trace.add(other.current() == null ? "none" : "some");
            Strand.giveWay();
            trace.add(carrier.current() == Strand.current() ? "own" : "not own");
        });
        carrier.run();

        assertEquals(List.of("own", "none", "own"), trace);
        assertNull(carrier.current());
        assertTrue(strand.isDone());
    }

    /** Threads of an application wake strands; none of a hundred thousand wake-ups may be lost in the inbox. */
    @ParameterizedTest
    @EnumSource
    void otherThreadsWakeStrandsAndNoneIsLost(Kind kind) throws InterruptedException {
        int strands = 8;
        int rounds = kind == Kind.THREAD ? 500 : 10_000;
        var carrier = new Carrier(kind);
        int[] woken = new int[strands];
        Thread[] wakers = new Thread[strands];
        for (int i = 0; i < strands; i++) {
            int me = i;
            var turn = new java.util.concurrent.atomic.AtomicInteger();
            Strand strand = carrier.start("s" + i, () -> {
                while (woken[me] < rounds) {
                    while (turn.get() == woken[me]) Strand.park();
                    woken[me]++;
                }
            });
            wakers[i] = Thread.ofPlatform().unstarted(() -> {
                for (int round = 0; round < rounds; round++) {
                    turn.incrementAndGet();
                    strand.unpark();
                }
            });
        }
        for (Thread waker : wakers) waker.start();
        carrier.run();
        for (Thread waker : wakers) waker.join();

        for (int count : woken) assertEquals(rounds, count);
    }

    /** An idle carrier sleeps in the kernel, and one unpark must be enough to wake it. */
    @ParameterizedTest
    @EnumSource
    void unparkWakesANappingCarrier(Kind kind) throws InterruptedException {
        var carrier = new Carrier(kind);
        Strand strand = carrier.start("s", Strand::park);
        Thread waker = Thread.ofPlatform().start(() -> {
            Waiting.pause(100_000_000); // long after the carrier has stopped spinning
            strand.unpark();
        });
        carrier.run();
        waker.join();

        assertTrue(strand.isDone());
    }

    /** Upper modules wait by the same methods, wherever they run. */
    @Test
    void plainThreadsWaitToo() {
        long startNanos = Clock.system().nowNanos();
        Waiting.spin();
        Waiting.pause(5_000_000);

        assertTrue(Clock.system().nowNanos() - startNanos >= 4_000_000);
    }

    /** A fabric's completion queue: the poller wakes the strand whose verb is done. */
    @ParameterizedTest
    @EnumSource
    void pollerIsAskedWhileStrandsWait(Kind kind) {
        var carrier = new Carrier(kind);
        Strand strand = carrier.start("s", () -> {
            for (int i = 0; i < 1_000; i++) Strand.park();
            trace.add("done");
        });
        carrier.join(new Poller() {
            @Override
            public boolean poll() {
                strand.unpark();
                return true;
            }

            @Override
            public void waitFor(long nanos) {
                throw new AssertionError("a strand is ready");
            }

            @Override
            public void wake() {}
        });
        carrier.run();

        assertEquals(List.of("done"), trace);
    }

    /** When no strand can run, the poller waits; another thread that wakes a strand ends the wait. */
    @ParameterizedTest
    @EnumSource
    void pollerWaitsUntilAStrandIsWoken(Kind kind) {
        var carrier = new Carrier(kind);
        var woken = new Semaphore(0);
        Strand strand = carrier.start("s", () -> {
            Strand.park();
            trace.add("done");
        });
        carrier.join(new Poller() {
            @Override
            public boolean poll() {
                return false;
            }

            @Override
            public void waitFor(long nanos) {
                Thread.ofPlatform().start(strand::unpark);
                woken.acquireUninterruptibly();
            }

            @Override
            public void wake() {
                woken.release();
            }
        });
        carrier.run();

        assertEquals(List.of("done"), trace);
    }

    @ParameterizedTest
    @EnumSource
    void failureEndsRunAndTheOthersCanGoOn(Kind kind) {
        var carrier = new Carrier(kind);
        var boom = new IllegalStateException("boom");
        carrier.start("bad", () -> {
            throw boom;
        });
        carrier.start("good", () -> trace.add("good"));

        var thrown = assertThrows(StrandFailedException.class, carrier::run);
        assertSame(boom, thrown.getCause());
        assertEquals("strand failed: strand=bad id=0", thrown.getMessage());
        carrier.run();
        assertEquals(List.of("good"), trace);
    }

    @ParameterizedTest
    @EnumSource
    void failuresGoToTheHandler(Kind kind) {
        var carrier = new Carrier(kind).onFailure((strand, thrown) -> trace.add(strand.name() + thrown.getMessage()));
        carrier.start("bad", () -> {
            throw new IllegalStateException("!");
        });
        carrier.run();

        assertEquals(List.of("bad!"), trace);
    }

    /** Two strands wake each other. Each switch parks, wakes, queues and resumes; none of it may allocate. */
    @ParameterizedTest
    @EnumSource(names = "CONTINUATION")
    void switchingAllocatesNothing(Kind kind) {
        var carrier = new Carrier(kind);
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        int rounds = 100_000;
        Strand[] pair = new Strand[2];
        long[] bytes = new long[1];
        for (int i = 0; i < 2; i++) {
            int me = i;
            pair[i] = carrier.start("s" + i, () -> {
                for (int round = 0; round < 3 * rounds; round++) {
                    if (me == 0 && round == rounds) bytes[0] = -threads.getCurrentThreadAllocatedBytes();
                    if (me == 0 && round == 2 * rounds) bytes[0] += threads.getCurrentThreadAllocatedBytes();
                    pair[1 - me].unpark();
                    if (me == 0) carrier.parkFor(1_000_000_000);
                    else Strand.park();
                }
                pair[1 - me].unpark();
            });
        }
        carrier.run();

        assertTrue(bytes[0] < rounds / 10, "bytes=" + bytes[0] + " in switches=" + 2 * rounds);
    }
}
