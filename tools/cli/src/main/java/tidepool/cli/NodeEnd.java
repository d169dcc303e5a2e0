package tidepool.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends the process of a node that cannot go on. A node without heap or without its loop would keep its port, answer no
 * client and ignore SIGTERM.
 *
 * <p>Two parts see that the heap is used up: the handlers of errors that end a thread, and a thread that allocates
 * {@link #CANARY_BYTES} once a second. The handlers alone are not enough: another thread may have taken the last of the
 * heap, and then a thread can die inside its own handler.
 */
final class NodeEnd {
    /** The exit code of a node without memory, equal to that of the JVM with ExitOnOutOfMemoryError. */
    static final int OUT_OF_MEMORY = 3;

    private static final int FAILED = 1;
    private static final long MAX_END_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long CANARY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A heap with less than this left after a collection serves no client. */
    private static final int CANARY_BYTES = 64 << 10;

    // Allocated at the start: without heap there is no memory for them.
    private static final byte[] SENTENCE =
            "tidepool: the node has no memory left and ends; give it a larger heap (TIDEPOOL_JAVA_OPTS=-Xmx…)\n"
                    .getBytes(StandardCharsets.UTF_8);
    private static final FileOutputStream STDERR = new FileOutputStream(FileDescriptor.err);

    /** The latest end of the process, by the system's clock; 0 while nothing has failed. */
    private static volatile long untilNanos;

    /** Ends the process at {@link #untilNanos}, or without heap. Started while there is memory for a thread. */
    private static volatile Thread end;

    /** Keeps the compiler from removing the allocation. */
    @SuppressWarnings("unused")
    private static volatile byte[] canary;

    private NodeEnd() {}

    /** Starts the watch. Loads and links all code for the end of the process: without heap even that can fail. */
    static void install() {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            endIfOutOfMemory(e);
            System.getLogger("tidepool.node").log(System.Logger.Level.ERROR, "a thread died: " + thread.getName(), e);
        });
        print(0);
        end = Thread.ofPlatform().daemon().name("tidepool-end").start(NodeEnd::awaitEnd);
    }

    /** Called when the node's loop ends by an error. The process has {@link #MAX_END_NANOS} to clean up. */
    static void failed(Throwable e) {
        endIfOutOfMemory(e);
        within();
    }

    /** Ends the process in 30 seconds at the latest, whatever hangs. Allocates nothing. */
    static void within() {
        long until = System.nanoTime() + MAX_END_NANOS;
        untilNanos = until == 0 ? 1 : until;
        LockSupport.unpark(end);
    }

    private static void awaitEnd() {
        while (untilNanos == 0) {
            LockSupport.parkNanos(CANARY_NANOS);
            allocateCanary();
        }
        for (long left = MAX_END_NANOS; left > 0; left = untilNanos - System.nanoTime()) LockSupport.parkNanos(left);
        Runtime.getRuntime().halt(FAILED);
    }

    private static void allocateCanary() {
        try {
            canary = new byte[CANARY_BYTES];
            canary = null;
        } catch (OutOfMemoryError e) {
            halt();
        }
    }

    /** Without heap a class may fail to load and a call to link, so every error of that kind counts. */
    private static void endIfOutOfMemory(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause())
            if (cause instanceof VirtualMachineError || cause instanceof LinkageError) halt();
    }

    private static void halt() {
        try {
            print(SENTENCE.length);
        } finally {
            Runtime.getRuntime().halt(OUT_OF_MEMORY);
        }
    }

    /** Writes without a buffer and without a lock: {@code System.err} may allocate for either. */
    private static void print(int bytes) {
        try {
            STDERR.write(SENTENCE, 0, bytes);
        } catch (IOException e) {
            // Without standard error the exit code alone tells.
        }
    }
}
