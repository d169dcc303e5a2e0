package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A file of zeros that becomes the next segment. It is made by another thread before it is needed. A forced write into
 * existing bytes of a file costs the disk one write; a forced write that makes the file longer costs several.
 */
final class SpareSegment implements AutoCloseable {
    static final String NAME = JournalFileNames.unfinished("spare");

    /** The file is forced in pieces of this size. Otherwise a commit would wait until the disk has all of the file. */
    private static final long PIECE_BYTES = 1 << 20;

    private final JournalDisk disk;
    private final long bytes;
    private final Executor background;
    private CompletableFuture<JournalDisk.File> made; // null if none was begun; completed with null if making failed
    private volatile boolean closed;

    /** @param background runs the task that makes the file; null if there is never a spare segment */
    SpareSegment(JournalDisk disk, long bytes, Executor background) {
        this.disk = disk;
        this.bytes = bytes;
        this.background = background;
    }

    /** Starts making the next spare segment, unless there is one. */
    void prepare() {
        if (background == null || closed || made != null) return;
        CompletableFuture<JournalDisk.File> making = new CompletableFuture<>();
        made = making;
        background.execute(() -> make(making));
    }

    /** Returns whether {@link #take} would return a file. */
    boolean isReady() {
        return made != null && made.isDone() && made.getNow(null) != null;
    }

    /** Returns the file, which still has its temporary name; the caller now owns it. Returns null if there is none. */
    JournalDisk.File take() {
        if (made == null || !made.isDone()) return null;
        JournalDisk.File file = made.getNow(null);
        made = null;
        return file;
    }

    /** Makes the file. If this fails, for example on a full disk, the next segment grows as it is written. */
    private void make(CompletableFuture<JournalDisk.File> making) {
        JournalDisk.File file = null;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment zeros = arena.allocate(Math.min(PIECE_BYTES, bytes));
            file = disk.create(NAME);
            for (long at = 0; at < bytes && !closed; at += zeros.byteSize()) {
                DiskTransfer.write(file, zeros, 0, Math.min(zeros.byteSize(), bytes - at), at);
                file.force();
            }
        } catch (IOException e) {
            remove(file);
            file = null;
        } finally {
            making.complete(file);
        }
    }

    private void remove(JournalDisk.File file) {
        try {
            if (file != null) file.close();
            disk.delete(NAME);
        } catch (IOException e) {
            // The next start removes it.
        }
    }

    @Override
    public void close() {
        closed = true;
        if (made == null) return;
        JournalDisk.File file = made.join();
        made = null;
        if (file != null) remove(file);
    }
}
