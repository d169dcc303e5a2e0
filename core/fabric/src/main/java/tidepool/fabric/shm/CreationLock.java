package tidepool.fabric.shm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.fabric.FabricException;

/**
 * A lock for one creator at a time: a kernel lock on {@code PATH.lock}, which the kernel releases when a creator is
 * killed. The file is never removed. Otherwise a process that waited on a removed file would hold a lock that later
 * processes do not see.
 */
final class CreationLock implements AutoCloseable {
    private static final long MAX_WAIT_NANOS = 30_000_000_000L;
    private static final long PAUSE_NANOS = 1_000_000;

    /** Kernel locks exclude processes; this lock excludes the threads of this one. */
    private static final ReentrantLock HERE = new ReentrantLock();

    private final FileChannel channel;

    private CreationLock(FileChannel channel) {
        this.channel = channel;
    }

    static Path file(Path pool) {
        return pool.resolveSibling(pool.getFileName() + ".lock");
    }

    /** Waits for the lock. Returns null as soon as it is no longer needed. */
    static CreationLock acquire(Path pool, BooleanSupplier needless) throws IOException {
        HERE.lock();
        FileChannel channel = null;
        boolean held = false;
        try {
            channel = open(file(pool));
            long deadlineNanos = Clock.system().nowNanos() + MAX_WAIT_NANOS;
            while (!needless.getAsBoolean()) {
                held = tryLock(channel);
                if (held) return new CreationLock(channel);
                if (Clock.system().nowNanos() > deadlineNanos)
                    throw FabricException.unavailable(
                            "another process is creating this pool and does not finish (is it stopped?): " + pool);
                Waiting.pause(PAUSE_NANOS);
            }
            return null;
        } finally {
            if (!held) {
                if (channel != null) channel.close();
                HERE.unlock();
            }
        }
    }

    /**
     * Opens an existing file before creating one: the kernel refuses O_CREAT on another user's file in a sticky
     * directory.
     */
    private static FileChannel open(Path file) throws IOException {
        try {
            return FileChannel.open(file, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // a second copy of these classes in this process
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HERE.unlock();
        }
    }
}
