package tidepool.contracts;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicReference;
import tidepool.fabric.Fabric;

/**
 * A test environment in real time: each body runs in a thread of its own. For fabrics that carry verbs to real memory.
 */
public class ThreadWorld extends FabricWorld {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Fabric fabric;

    /** A world around a pool, which is closed with it. */
    public ThreadWorld(Fabric fabric) {
        this.fabric = fabric;
    }

    @Override
    public final Fabric fabric() {
        return fabric;
    }

    @Override
    public void run(Runnable... bodies) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[bodies.length];
        for (int i = 0; i < bodies.length; i++) {
            Runnable body = bodies[i];
            threads[i] = Thread.ofPlatform().name("contract-" + i).daemon(true).start(() -> {
                try {
                    body.run();
                } catch (Throwable thrown) {
                    if (!failure.compareAndSet(null, thrown)) failure.get().addSuppressed(thrown);
                }
            });
        }
        for (Thread thread : threads) join(thread);
        if (failure.get() != null) throw Sneaky.again(failure.get());
    }

    @Override
    public long allocatedBytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    @Override
    public void close() {
        fabric.close();
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }
}
