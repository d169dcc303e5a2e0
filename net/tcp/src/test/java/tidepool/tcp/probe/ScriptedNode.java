package tidepool.tcp.probe;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import tidepool.wire.Frame;
import tidepool.wire.HostPort;

/** A server that answers the first frames of each client with raw bytes that a test has chosen. */
final class ScriptedNode implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());

    /** @param answers one for each frame that arrives; then the connection is closed */
    ScriptedNode(byte[]... answers) throws IOException {
        Thread.ofVirtual().start(() -> {
            while (!listening.isClosed()) {
                try (Socket socket = listening.accept()) {
                    serve(socket, answers);
                } catch (IOException e) {
                    // The client has closed the connection, or the test is over.
                }
            }
        });
    }

    private static void serve(Socket socket, byte[][] answers) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        for (byte[] answer : answers) {
            int bytes = Integer.reverseBytes(in.readInt());
            in.readFully(new byte[bytes - Integer.BYTES]);
            out.write(answer);
        }
    }

    int port() {
        return listening.getLocalPort();
    }

    HostPort address() {
        return new HostPort(listening.getInetAddress().getHostAddress(), port());
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }

    /** Returns the CHALLENGE of a node that uses that version and asks for no proof. */
    static byte[] challenge(int version) {
        byte[] name = "fake".getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(8 + 32 + 32 + 2 + name.length).order(ByteOrder.LITTLE_ENDIAN);
        body.putInt(version).putInt(0).position(8 + 32 + 32);
        body.putShort((short) name.length).put(name);
        return frame(Frame.CHALLENGE, 0, 0, body.array());
    }

    static byte[] refused(int status, String sentence) {
        byte[] body = sentence.getBytes(StandardCharsets.UTF_8);
        return frame(Frame.REFUSED, status, body.length, body);
    }

    static byte[] frame(int kind, int status, int count, byte... body) {
        int bytes = (int) Frame.padded(Frame.HEADER + body.length);
        ByteBuffer frame = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        frame.putLong(Frame.head(bytes, kind, status, count)).putLong(0).put(body);
        return frame.array();
    }
}
