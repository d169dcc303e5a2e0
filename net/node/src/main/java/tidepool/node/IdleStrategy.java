package tidepool.node;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.function.Consumer;
import tidepool.base.Clock;
import tidepool.wire.AdaptiveSpin;

/**
 * The way in which the loop waits for work: it sleeps in the selector, or spins first if that pays. While it spins, a
 * connection that was the only active one is read directly, which saves calls of the selector.
 */
final class IdleStrategy {
    /** Of this number of polls, the last one polls all connections instead of only the active one. */
    private static final int DIRECT_LOOKS = 16;

    private final Clock clock = Clock.system();
    private final Selector selector;
    private final Queue<Runnable> tasks;
    private final ConnectionTable connections;
    private final NodeCounters counters;
    private final SpinPolicy policy = new SpinPolicy();
    private final Consumer<SelectionKey> ready;
    private ClientConnection only;
    private int served;

    IdleStrategy(Selector selector, Queue<Runnable> tasks, ConnectionTable connections, Runnable accept) {
        this.selector = selector;
        this.tasks = tasks;
        this.connections = connections;
        this.counters = connections.counters();
        this.ready = key -> ready(key, accept);
    }

    private void ready(SelectionKey key, Runnable accept) {
        if (key.attachment() instanceof ClientConnection connection) {
            served++;
            only = connection;
            connections.serve(connection);
        } else {
            accept.run();
        }
    }

    /** Serves all connections that are ready now. Returns false if none is. */
    boolean look() throws IOException {
        served = 0;
        boolean any = selector.selectNow(ready) > 0;
        if (served > 1) only = null;
        return any;
    }

    /** Waits for a ready connection, a task, or the given time. Serves the connections that are ready. */
    void await(long untilNanos) throws IOException {
        long nowNanos = clock.nowNanos();
        if (nowNanos >= untilNanos || !tasks.isEmpty()) {
            look();
            return;
        }
        long spinNanos = Math.min(policy.nanos(nowNanos, counters.value(NodeCounter.ROUNDS)), untilNanos - nowNanos);
        if (spinNanos <= 0 || !spin(nowNanos, spinNanos)) sleep(nowNanos, untilNanos);
    }

    private void sleep(long nowNanos, long untilNanos) throws IOException {
        if (!tasks.isEmpty()) return;
        counters.count(NodeCounter.SLEEPS);
        served = 0;
        long millis = (untilNanos - nowNanos) / 1_000_000 + 1;
        selector.select(ready, millis > 1L << 40 ? 0 : millis);
        if (served > 1) only = null;
        policy.slept(clock.nowNanos() - nowNanos);
    }

    private boolean spin(long beganNanos, long maxNanos) throws IOException {
        counters.count(NodeCounter.SPINS);
        long nowNanos = beganNanos;
        for (int looks = 0; ; looks++) {
            boolean found = only != null && looks % DIRECT_LOOKS != DIRECT_LOOKS - 1 ? connections.serve(only) : look();
            if (found || !tasks.isEmpty()) {
                counters.count(NodeCounter.SPINS_THAT_PAID);
                policy.spun(nowNanos - beganNanos);
                return true;
            }
            if (AdaptiveSpin.giveWayAfter(looks)) Thread.yield();
            nowNanos = clock.nowNanos();
            if (nowNanos - beganNanos >= maxNanos) return false;
        }
    }
}
