package tidepool.zookeeper;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * A ZooKeeper server inside this process, for trials where none is installed. It does not survive the loss of its
 * machine, and it grants short leases. A production pool needs an ensemble of three or five servers.
 */
public final class LocalZooKeeper implements AutoCloseable {
    /** The tick of the server; a lease has at least two ticks. */
    private static final int TICK_MILLIS = 250;

    private static final int MAX_CONNECTIONS = 1000;

    private final ZooKeeperServer server;
    private final ServerCnxnFactory connections;

    /** Serves the data in the folder; port 0 takes any free port. */
    public LocalZooKeeper(Path folder, InetSocketAddress listen) throws IOException {
        System.setProperty("zookeeper.admin.enableServer", "false");
        File data = folder.toFile();
        this.server = new ZooKeeperServer(data, data, TICK_MILLIS);
        this.connections = new NIOServerCnxnFactory();
        connections.configure(listen, MAX_CONNECTIONS);
        try {
            connections.startup(server);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while ZooKeeper was starting", e);
        }
    }

    public int port() {
        return connections.getLocalPort();
    }

    /** Waits until the server has ended. */
    public void await() throws InterruptedException {
        connections.join();
    }

    @Override
    public void close() {
        connections.shutdown();
        server.shutdown();
    }
}
