package tidepool.base;

/** A loop that runs on a virtual thread while the caller waits for it. The caller throws what the loop threw. */
final class OffloadedLoop {
    private final Runnable loop;
    private Throwable thrown;

    OffloadedLoop(Runnable loop) {
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
                interrupted = true; // the strands continue; the interrupt is restored afterwards
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
