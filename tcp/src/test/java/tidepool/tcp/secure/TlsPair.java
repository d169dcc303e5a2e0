package tidepool.tcp.secure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import tidepool.tcp.wire.Transport;
import tidepool.tcp.wire.Transports;

/** Both ends of a connection in one thread, which takes turns between them. */
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

    /** Sends a text from one end and returns what the other end got of it; null if that end saw the end instead. */
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

    /** The ends hear each other where no data is expected: for the handshake, which needs both. */
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
