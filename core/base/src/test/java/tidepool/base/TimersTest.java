package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimersTest {
    /** Compares with a sorted list: sets, cancels and takes in a thousand random ways. */
    @Test
    void heapAgreesWithASortedList() {
        Randomness randomness = new Randomness(13);
        Timers timers = new Timers();
        List<Strand> expected = new ArrayList<>();
        List<Strand> free = new ArrayList<>();
        var scheduler = new SeededScheduler(1, Coroutine.Kind.CONTINUATION);
        for (int i = 0; i < 100; i++) free.add(scheduler.start("s", () -> {}));
        for (int step = 0; step < 20_000; step++) {
            int choice = randomness.nextInt(3);
            if (choice == 0 && !free.isEmpty()) {
                Strand strand = free.removeLast();
                timers.set(strand, randomness.nextLong(50));
                expected.add(strand);
                expected.sort(Comparator.comparingLong(s -> s.timerNanos)); // stable: equal times keep their order
            } else if (choice == 1 && !expected.isEmpty()) {
                Strand strand = expected.remove(randomness.nextInt(expected.size()));
                timers.cancel(strand);
                free.add(strand);
            } else {
                long nowNanos = randomness.nextLong(50);
                Strand due = timers.takeDue(nowNanos);
                if (expected.isEmpty() || expected.getFirst().timerNanos > nowNanos) {
                    assertNull(due);
                } else {
                    assertSame(expected.removeFirst(), due);
                    free.add(due);
                }
            }
            assertEquals(expected.isEmpty() ? Long.MAX_VALUE : expected.getFirst().timerNanos, timers.nextNanos());
        }
    }
}
