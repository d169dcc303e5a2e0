package tidepool.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Pools that are simulated side by side fit into the machine. */
class MemoryRoomTest {
    private static final int MANY = 200;

    @Test
    void togetherTheyTakeNoMoreThanThereIs() throws InterruptedException {
        MemoryRoom room = new MemoryRoom(10, 100);
        AtomicLong taken = new AtomicLong();
        AtomicLong max = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            long bytes = 3 + t; // any two fit, and some three
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < MANY; i++) use(room, bytes, taken, max);
            }));
        }
        for (Thread thread : threads) thread.join();
        assertTrue(max.get() <= 10, "at the most " + max.get());
        assertEquals(0, taken.get());
    }

    private static void use(MemoryRoom room, long bytes, AtomicLong taken, AtomicLong max) {
        try {
            room.enter(bytes);
            max.accumulateAndGet(taken.addAndGet(bytes), Math::max);
            Thread.yield();
            taken.addAndGet(-bytes);
            room.leave(bytes);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A single thread would wait for itself. */
    @Test
    void aThreadThatFitsEntersAtOnce() throws InterruptedException {
        MemoryRoom room = new MemoryRoom(10, 100);
        room.enter(4);
        room.enter(6);
        room.leave(4);
        room.enter(3);
    }

    /** Not for ever outside. */
    @Test
    void whoNeedsMoreThanThereIsForAllRunsAlone() throws InterruptedException {
        MemoryRoom room = new MemoryRoom(10, 100);
        room.enter(50);
        Thread other = Thread.ofPlatform().start(() -> use(room, 1, new AtomicLong(), new AtomicLong()));
        while (other.getState() != Thread.State.WAITING) Thread.onSpinWait();
        room.leave(50);
        other.join();
    }

    @Test
    void whoNeedsMoreThanTheMachineHasIsTold() {
        MemoryRoom room = new MemoryRoom(10, 100);
        var refused = assertThrows(IllegalArgumentException.class, () -> room.enter(101));
        assertTrue(refused.getMessage().contains("--quick"), refused.getMessage());
    }
}
