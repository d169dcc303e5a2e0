package tidepool.tcp.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file of which every use fails, with these words. */
final class BrokenChannel extends FileChannel {
    private final String words;

    BrokenChannel(String words) {
        this.words = words;
    }

    private IOException failure() {
        return new IOException(words);
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        throw failure();
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
        throw failure();
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        throw failure();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        throw failure();
    }

    @Override
    public long position() throws IOException {
        throw failure();
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        throw failure();
    }

    @Override
    public long size() throws IOException {
        throw failure();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        throw failure();
    }

    @Override
    public void force(boolean metaData) throws IOException {
        throw failure();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        throw failure();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        throw failure();
    }

    @Override
    public int read(ByteBuffer to, long position) throws IOException {
        throw failure();
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        throw failure();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        throw failure();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        throw failure();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        throw failure();
    }

    @Override
    protected void implCloseChannel() {
        // There is nothing to close.
    }
}
