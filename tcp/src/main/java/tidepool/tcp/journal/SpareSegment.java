package tidepool.tcp.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A file of zeros that becomes the next segment. It is made beside the journal, while nobody waits for it: a forced write
 * into bytes that a file has already costs the disk one write, and one that makes the file longer costs it several.
 */
final class SpareSegment implements AutoCloseable {
    static final String NAME = Names.unfinished("spare");

    /** Forced one by one, so that those who commit meanwhile never wait behind much of it. */
    private static final long PIECE_BYTES = 1 << 20;

    private final JournalDisk disk;
    private final long bytes;
    private final Executor beside;
    private CompletableFuture<JournalDisk.File> made; // null while none is being made; of null if that failed
    private volatile boolean closed;

    /** @param beside where it is made; null if there is never to be one */
    SpareSegment(JournalDisk disk, long bytes, Executor beside) {
        this.disk = disk;
        this.bytes = bytes;
        this.beside = beside;
    }

    /** Has the next one made, unless there is one. */
    void prepare() {
        if (beside == null || closed || made != null) return;
        CompletableFuture<JournalDisk.File> making = new CompletableFuture<>();
        made = making;
        beside.execute(() -> make(making));
    }

    /** Whether {@link #take} would find one. */
    boolean isReady() {
        return made != null && made.isDone() && made.getNow(null) != null;
    }

    /** The file, which still has its name and is the caller's now; null if there is none. */
    JournalDisk.File take() {
        if (made == null || !made.isDone()) return null;
        JournalDisk.File file = made.getNow(null);
        made = null;
        return file;
    }

    /** Without room for it there is none: a segment then grows as it is written. */
    private void make(CompletableFuture<JournalDisk.File> making) {
        JournalDisk.File file = null;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment zeros = arena.allocate(Math.min(PIECE_BYTES, bytes));
            file = disk.create(NAME);
            for (long at = 0; at < bytes && !closed; at += zeros.byteSize()) {
                DiskWork.write(file, zeros, 0, Math.min(zeros.byteSize(), bytes - at), at);
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
