package tidepool.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A non-blocking byte stream to and from the other end: the plain socket, or TLS over it. One thread uses it at a time.
 * Buffers are direct; their positions move as with a channel.
 */
public interface Transport extends AutoCloseable {
    /** Reads the available bytes. Returns 0 if there are none, -1 at the end of the stream. */
    int read(ByteBuffer into) throws IOException;

    /** Writes bytes from position to limit as far as they fit now. Returns the number of bytes taken, possibly 0. */
    int write(ByteBuffer from) throws IOException;

    /**
     * Returns whether bytes taken by {@link #write} still wait to be sent, or a handshake has bytes to send. The caller
     * then calls {@link #flush} when the socket is writable again.
     */
    boolean wantsFlush();

    /** Sends waiting bytes, as far as they fit. */
    void flush() throws IOException;

    /**
     * Returns whether {@link #read} may return more although the socket has no bytes: bytes that are decrypted and not
     * yet taken.
     */
    boolean hasBuffered();

    /** Returns the name in the certificate of the other end; null if it has sent none. */
    default String peerName() {
        return null;
    }

    /** Returns the channel, for selectors. */
    SocketChannel channel();

    /** Closes the socket. Closing twice does nothing. */
    @Override
    void close();
}
