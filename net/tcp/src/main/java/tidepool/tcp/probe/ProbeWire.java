package tidepool.tcp.probe;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import tidepool.wire.Frame;
import tidepool.wire.HostPort;
import tidepool.wire.Transport;
import tidepool.wire.Transports;

/**
 * A blocking connection to one node that sends and receives one frame at a time, until a deadline that is set when it
 * is opened.
 */
final class ProbeWire implements AutoCloseable {
    private static final int MAX_FRAME_BYTES = 1 << 20;

    private final Duration patience;
    private final long deadline;
    private final Selector selector = Selector.open();
    private final SocketChannel channel = SocketChannel.open();
    private final ByteBuffer in = ByteBuffer.allocateDirect(MAX_FRAME_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .limit(0);
    private final Transport transport;

    /** Connects and waits for the connection. */
    ProbeWire(HostPort node, Transports transports, Duration patience) throws IOException {
        this.patience = patience;
        deadline = System.nanoTime() + patience.toNanos();
        try {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_CONNECT);
            boolean connected = channel.connect(node.resolve("node"));
            while (!connected) {
                waitFor(SelectionKey.OP_CONNECT);
                connected = channel.finishConnect();
            }
            transport = transports.connected(channel, node.host(), node.port());
        } catch (IOException | RuntimeException e) {
            channel.close();
            selector.close();
            throw e;
        }
    }

    /** Returns an empty frame, positioned after {@link Frame#HEADER}. */
    static ByteBuffer frame(int kind, int count, int bodyBytes) {
        int bytes = (int) Frame.padded(Frame.HEADER + bodyBytes);
        ByteBuffer frame = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return frame.putLong(0, Frame.head(bytes, kind, 0, count)).position(Frame.HEADER);
    }

    /** Sends a frame. Waits until the socket has accepted all of it. */
    void send(ByteBuffer frame) throws IOException {
        frame.clear();
        while (frame.hasRemaining() || transport.wantsFlush()) {
            if (transport.wantsFlush()) transport.flush();
            else if (transport.write(frame) > 0) continue;
            if (frame.hasRemaining() || transport.wantsFlush()) await();
        }
    }

    /** Waits for the next frame. Returns a view that is valid until the next call. */
    ByteBuffer receive() throws IOException {
        fill(Frame.HEADER);
        int bytes = in.getInt(in.position() + Frame.BYTES);
        if (bytes < Frame.HEADER || bytes > MAX_FRAME_BYTES || bytes % 8 != 0)
            throw new IOException("what answers there is no memory node");
        fill(bytes);
        ByteBuffer frame = in.slice(in.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + bytes);
        return frame;
    }

    /**
     * Reads until that many bytes are in the buffer. Bytes move to the front only here, when no view of a frame is in
     * use.
     */
    private void fill(int bytes) throws IOException {
        while (in.remaining() < bytes) {
            in.compact();
            int read = transport.read(in);
            in.flip();
            if (read < 0) throw new EOFException("the node closed the connection without a word");
            if (read == 0 && !transport.hasBuffered()) await();
        }
    }

    /** Waits until bytes can be read, or waiting bytes can be written. */
    private void await() throws IOException {
        waitFor(SelectionKey.OP_READ | (transport.wantsFlush() ? SelectionKey.OP_WRITE : 0));
        if (transport.wantsFlush()) transport.flush();
    }

    private void waitFor(int operations) throws IOException {
        channel.keyFor(selector).interestOps(operations);
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0 || selector.select(key -> {}, left) == 0 && System.nanoTime() >= deadline)
            throw new SocketTimeoutException("no answer within " + patience.toMillis() + " ms");
    }

    @Override
    public void close() {
        transport.close();
        try {
            selector.close();
        } catch (IOException e) {
            // Nothing depends on the selector any more.
        }
    }
}
