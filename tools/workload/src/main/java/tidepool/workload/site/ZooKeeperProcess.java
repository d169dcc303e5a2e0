package tidepool.workload.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tidepool.workload.process.BoundedProcess;
import tidepool.workload.process.JvmCommand;

/** A ZooKeeper of one server in its own JVM, on a free port of loopback. */
final class ZooKeeperProcess implements AutoCloseable {
    private static final String MAIN = "org.apache.zookeeper.server.ZooKeeperServerMain";
    private static final int TICK_MILLIS = 100;
    private static final int TRIES = 1200;
    private static final int PAUSE_MILLIS = 50;

    private final InetSocketAddress address;
    private final Path log;
    private final BoundedProcess process;

    /** Waits until it can be reached. */
    ZooKeeperProcess(Path folder) {
        this.log = folder.resolve("log-zookeeper");
        try {
            address = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
            Path data = Files.createDirectories(folder.resolve("zookeeper"));
            Path config = folder.resolve("zookeeper.cfg");
            Files.write(
                    config,
                    List.of(
                            "tickTime=" + TICK_MILLIS,
                            "dataDir=" + data,
                            "clientPort=" + address.getPort(),
                            "clientPortAddress=" + address.getAddress().getHostAddress(),
                            "maxClientCnxns=0",
                            "admin.enableServer=false"));
            process = BoundedProcess.logged(
                    "ZooKeeper", JvmCommand.of(List.of("-XX:+UseSerialGC"), MAIN, List.of(config.toString())), log);
        } catch (IOException e) {
            throw new UncheckedIOException("a ZooKeeper cannot be started: " + e.getMessage(), e);
        }
        await();
    }

    /** Returns a free port. If another process takes it meanwhile, the server ends with an error. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void await() {
        for (int i = 0; i < TRIES; i++) {
            requireSound();
            try (Socket socket = new Socket()) {
                socket.connect(address, PAUSE_MILLIS);
                return;
            } catch (IOException e) {
                pause();
            }
        }
        close();
        throw new IllegalStateException("ZooKeeper did not begin: see " + log);
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    InetSocketAddress address() {
        return address;
    }

    void requireSound() {
        if (process.isAlive()) return;
        throw new IllegalStateException("ZooKeeper ended: " + process.errors());
    }

    @Override
    public void close() {
        process.killLater();
    }
}
