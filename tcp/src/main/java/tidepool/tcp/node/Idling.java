package tidepool.tcp.node;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.function.Consumer;

/** How the loop waits for something to do. */
final class Idling {
    private final Selector selector;
    private final NodeCounters counters;

    Idling(Selector selector, NodeCounters counters) {
        this.selector = selector;
        this.counters = counters;
    }

    /** Waits at most so long, and hands over whatever is ready. */
    void await(Consumer<SelectionKey> ready, Queue<Runnable> tasks, long mostNanos) throws IOException {
        if (selector.selectNow(ready) > 0 || mostNanos <= 0) return;
        // Looked at behind selectNow, which uses up the wake-up of whoever added one.
        if (!tasks.isEmpty()) return;
        counters.count(NodeCounter.SLEEPS);
        long millis = mostNanos / 1_000_000 + 1;
        selector.select(ready, millis > 1L << 40 ? 0 : millis);
    }
}
