package tidepool.workload.proxy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tidepool.wire.Frame;

/** The part of a node that a proxy needs: it answers every ROUND, and records all arrivals. */
final class EchoPeer implements AutoCloseable {
    static final int END = -1;
    static final int RESET = -2;

    private final ServerSocket listener = new ServerSocket();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** Sequences in the order of their arrival; {@link #END} or {@link #RESET} where a connection ended. */
    private final LinkedBlockingQueue<Integer> arrived = new LinkedBlockingQueue<>();

    private volatile boolean staysAfterEnd;

    EchoPeer() throws IOException {
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /** Does not close a connection whose other end has said its last. */
    void stayAfterEnd() {
        staysAfterEnd = true;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket) {
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                ProxiedFrame frame = ProxiedFrame.read(Direction.TO_NODE, in);
                if (frame == null) break;
                arrived.add(frame.sequence());
                if (frame.kind() == Frame.ROUND)
                    socket.getOutputStream().write(frame(Frame.ANSWER, frame.link(), frame.sequence()));
            }
            arrived.add(END);
            if (!staysAfterEnd) socket.close();
        } catch (IOException e) {
            arrived.add(RESET);
        }
    }

    /** Waits for the next arrival. */
    int next() throws InterruptedException {
        Integer one = arrived.poll(30, TimeUnit.SECONDS);
        if (one == null) throw new AssertionError("nothing arrives");
        return one;
    }

    boolean hasMore() {
        return !arrived.isEmpty();
    }

    /** Closes all connections, as a node does that has revoked a session. */
    void closeAll() throws IOException {
        for (Socket socket : sockets) socket.close();
    }

    static byte[] frame(int kind, int link, int sequence, long... body) {
        int bytes = Frame.HEADER + body.length * Long.BYTES;
        ByteBuffer frame = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        frame.putLong(Frame.head(bytes, kind, 0, kind == Frame.ROUND ? 1 : 0)).putLong(Frame.tail(link, sequence));
        for (long word : body) frame.putLong(word);
        return frame.array();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closeAll();
    }
}
