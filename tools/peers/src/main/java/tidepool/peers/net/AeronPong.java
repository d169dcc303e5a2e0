package tidepool.peers.net;

import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import tidepool.bench.net.Message;
import tidepool.bench.net.Pong;

/** A pong over Aeron, spinning. Messages that arrived as one are answered by one. */
final class AeronPong implements Pong {
    private final AeronTransport.End end = new AeronTransport.End();
    private final Subscription requests = end.subscribe();
    private final UnsafeBuffer out =
            new UnsafeBuffer(ByteBuffer.allocateDirect(Message.MAX_UNDER_WAY * Message.ANSWER_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN));
    private final int port = AeronTransport.End.port(requests);
    private Publication answers;
    private volatile boolean isClosed;

    @Override
    public int port() {
        return port;
    }

    @Override
    public void serve() {
        FragmentHandler handler = (buffer, offset, length, header) -> answer(buffer, offset, length);
        while (!isClosed) {
            end.turn();
            if (requests.poll(handler, 10) == 0) Thread.onSpinWait();
        }
        end.close();
    }

    private void answer(DirectBuffer in, int offset, int length) {
        long first = in.getLong(offset, ByteOrder.LITTLE_ENDIAN);
        if (first < 0) {
            answers = end.aeron().addExclusivePublication(AeronTransport.channel((int) -first), AeronTransport.STREAM);
            return;
        }
        int messages = length / Message.REQUEST_BYTES;
        for (int i = 0; i < messages; i++)
            out.putLong(
                    i * Message.ANSWER_BYTES,
                    in.getLong(offset + i * Message.REQUEST_BYTES, ByteOrder.LITTLE_ENDIAN),
                    ByteOrder.LITTLE_ENDIAN);
        while (answers.offer(out, 0, messages * Message.ANSWER_BYTES) < 0) end.turn();
    }

    /** Asks the serving thread to end; it ends soon after. */
    @Override
    public void close() {
        isClosed = true;
    }
}
