package tidepool.cluster;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * One ZooKeeper server inside this process, to try things out where none is installed. It does not survive the loss of its
 * machine, and it grants short leases; real pools have an ensemble of three or five.
 */
public final class LocalZooKeeper implements AutoCloseable {
    /** Leases are at least twice as long. */
    private static final int TICK_MILLIS = 250;

    private static final int MOST_CONNECTIONS = 1000;

    private final ZooKeeperServer server;
    private final ServerCnxnFactory connections;

    /** Serves what is in the folder; a port of 0 takes any that is free. */
    public LocalZooKeeper(Path folder, InetSocketAddress listen) throws IOException {
        System.setProperty("zookeeper.admin.enableServer", "false");
        File data = folder.toFile();
        this.server = new ZooKeeperServer(data, data, TICK_MILLIS);
        this.connections = new NIOServerCnxnFactory();
        connections.configure(listen, MOST_CONNECTIONS);
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

    /** Waits until it has ended. */
    public void await() throws InterruptedException {
        connections.join();
    }

    @Override
    public void close() {
        connections.shutdown();
        server.shutdown();
    }
}
