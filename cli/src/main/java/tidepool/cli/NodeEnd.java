package tidepool.cli;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sees to it that a node which cannot go on ends as a process. A node without memory, or without its loop, would keep
 * its port, answer no one and not hear that it is to stop.
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

    /** When the process ends at the latest, by the system's clock; 0 as long as nothing has failed. */
    private static volatile long untilNanos;

    /** Ends the process when its time is up. It is started while there is memory for a thread. */
    private static volatile Thread end;

    private NodeEnd() {}

    /**
     * From now on no thread of the process dies of a lack of memory alone. What is needed at the end is made, loaded
     * and linked here: at the end even that may fail for want of memory.
     */
    static void install() {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            endIfOutOfMemory(e);
            System.getLogger("tidepool.node").log(System.Logger.Level.ERROR, "a thread died: " + thread.getName(), e);
        });
        System.err.write(SENTENCE, 0, 0);
        end = Thread.ofPlatform().daemon().name("tidepool-end").start(NodeEnd::awaitEnd);
    }

    /** The node's loop ends by this. It cleans up, if it can, and in a limited time. */
    static void failed(Throwable e) {
        endIfOutOfMemory(e);
        within();
    }

    /** The process ends in 30 seconds, whatever hangs. Allocates nothing. */
    static void within() {
        long until = System.nanoTime() + MOST_END_NANOS;
        untilNanos = until == 0 ? 1 : until;
        LockSupport.unpark(end);
    }

    private static void awaitEnd() {
        while (untilNanos == 0) LockSupport.park();
        for (long left = MOST_END_NANOS; left > 0; left = untilNanos - System.nanoTime()) LockSupport.parkNanos(left);
        Runtime.getRuntime().halt(FAILED);
    }

    /** Without memory any class may fail to be loaded and any call to be linked, so every error of that kind counts. */
    private static void endIfOutOfMemory(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause())
            if (cause instanceof VirtualMachineError || cause instanceof LinkageError)
                try {
                    System.err.write(SENTENCE, 0, SENTENCE.length);
                    System.err.flush();
                } finally {
                    Runtime.getRuntime().halt(OUT_OF_MEMORY);
                }
    }
}
