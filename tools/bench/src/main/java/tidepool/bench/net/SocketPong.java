package tidepool.bench.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A pong over a socket: answers all requests of one read in one write. Allocates nothing for them. */
final class SocketPong implements Pong {
    private final SocketTransport transport;
    private final ServerSocketChannel server;
    private final int port;
    private final ByteBuffer in = buffer(Message.REQUEST_BYTES);
    private final ByteBuffer out = buffer(Message.ANSWER_BYTES);

    SocketPong(SocketTransport transport) throws IOException {
        this.transport = transport;
        this.server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        this.port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private static ByteBuffer buffer(int messageBytes) {
        return ByteBuffer.allocateDirect(Message.MAX_UNDER_WAY * messageBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void serve() {
        while (server.isOpen()) {
            try (SocketChannel channel = server.accept()) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                answer(channel);
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException("the connection broke: " + e.getMessage(), e);
            }
        }
    }

    private void answer(SocketChannel channel) throws IOException {
        SocketTransport.Waiting waiting = transport.over(channel);
        in.clear();
        while (true) {
            waiting.beforeRead();
            int bytes = channel.read(in);
            if (bytes < 0) return;
            if (bytes == 0) waiting.nothing();
            else if (in.position() >= Message.REQUEST_BYTES) reply(channel);
        }
    }

    /** Answers the requests that are complete. The rest of a partial request comes with the next read. */
    private void reply(SocketChannel channel) throws IOException {
        int messages = in.position() / Message.REQUEST_BYTES;
        out.clear();
        for (int i = 0; i < messages; i++) out.putLong(i * Message.ANSWER_BYTES, in.getLong(i * Message.REQUEST_BYTES));
        in.flip().position(messages * Message.REQUEST_BYTES);
        in.compact();
        out.limit(messages * Message.ANSWER_BYTES);
        while (out.hasRemaining()) channel.write(out);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the port cannot be given back: " + e.getMessage(), e);
        }
    }
}
