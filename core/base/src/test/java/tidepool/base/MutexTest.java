package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mutual exclusion of plain threads, and of virtual threads that outnumber their carriers. */
final class MutexTest {
    private static final int THREADS = 4 * Runtime.getRuntime().availableProcessors();
    private static final int TIMES = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Mutex mutex = new Mutex();

    @Test
    void plainThreadsHoldItInTurn() throws InterruptedException {
        holdInTurn(Thread.ofPlatform().daemon());
    }

    @Test
    void virtualThreadsHoldItInTurn() throws InterruptedException {
        holdInTurn(Thread.ofVirtual());
    }

    /**
     * The holder waits and gives its carrier to threads that wait for the mutex: they have to give the carrier back.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aVirtualThreadThatWaitsWhileItHoldsItRunsOn(boolean interrupted) throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        AtomicInteger coming = new AtomicInteger();
        AtomicInteger stillInterrupted = new AtomicInteger();
        AtomicBoolean go = new AtomicBoolean();
        Thread holder = Thread.ofVirtual()
                .start(() -> mutex.run(() -> {
                    held.countDown();
                    while (!go.get()) LockSupport.park();
                }));
        held.await();
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < THREADS; i++)
            others.add(Thread.ofVirtual().start(() -> {
                if (interrupted) Thread.currentThread().interrupt();
                coming.incrementAndGet();
                mutex.run(() -> {});
                if (Thread.currentThread().isInterrupted()) stillInterrupted.incrementAndGet();
            }));
        long deadline = Clock.system().nowNanos() + PATIENCE.toNanos();
        while (coming.get() < THREADS && Clock.system().nowNanos() < deadline) Thread.onSpinWait();
        assertEquals(THREADS, coming.get(), "some never ran: those who wait kept the carriers");
        go.set(true);
        LockSupport.unpark(holder);
        assertTrue(holder.join(PATIENCE), "the holder never ran on: those who wait kept the carriers");
        for (Thread other : others) assertTrue(other.join(PATIENCE), "it was let go, and nobody came in");
        assertEquals(interrupted ? THREADS : 0, stillInterrupted.get());
    }

    @Test
    void whatThrowsLetsGo() {
        assertThrows(
                IllegalStateException.class,
                () -> mutex.run(() -> {
                    throw new IllegalStateException("inside");
                }));
        AtomicBoolean ran = new AtomicBoolean();
        mutex.run(() -> ran.set(true));
        assertTrue(ran.get());
    }

    private void holdInTurn(Thread.Builder kind) throws InterruptedException {
        int[] count = new int[1]; // guarded by the mutex alone
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++)
            threads.add(kind.start(() -> {
                for (int time = 0; time < TIMES; time++)
                    mutex.run(() -> {
                        int before = count[0];
                        if (before % 7 == 0) Thread.yield();
                        count[0] = before + 1;
                    });
            }));
        for (Thread thread : threads) assertTrue(thread.join(PATIENCE), "they wait for each other");
        assertEquals(THREADS * TIMES, count[0]);
    }
}
