package tidepool.node;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A proxy between a client and a node. It forwards TLS records and flips the last bit of one record of the client. */
final class FlippingProxy implements AutoCloseable {
    private static final int RECORD_HEADER = 5;

    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final InetSocketAddress target;
    private final int flipped;

    /** @param flipped the index of the record to change, from 0 */
    FlippingProxy(InetSocketAddress target, int flipped) throws IOException {
        this.target = target;
        this.flipped = flipped;
        Thread.ofVirtual().start(this::carry);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void carry() {
        try (Socket client = listener.accept();
                Socket node = new Socket(target.getAddress(), target.getPort())) {
            Thread.ofVirtual().start(() -> back(node, client));
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = node.getOutputStream();
            for (int record = 0; ; record++) {
                byte[] header = in.readNBytes(RECORD_HEADER);
                if (header.length < RECORD_HEADER) return;
                byte[] body = in.readNBytes((header[3] & 0xff) << 8 | header[4] & 0xff);
                if (record == flipped) body[body.length - 1] ^= 1;
                out.write(header);
                out.write(body);
                out.flush();
            }
        } catch (IOException e) {
            // Client or node has closed its socket.
        }
    }

    private static void back(Socket from, Socket to) {
        try (to) {
            InputStream in = from.getInputStream();
            in.transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Client or node has closed its socket.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
