package tidepool.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A runner of several threads at once; it throws what one of them threw. */
final class Together {
    /** The work of one thread. */
    interface Work {
        void run(int thread) throws Exception;
    }

    private Together() {}

    static void run(int count, Work work) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int thread = i;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    work.run(thread);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        try {
            for (Thread thread : threads) thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (failure.get() != null) throw new AssertionError("a thread failed", failure.get());
    }
}
