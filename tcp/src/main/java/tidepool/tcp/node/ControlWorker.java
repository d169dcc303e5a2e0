package tidepool.tcp.node;

import java.util.concurrent.LinkedBlockingQueue;

/** A thread beside the loop for control calls that take their time, such as zeroing memory; one at a time, in order. */
final class ControlWorker implements AutoCloseable {
    private static final Runnable END = new Runnable() {
        @Override
        public void run() {
            throw new IllegalStateException("the end is not run");
        }
    };

    private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private final Thread thread;

    ControlWorker(String name) {
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
            for (Runnable task = work.take(); task != END; task = work.take()) task.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until everything that was given to it is done. */
    @Override
    public void close() {
        work.add(END);
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
