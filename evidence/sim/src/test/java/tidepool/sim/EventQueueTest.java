package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;

class EventQueueTest {
    private record Scheduled(long nanos, int order) {}

    /** The whole simulator depends on this: events come by time, and equal times in the order of scheduling. */
    @Test
    void eventsComeByTimeAndThenByOrder() {
        Randomness random = new Randomness(7);
        for (int turn = 0; turn < 50; turn++) {
            EventQueue queue = new EventQueue();
            List<Scheduled> model = new ArrayList<>();
            int order = 0;
            for (int step = 0; step < 2_000; step++) {
                if (model.isEmpty() || random.nextInt(5) < 3) {
                    long nanos = random.nextLong(100);
                    queue.add(nanos, order, order & 63);
                    model.add(new Scheduled(nanos, order++));
                } else {
                    Scheduled expected = model.stream()
                            .min(Comparator.comparingLong(Scheduled::nanos).thenComparingInt(Scheduled::order))
                            .orElseThrow();
                    model.remove(expected);
                    assertEquals(expected.nanos, queue.nextNanos());
                    long taken = queue.take();
                    assertEquals(expected.order, EventQueue.slotOf(taken));
                    assertEquals(expected.order & 63, EventQueue.tagOf(taken));
                }
            }
            assertEquals(model.size(), queue.count());
        }
    }
}
