package tidepool.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import tidepool.wire.Frame;

/** Stands before a node and passes bytes on; holds up the next round when it is told to, or cuts everything. */
final class SlowProxy implements AutoCloseable {
    private final ServerSocket server;
    private final InetSocketAddress target;
    private final AtomicLong delayNanos = new AtomicLong();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    SlowProxy(InetSocketAddress target) {
        this.target = target;
        try {
            this.server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().name("proxy").start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    void delayNextRound(long nanos) {
        delayNanos.set(nanos);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Socket node = new Socket(target.getAddress(), target.getPort());
                client.setTcpNoDelay(true);
                node.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(node);
                Thread.ofPlatform().daemon().start(() -> pass(client, node, true));
                Thread.ofPlatform().daemon().start(() -> pass(node, client, false));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void pass(Socket from, Socket to, boolean asking) {
        byte[] bytes = new byte[1 << 16];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read > 0; read = in.read(bytes)) {
                if (asking && read > Frame.KIND && bytes[Frame.KIND] == Frame.ROUND && delayNanos.get() > 0)
                    LockSupport.parkNanos(delayNanos.getAndSet(0));
                out.write(bytes, 0, read);
            }
        } catch (IOException e) {
            // one of the ends is gone: try-with-resources closes the other
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : sockets) socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
