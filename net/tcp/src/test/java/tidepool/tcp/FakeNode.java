package tidepool.tcp;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;

/** A fake memory node that alters its frames as a test wants. All its memory is zeros. */
final class FakeNode implements AutoCloseable {
    static final int REGION_BYTES = 4 << 20;
    static final int HANDLE = 3;

    private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /** The kind of frame that is altered before it is sent; a null result sends nothing and closes the connection. */
    private volatile int lieKind;

    private final AtomicInteger proofs = new AtomicInteger();
    private volatile UnaryOperator<byte[]> lie = frame -> frame;

    FakeNode() throws IOException {
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "tcp://127.0.0.1:" + listener.getLocalPort() + "/bank?timeout=2s&connect=2s";
    }

    /** Returns how many PROOFs clients have sent. */
    int proofs() {
        return proofs.get();
    }

    /** Alters frames of this kind by the given function from now on. */
    void lie(int kind, UnaryOperator<byte[]> how) {
        lie = how;
        lieKind = kind;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                byte[] header = in.readNBytes(Frame.HEADER);
                if (header.length < Frame.HEADER) return;
                ByteBuffer head = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
                byte[] body = in.readNBytes(head.getInt(Frame.BYTES) - Frame.HEADER);
                if (head.get(Frame.KIND) == Frame.PROOF) proofs.incrementAndGet();
                byte[] answer = answer(head, ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN));
                if (answer == null) continue;
                byte[] said = answer[Frame.KIND] == lieKind ? lie.apply(answer) : answer;
                if (said == null) return;
                socket.getOutputStream().write(said);
                socket.getOutputStream().flush();
            }
        } catch (IOException e) {
            // The client has gone.
        } finally {
            sockets.remove(socket);
        }
    }

    private static byte[] answer(ByteBuffer head, ByteBuffer body) {
        int sequence = head.getInt(Frame.SEQUENCE);
        int link = head.getInt(Frame.LINK);
        return switch (head.get(Frame.KIND)) {
            case Frame.HELLO -> {
                ByteBuffer challenge = buffer(88).putInt(Frame.VERSION);
                challenge.putShort(72, (short) 4).put(74, "fake".getBytes());
                yield frame(Frame.CHALLENGE, 0, 0, 0, challenge.array());
            }
            case Frame.PROOF -> frame(Frame.WELCOME, 7, 0, 0, words(1, 2, 1, 1 << 20, 4096, 2_000_000_000L, 15));
            case Frame.CONTROL -> control(sequence, (int) body.getLong(0));
            case Frame.ROUND ->
                frame(Frame.ANSWER, head.getShort(Frame.COUNT), link, sequence, new byte[(int) body.getLong(16)]);
            case Frame.BEAT -> frame(Frame.BEAT, 0, 0, sequence, new byte[0]);
            default -> null;
        };
    }

    private static byte[] control(int sequence, int operation) {
        long[] words =
                switch (operation) {
                    case ControlCode.NEXT_SESSION -> new long[] {7};
                    case ControlCode.OPEN_REGION -> new long[] {HANDLE, 0, REGION_BYTES};
                    case ControlCode.OPEN_LINK, ControlCode.EPOCH -> new long[] {1};
                    case ControlCode.CREATE_REGION, ControlCode.REGIONS -> new long[] {5, 6};
                    case ControlCode.ALLOCATE -> new long[] {0, 4096};
                    case ControlCode.IS_REVOKED, ControlCode.IS_DEAD, ControlCode.POWER_LOSSES -> new long[] {0};
                    case ControlCode.SESSIONS -> new long[] {7};
                    case ControlCode.STATISTICS -> new long[9];
                    default -> new long[0];
                };
        return frame(Frame.REPLY, words.length, 0, sequence, words(words));
    }

    static byte[] frame(int kind, int count, int link, int sequence, byte[] body) {
        ByteBuffer frame = buffer(Frame.HEADER + body.length);
        frame.putLong(Frame.head(frame.capacity(), kind, 0, count)).putLong(Frame.tail(link, sequence));
        return frame.put(body).array();
    }

    static byte[] words(long... words) {
        ByteBuffer body = buffer(words.length * 8);
        for (long word : words) body.putLong(word);
        return body.array();
    }

    static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) socket.close();
    }
}
