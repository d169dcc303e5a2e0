package tidepool.tcp.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Bytes to and from the other end, never waiting: the plain socket, or TLS over it. One thread uses it at a time. Buffers
 * are direct; positions move as those of a channel do.
 */
public interface Transport extends AutoCloseable {
    /** Reads what is there; 0 if nothing is, -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** Writes what fits now, from position to limit; the number of bytes taken, maybe 0. */
    int write(ByteBuffer from) throws IOException;

    /**
     * Whether bytes that were taken by {@link #write} still wait to be sent, or a handshake has something to say; then
     * {@link #flush} is called when the socket can be written again.
     */
    boolean wantsFlush();

    /** Sends what waits, as far as it fits. */
    void flush() throws IOException;

    /** Whether {@link #read} may have more although the socket has nothing: bytes decrypted and not yet taken. */
    boolean hasBuffered();

    /** The name in the certificate that the other end has shown; null if it has shown none. */
    default String peerName() {
        return null;
    }

    /** For selectors. */
    SocketChannel channel();

    /** Closes the socket. Closing twice does nothing. */
    @Override
    void close();
}
