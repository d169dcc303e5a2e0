package tidepool.wire.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import tidepool.wire.Transport;
import tidepool.wire.Transports;

/** Both ends of a TLS connection in one thread, which alternates between them. */
final class TlsPair implements AutoCloseable {
    static final int BUFFER = 64 << 10;

    final Transport client;
    final Transport node;

    TlsPair(Transports clients, Transports nodes, String host) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel from = SocketChannel.open(listener.getLocalAddress());
            SocketChannel to = listener.accept();
            from.configureBlocking(false);
            to.configureBlocking(false);
            client = clients.connected(from, host, 0);
            node = nodes.accepted(to);
        }
    }

    /** Sends a text from one end. Returns what the other end received; null if it saw the end of the stream instead. */
    String carry(Transport from, Transport to, String text) throws IOException {
        ByteBuffer out = direct(text.getBytes(StandardCharsets.UTF_8));
        ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
        Instant end = Instant.now().plus(Duration.ofSeconds(30));
        while (in.position() < text.length()) {
            if (Instant.now().isAfter(end)) throw new IOException("nothing moves: got " + in.position());
            if (out.hasRemaining()) from.write(out);
            if (to.read(in) < 0) return null;
            turn(from, to);
        }
        byte[] got = new byte[in.flip().remaining()];
        in.get(got);
        return new String(got, StandardCharsets.UTF_8);
    }

    /** Lets both ends send and receive where no data is expected: for the handshake, which needs both. */
    static void turn(Transport from, Transport to) throws IOException {
        ByteBuffer none = ByteBuffer.allocateDirect(1);
        if (to.wantsFlush()) to.flush();
        if (from.read(none) > 0) throw new IOException("data where none was expected");
        if (from.wantsFlush()) from.flush();
    }

    static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    @Override
    public void close() {
        client.close();
        node.close();
    }
}
