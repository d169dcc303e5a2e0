package tidepool.tcp.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Forced writes that go to the disk past the operating system's cache ({@code O_DIRECT} and {@code O_DSYNC} of open(2)):
 * to put pages into the cache, and to find and send them from there, costs more than half of the processor time of a forced
 * write.
 *
 * <p>Such writes are whole pages at whole pages. So the page in which a write begins is written once more, with what it
 * had, and the one in which it ends is filled up with zeros: as the cache would have done. One thread at a time uses it.
 */
final class DirectWrites implements AutoCloseable {
    /** What is longer goes through the cache. */
    private static final int MOST_BYTES = 1 << 20;

    /** Not in the API, but of every JDK that can do it; null in others. */
    private static final OpenOption DIRECT = direct();

    private final FileChannel cached;
    private final FileChannel direct;
    private final int page;
    private ByteBuffer pages;
    private long pagesAt;
    private int known; // bytes of pages, from its beginning on, that the file has too
    private long size;
    private boolean refused;

    DirectWrites(FileChannel cached, FileChannel direct, int page) {
        this.cached = cached;
        this.direct = direct;
        this.page = page;
        this.pages = take(16 * page);
    }

    private static OpenOption direct() {
        try {
            Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
            for (Object option : options.getEnumConstants())
                if (option instanceof OpenOption found && option.toString().equals("DIRECT")) return found;
        } catch (ClassNotFoundException e) {
            // Then there is none.
        }
        return null;
    }

    /** Null where there is no such thing. */
    static DirectWrites open(Path path, FileChannel cached) throws IOException {
        if (DIRECT == null) return null;
        long page = Files.getFileStore(path).getBlockSize();
        if (page < 512 || page > 1 << 16 || Long.bitCount(page) != 1) return null;
        try {
            FileChannel direct = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.DSYNC, DIRECT);
            return new DirectWrites(cached, direct, (int) page);
        } catch (IOException | UnsupportedOperationException e) {
            return null; // a file system without it
        }
    }

    /**
     * Whether bytes can be written there: not if whole pages would make the file longer than the bytes do. Nobody else makes
     * it shorter meanwhile.
     */
    boolean takes(long at, int length) throws IOException {
        if (refused || length > MOST_BYTES) return false;
        long end = at + length;
        long padded = padded(end);
        if (padded == end || padded <= size) return true;
        size = cached.size();
        return padded <= size;
    }

    /** The file is shorter now. */
    void truncated() {
        size = 0;
        known = 0;
    }

    /**
     * Writes all bytes and returns when they would outlast a loss of power; false, and nothing has happened, if the file
     * system does not do that. Behind them the file has zeros or ends.
     */
    boolean write(ByteBuffer from, long at) throws IOException {
        int length = from.remaining();
        if (pagesAt + known != at) recall(at);
        int end = known + length;
        int padded = (int) padded(end);
        reserve(padded);
        pages.put(known, from, from.position(), length);
        for (int i = end; i < padded; i++) pages.put(i, (byte) 0);
        pages.limit(padded).position(0);
        try {
            while (pages.hasRemaining()) direct.write(pages, pagesAt + pages.position());
        } catch (IOException e) {
            known = 0;
            // Some file systems say only now that they cannot. Nothing was written then, and nothing has failed.
            if (pages.position() > 0 || !"Invalid argument".equals(e.getMessage())) throw e;
            refused = true;
            return false;
        }
        from.position(from.limit());
        keep(end);
        return true;
    }

    /** Only the page that is not full is needed again. */
    private void keep(int end) {
        int whole = end / page * page;
        known = end - whole;
        pagesAt += whole;
        if (whole > 0) pages.put(0, pages, whole, known);
    }

    /** What the file has in the page, before that place. */
    private void recall(long at) throws IOException {
        pagesAt = at / page * page;
        known = 0;
        pages.limit((int) (at - pagesAt)).position(0);
        while (pages.hasRemaining())
            if (cached.read(pages, pagesAt + pages.position()) < 0) throw new IOException("the file became shorter");
        known = pages.limit();
    }

    private void reserve(int bytes) {
        pages.clear();
        if (bytes <= pages.capacity()) return;
        ByteBuffer larger = take(Math.max(bytes, 2 * pages.capacity()));
        larger.put(0, pages, 0, known);
        pages = larger;
    }

    private ByteBuffer take(int bytes) {
        MemorySegment memory = Arena.ofAuto().allocate(bytes, page);
        return memory.asByteBuffer();
    }

    private long padded(long bytes) {
        return bytes + page - 1 & -page;
    }

    @Override
    public void close() throws IOException {
        direct.close();
    }
}
