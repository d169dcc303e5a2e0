package tidepool.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A proxy between a client and a node with small buffers. It can delay, stop and cut its connections. */
final class NarrowPipe implements AutoCloseable {
    private static final long LOOK_NANOS = 1_000_000;

    private final ServerSocket listener = new ServerSocket();
    private final InetSocketAddress target;
    private final int bytes;
    private final long delayNanos;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private volatile boolean stillTowardsNode;
    private volatile boolean stillTowardsClient;

    /** @param bytes the size of each of its buffers */
    NarrowPipe(InetSocketAddress target, int bytes, long delayNanos) throws IOException {
        this.target = target;
        this.bytes = bytes;
        this.delayNanos = delayNanos;
        listener.setReceiveBufferSize(bytes);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().daemon().name("pipe").start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Stops passing bytes on, or resumes. */
    void stand(boolean standsStill) {
        stillTowardsNode = standsStill;
        stillTowardsClient = standsStill;
    }

    /** Stops passing answers on, or resumes. Requests pass. */
    void standTowardsClient(boolean standsStill) {
        stillTowardsClient = standsStill;
    }

    /**
     * Cuts the connections of this moment and accepts new ones. The list is copied before the first socket closes: a
     * client that connects again at once would otherwise lose its new connection, too.
     */
    void cut() throws IOException {
        List<Socket> present = List.copyOf(sockets);
        sockets.removeAll(present);
        for (Socket socket : present) socket.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket node = new Socket();
                node.setReceiveBufferSize(bytes);
                node.setSendBufferSize(bytes);
                client.setSendBufferSize(bytes);
                node.connect(target);
                client.setTcpNoDelay(true);
                node.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(node);
                Thread.ofPlatform().daemon().start(() -> pass(client, node, () -> stillTowardsNode));
                Thread.ofPlatform().daemon().start(() -> pass(node, client, () -> stillTowardsClient));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void pass(Socket from, Socket to, BooleanSupplier still) {
        byte[] some = new byte[bytes];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(some); read > 0; read = in.read(some)) {
                if (delayNanos > 0) LockSupport.parkNanos(delayNanos);
                while (still.getAsBoolean() && !from.isClosed()) LockSupport.parkNanos(LOOK_NANOS);
                out.write(some, 0, read);
            }
        } catch (IOException e) {
            // one of the ends is gone
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}
