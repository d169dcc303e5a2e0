package tidepool.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A proxy between clients and a node that can be cut: connections stay open, and no more bytes pass. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final InetSocketAddress target;
    private volatile boolean cut;

    CuttingProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    void cut() {
        cut = true;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket node = new Socket(target.getAddress(), target.getPort());
                Thread.ofVirtual().start(() -> carry(client, node));
                Thread.ofVirtual().start(() -> carry(node, client));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void carry(Socket from, Socket to) {
        byte[] bytes = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) if (!cut) out.write(bytes, 0, read);
        } catch (IOException e) {
            // One of the two ends has gone.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
