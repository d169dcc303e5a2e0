package tidepool.cli;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sees to it that a node which cannot go on ends as a process. A node without memory, or without its loop, would keep
 * its
 * port, answer no one and not hear that it is to stop.
 */
final class NodeEnd {
    /** The exit code without memory; the JVM's own, with ExitOnOutOfMemoryError. */
    static final int OUT_OF_MEMORY = 3;

    private static final int FAILED = 1;
    private static final long MOST_END_NANOS = TimeUnit.SECONDS.toNanos(30);

    // Made before there is need for it: later there may be no memory for it.
    private static final byte[] SENTENCE =
            "tidepool: the node has no memory left and ends; give it a larger heap (TIDEPOOL_JAVA_OPTS=-Xmx…)\n"
                    .getBytes(java.nio.charset.StandardCharsets.UTF_8);

    private NodeEnd() {}

    /** From now on no thread of the process dies of a lack of memory alone. */
    static void install() {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            endIfOutOfMemory(e);
            System.getLogger("tidepool.node").log(System.Logger.Level.ERROR, "a thread died: " + thread.getName(), e);
        });
    }

    /** The node's loop ends by this. It cleans up, if it can, and in a limited time. */
    static void failed(Throwable e) {
        endIfOutOfMemory(e);
        within();
    }

    /** The process ends in 30 seconds, whatever hangs. */
    static void within() {
        long untilNanos = System.nanoTime() + MOST_END_NANOS;
        Thread.ofPlatform().daemon().name("tidepool-end").start(() -> {
            for (long left = MOST_END_NANOS; left > 0; left = untilNanos - System.nanoTime())
                LockSupport.parkNanos(left);
            Runtime.getRuntime().halt(FAILED);
        });
    }

    private static void endIfOutOfMemory(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause())
            if (cause instanceof VirtualMachineError) {
                System.err.write(SENTENCE, 0, SENTENCE.length);
                System.err.flush();
                Runtime.getRuntime().halt(OUT_OF_MEMORY);
            }
    }
}
