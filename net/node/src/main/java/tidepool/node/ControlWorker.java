package tidepool.node;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * The control thread. It executes slow control calls, such as zeroing memory, off the loop, one at a time, in order.
 */
final class ControlWorker implements AutoCloseable {
    /** The last task of the queue; it ends the thread. */
    private static final class End implements Runnable {
        @Override
        public void run() {
            // The task is only a mark.
        }
    }

    private final Consumer<Throwable> died;
    private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private final Thread thread;

    /**
     * @param died called by the control thread if it ends by an exception; otherwise queued calls would wait for ever
     */
    ControlWorker(String name, Consumer<Throwable> died) {
        this.died = died;
        thread = Thread.ofPlatform()
                .daemon()
                .name("tidepool-node-control-" + name)
                .start(this::run);
    }

    void execute(Runnable task) {
        work.add(task);
    }

    private void run() {
        try {
            for (Runnable task = work.take(); !(task instanceof End); task = work.take()) task.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            died.accept(e);
        }
    }

    /** Waits for the end of all queued tasks and of the thread. */
    @Override
    public void close() {
        work.add(new End());
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
