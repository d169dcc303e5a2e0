package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Mutual exclusion and reentrancy of the write lock. */
class WriteLockTest {
    private final WriteLock lock = new WriteLock();
    private int count;

    /** Frames of two threads must not be mixed in one buffer. */
    @Test
    void oneThreadAtATimeIsIn() throws InterruptedException {
        int each = 50_000;
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++)
            threads[i] = Thread.ofPlatform().start(() -> {
                for (int turn = 0; turn < each; turn++) {
                    lock.lock();
                    count++;
                    lock.unlock();
                }
            });
        for (Thread thread : threads) thread.join();

        assertEquals(threads.length * each, count);
    }

    /** The thread that buries a connection posts follow-up rounds, and it holds the lock already. */
    @Test
    void itsOwnerComesInAgainAndOthersOnlyWhenItHasLeftAsOften() {
        lock.lock();
        assertTrue(lock.tryLock());
        lock.unlock();
        assertFalse(elsewhere(lock::tryLock));

        lock.unlock();
        assertTrue(elsewhere(() -> {
            boolean in = lock.tryLock();
            lock.unlock();
            return in;
        }));
    }

    @Test
    void onlyTheHolderUnlocks() {
        lock.lock();

        assertTrue(elsewhere(() -> {
            assertThrows(IllegalMonitorStateException.class, lock::unlock);
            return true;
        }));
        lock.unlock();
    }

    private static boolean elsewhere(java.util.function.BooleanSupplier what) {
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                told.complete(what.getAsBoolean());
            } catch (Throwable e) {
                told.completeExceptionally(e);
            }
        });
        return told.join();
    }
}
