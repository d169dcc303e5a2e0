package tidepool.base;

/** Runs a loop on a virtual thread while the caller waits for it, and brings home what it threw. */
final class ElsewhereLoop {
    private final Runnable loop;
    private Throwable thrown;

    ElsewhereLoop(Runnable loop) {
        this.loop = loop;
    }

    void run() {
        Thread thread = Thread.ofVirtual().name("strand-loop").start(this::runThere);
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException early) {
                interrupted = true; // the strands go on; whoever interrupted us is told afterwards
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
        if (thrown instanceof RuntimeException unchecked) throw unchecked;
        if (thrown instanceof Error error) throw error;
    }

    private void runThere() {
        try {
            loop.run();
        } catch (Throwable failure) {
            thrown = failure;
        }
    }
}
