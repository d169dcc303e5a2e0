package tidepool.bench.net;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/** A ping over a socket: one write for all messages of a trip, and as many reads as necessary. Allocates nothing. */
final class SocketPing implements Ping {
    private final SocketChannel channel;
    private final SocketTransport.Waiting waiting;
    private final ByteBuffer out = buffer(Message.REQUEST_BYTES);
    private final ByteBuffer in = buffer(Message.ANSWER_BYTES);
    private long number;

    SocketPing(SocketChannel channel, SocketTransport.Waiting waiting) {
        this.channel = channel;
        this.waiting = waiting;
    }

    private static ByteBuffer buffer(int messageBytes) {
        return ByteBuffer.allocateDirect(Message.MAX_UNDER_WAY * messageBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public long exchange(int trips, int messages) {
        try {
            long last = number;
            for (int i = 0; i < trips; i++) last = trip(messages);
            return last;
        } catch (IOException e) {
            throw new UncheckedIOException("the other end is gone: " + e.getMessage(), e);
        }
    }

    private long trip(int messages) throws IOException {
        out.clear();
        for (int i = 0; i < messages; i++) out.putLong(i * Message.REQUEST_BYTES, ++number);
        out.limit(messages * Message.REQUEST_BYTES);
        while (out.hasRemaining()) channel.write(out);
        in.clear().limit(messages * Message.ANSWER_BYTES);
        while (in.hasRemaining()) {
            waiting.beforeRead();
            int bytes = channel.read(in);
            if (bytes < 0) throw new EOFException("end of the connection");
            if (bytes == 0) waiting.nothing();
        }
        long last = in.getLong((messages - 1) * Message.ANSWER_BYTES);
        if (last != number) throw new IOException("answer " + last + " to request " + number);
        return last;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the connection cannot be closed: " + e.getMessage(), e);
        }
    }
}
