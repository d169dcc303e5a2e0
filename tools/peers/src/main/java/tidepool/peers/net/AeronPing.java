package tidepool.peers.net;

import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import tidepool.bench.net.Message;
import tidepool.bench.net.Ping;

/** A ping over Aeron. The first message carries the address for answers. */
final class AeronPing implements Ping {
    private final AeronTransport.End end = new AeronTransport.End();
    private final UnsafeBuffer out =
            new UnsafeBuffer(ByteBuffer.allocateDirect(Message.MAX_UNDER_WAY * Message.REQUEST_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN));
    private final FragmentHandler handler = (buffer, offset, length, header) -> take(buffer, offset, length);
    private final Subscription answers;
    private final Publication requests;
    private long number;
    private long answered;
    private long last;

    AeronPing(int port) {
        answers = end.subscribe();
        requests = end.aeron().addExclusivePublication(AeronTransport.channel(port), AeronTransport.STREAM);
        end.await(requests::isConnected);
        out.putLong(0, -AeronTransport.End.port(answers), ByteOrder.LITTLE_ENDIAN);
        end.await(() -> requests.offer(out, 0, Message.REQUEST_BYTES) > 0);
        end.await(answers::isConnected);
    }

    private void take(DirectBuffer in, int offset, int length) {
        answered += length;
        last = in.getLong(offset + length - Message.ANSWER_BYTES, ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public long exchange(int trips, int messages) {
        for (int i = 0; i < trips; i++) {
            for (int m = 0; m < messages; m++)
                out.putLong(m * Message.REQUEST_BYTES, ++number, ByteOrder.LITTLE_ENDIAN);
            while (requests.offer(out, 0, messages * Message.REQUEST_BYTES) < 0) end.turn();
            long expected = answered + (long) messages * Message.ANSWER_BYTES;
            while (answered < expected) {
                end.turn();
                if (answers.poll(handler, 10) == 0) Thread.onSpinWait();
            }
            if (last != number) throw new IllegalStateException("answer " + last + " to request " + number);
        }
        return last;
    }

    @Override
    public void close() {
        end.close();
    }
}
