package tidepool.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A transport without encryption: the socket itself. */
public final class PlainTransport implements Transport {
    private final SocketChannel channel;

    /** @param channel connected, and set not to block */
    public PlainTransport(SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return channel.write(from);
    }

    @Override
    public boolean wantsFlush() {
        return false;
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public boolean hasBuffered() {
        return false;
    }

    @Override
    public SocketChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The socket counts as closed anyway.
        }
    }
}
