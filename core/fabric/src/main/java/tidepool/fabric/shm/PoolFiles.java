package tidepool.fabric.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** File operations of a pool: zeroing, forcing, and protection from interrupts meanwhile. */
final class PoolFiles {
    private static final int ZERO_BYTES = 1 << 20;

    private PoolFiles() {}

    /** An operation that reads or writes files. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException;
    }

    /**
     * Completes the operation even in an interrupted thread, which stays interrupted. Java closes a channel under an
     * interrupted thread. Otherwise a lock would be lost, or a living session be taken for a dead one.
     */
    static <T> T uninterrupted(Work<T> work) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return work.run();
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }

    /**
     * Creates a file of {@code bytes} zeroes that are really written. A file with holes would take its space only at a
     * store into the mapping, and a full file system would then cause a SIGBUS. Leaves no file if it fails.
     */
    static void createZeroed(Path file, long bytes, boolean durable) throws IOException {
        FileChannel created = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        boolean written = false;
        try (FileChannel channel = created) {
            ByteBuffer zeroes = ByteBuffer.allocateDirect((int) Math.min(bytes, ZERO_BYTES));
            for (long left = bytes; left > 0; ) {
                zeroes.clear().limit((int) Math.min(left, zeroes.capacity()));
                left -= channel.write(zeroes);
            }
            if (durable) channel.force(true);
            written = true;
        } finally {
            if (!written) Files.deleteIfExists(file);
        }
    }

    /** Makes names in a directory survive a power failure. */
    static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Returns why it failed, without the path, which the surrounding message contains. */
    static String cause(Exception e) {
        if (e instanceof NoSuchFileException) return "no such file or directory";
        if (e instanceof AccessDeniedException) return "permission denied";
        if (e instanceof FileSystemException f && f.getReason() != null) return f.getReason();
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
