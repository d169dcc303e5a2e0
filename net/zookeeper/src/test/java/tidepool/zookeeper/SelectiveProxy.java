package tidepool.zookeeper;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tidepool.node.MemoryServer;
import tidepool.wire.Frame;

/** A proxy in front of a node that can cut off one client, which it knows by the name in the HELLO. */
final class SelectiveProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    private final InetSocketAddress node;
    private final String client;
    private final List<Socket> ofClient = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean cutOff;

    SelectiveProxy(MemoryServer node, String client) throws IOException {
        this.node = node.address();
        this.client = client;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Ends the connections of the client, and every new one after its HELLO. */
    void cutOff() throws IOException {
        cutOff = true;
        for (Socket socket : ofClient) socket.close();
    }

    void heal() {
        cutOff = false;
    }

    private void accept() {
        try {
            while (true) {
                Socket from = listener.accept();
                sockets.add(from);
                Thread.ofVirtual().start(() -> serve(from));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket from) {
        try (from;
                Socket to = new Socket()) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            byte[] header = in.readNBytes(Frame.HEADER);
            if (header.length < Frame.HEADER) return;
            int bytes = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt(Frame.BYTES);
            byte[] hello = in.readNBytes(bytes - Frame.HEADER);
            if (new String(hello, StandardCharsets.ISO_8859_1).contains(client)) {
                ofClient.add(from); // before the flag is read: cutOff() sets it and then closes these
                if (cutOff) return;
            }
            sockets.add(to);
            to.connect(node);
            to.setTcpNoDelay(true);
            from.setTcpNoDelay(true);
            to.getOutputStream().write(header);
            to.getOutputStream().write(hello);
            Thread.ofVirtual().start(() -> pass(to, from));
            in.transferTo(to.getOutputStream());
        } catch (IOException e) {
            // one of the ends is gone
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            in.transferTo(to.getOutputStream());
        } catch (IOException e) {
            // one of the ends is gone
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) socket.close();
    }
}
