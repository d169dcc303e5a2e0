package tidepool.node;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import tidepool.base.Id128;
import tidepool.wire.ControlCode;
import tidepool.wire.ControlStatus;
import tidepool.wire.Frame;

/** A client that sends exactly the bytes that a test gives it, and waits for the answers. */
final class RawClient implements AutoCloseable {
    private static final int MAX_WAIT_MILLIS = 120_000;

    final Socket socket;
    private final DataInputStream in;
    private int sequence;

    /** SUSPECTS frames that arrived while the test waited for an answer. */
    final List<Answer> pushed = new ArrayList<>();

    /** A frame from the node. */
    record Answer(int kind, int status, int count, int link, int sequence, ByteBuffer body) {
        long word(int index) {
            return body.getLong(index * 8);
        }

        String text() {
            byte[] bytes = new byte[count];
            body.get(0, bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    RawClient(InetSocketAddress address) throws IOException {
        this(new Socket(address.getAddress(), address.getPort()));
    }

    /** Makes a client of a connected socket, which may use TLS. */
    RawClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(MAX_WAIT_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Opens an authenticated connection. */
    static RawClient known(MemoryServer server, String pool) throws IOException {
        return known(server.address(), pool);
    }

    static RawClient known(InetSocketAddress server, String pool) throws IOException {
        RawClient client = new RawClient(server);
        client.send(hello("test", pool, 0, 1, new Id128(0, 0)));
        client.read();
        client.send(frame(Frame.PROOF, 0, 0, 0, new byte[Frame.PROOF_BYTES]));
        Answer welcome = client.read();
        if (welcome.kind != Frame.WELCOME) throw new IOException("refused: " + welcome.text());
        return client;
    }

    /** Opens a connection of a session, with link 0 open. */
    static RawClient attached(MemoryServer server, String pool, long session) throws IOException {
        return attached(server.address(), pool, session);
    }

    static RawClient attached(InetSocketAddress server, String pool, long session) throws IOException {
        RawClient client = known(server, pool);
        client.attach(session);
        client.control(ControlCode.OPEN_LINK, 0);
        return client;
    }

    static byte[] hello(String client, String pool, int number, int nodes, Id128 id) {
        byte[] clientName = client.getBytes(StandardCharsets.UTF_8);
        byte[] poolName = pool.getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = buffer((int) Frame.padded(72 + 4 + clientName.length + poolName.length));
        body.putLong(Frame.MAGIC)
                .putInt(Frame.VERSION)
                .putInt(number)
                .putInt(nodes)
                .putInt(0);
        body.putLong(id.high()).putLong(id.low()).put(new byte[Frame.NONCE_BYTES]);
        body.putShort((short) clientName.length).put(clientName);
        body.putShort((short) poolName.length).put(poolName);
        return frame(Frame.HELLO, 0, 0, 0, body.array());
    }

    static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static byte[] words(long... words) {
        ByteBuffer body = buffer(words.length * 8);
        for (long word : words) body.putLong(word);
        return body.array();
    }

    static byte[] frame(int kind, int count, int link, int sequence, byte[] body) {
        ByteBuffer frame = buffer(Frame.HEADER + body.length);
        frame.putInt(Frame.HEADER + body.length).put((byte) kind).put((byte) 0).putShort((short) count);
        return frame.putInt(link).putInt(sequence).put(body).array();
    }

    static byte[] round(int link, int sequence, Verbs verbs) {
        return frame(Frame.ROUND, verbs.count, link, sequence, verbs.bytes());
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Returns the next frame; null at the end. */
    Answer readOrEnd() throws IOException {
        try {
            byte[] header = in.readNBytes(Frame.HEADER);
            if (header.length == 0) return null;
            if (header.length < Frame.HEADER) throw new EOFException();
            ByteBuffer head = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
            byte[] body = new byte[head.getInt(0) - Frame.HEADER];
            in.readFully(body);
            return new Answer(
                    head.get(4),
                    head.get(5) & 0xff,
                    head.getShort(6) & 0xffff,
                    head.getInt(8),
                    head.getInt(12),
                    ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN));
        } catch (SocketException | SSLException e) {
            return null; // reset
        }
    }

    Answer read() throws IOException {
        Answer answer = readOrEnd();
        if (answer == null) throw new EOFException("the node closed the connection");
        return answer;
    }

    /** Returns the next frame that is no SUSPECTS frame. */
    Answer answer() throws IOException {
        while (true) {
            Answer answer = read();
            if (answer.kind != Frame.SUSPECTS) return answer;
            pushed.add(answer);
        }
    }

    Answer control(long... words) throws IOException {
        send(frame(Frame.CONTROL, words.length, 0, ++sequence, words(words)));
        return answer();
    }

    Answer round(Verbs verbs) throws IOException {
        send(round(0, ++sequence, verbs));
        return answer();
    }

    /** Makes a region, opens it on link 0, and returns its handle. */
    long region(long bytes) throws IOException {
        Answer created = control(ControlCode.CREATE_REGION, bytes);
        return control(ControlCode.OPEN_REGION, 0, created.word(0), created.word(1))
                .word(0);
    }

    /** Attaches under a number that the test chooses. If needed, takes the numbers before it too. */
    Answer attach(long session) throws IOException {
        Answer answer = control(ControlCode.ATTACH, session, 1, 2, 3);
        boolean given =
                !(answer.status() == ControlStatus.EPOCH && answer.text().contains("was not given out"));
        for (long i = 0; !given && i < 2 * session; i++) given = nextSession() == session;
        return answer.status() == 0 ? answer : control(ControlCode.ATTACH, session, 1, 2, 3);
    }

    long nextSession() throws IOException {
        return control(ControlCode.NEXT_SESSION).word(0);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
