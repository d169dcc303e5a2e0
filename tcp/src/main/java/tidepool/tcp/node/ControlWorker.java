package tidepool.tcp.node;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** A thread beside the loop for control calls that take their time, such as zeroing memory; one at a time, in order. */
final class ControlWorker implements AutoCloseable {
    /** Nothing comes behind it. */
    private static final class End implements Runnable {
        @Override
        public void run() {
            // There is nothing to do.
        }
    }

    private final Consumer<Throwable> died;
    private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private final Thread thread;

    /** @param died is told, in its thread, if it ends by an exception: calls that wait would wait for ever */
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

    /** Waits until everything that was given to it is done. */
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
