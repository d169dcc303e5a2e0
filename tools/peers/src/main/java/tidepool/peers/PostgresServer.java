package tidepool.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tidepool.bench.TemporaryFolder;
import tidepool.workload.process.BoundedProcess;

/**
 * Our own PostgreSQL process: the programs installed on this machine, with a database in a temporary folder on a disk,
 * on a free port of the loopback address. PostgreSQL does not run as root, so root switches to its user. Ends with this
 * object, and with this process.
 */
final class PostgresServer implements AutoCloseable {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
    private static final long START_SECONDS = 60;
    private static final Duration MAX_PROGRAM = Duration.ofMinutes(2);
    private static final Duration MAX_END = Duration.ofSeconds(10);
    private static final int SPARE_CONNECTIONS = 400;

    /** The guard of {@link RedisServer}: the server ends when our end of the pipe closes. */
    private static final String GUARD = "exec 3<&0; trap '' INT TERM HUP; \"$@\" < /dev/null 3<&- & server=$!;"
            + " { while read -r line; do :; done; kill -QUIT $server; } <&3 & watch=$!;"
            + " wait $server; kill -9 $watch 2> /dev/null";

    private final TemporaryFolder folder;
    private final int port;
    private final BoundedProcess guard;
    private String version;

    private PostgresServer(Path programs, int connections) throws IOException {
        folder = TemporaryFolder.onDisk();
        port = freePort();
        Path data = folder.path().resolve("data");
        if (isRoot()) run(List.of("chown", "postgres", folder.path().toString()));
        List<String> initdb = List.of(
                programs.resolve("initdb").toString(),
                "-D",
                data.toString(),
                "-A",
                "trust",
                "-U",
                "bank",
                "-E",
                "UTF8");
        run(asUser(initdb));
        List<String> command = new ArrayList<>(List.of("sh", "-c", GUARD, "sh"));
        command.addAll(asUser(List.of(programs.resolve("postgres").toString(), "-D", data.toString())));
        for (String setting : List.of(
                "port=" + port,
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=" + folder.path(),
                // Far more connections than are used: this number sizes the memory in which PostgreSQL notes conflicts.
                "max_connections=" + (connections + SPARE_CONNECTIONS),
                "shared_buffers=512MB",
                "max_wal_size=4GB",
                "fsync=on",
                "synchronous_commit=on",
                "default_transaction_isolation=serializable",
                "autovacuum=off")) command.addAll(List.of("-c", setting));
        guard = BoundedProcess.logged("PostgreSQL", command, folder.path().resolve("postgres.log"));
    }

    /** Starts a server and waits until it answers. Throws an exception with one sentence if there is none. */
    static PostgresServer start(int connections) {
        Path programs = find().orElseThrow(() -> new IllegalStateException(notFound()));
        try {
            PostgresServer server = new PostgresServer(programs, connections);
            server.awaitAnswer();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL cannot be started: " + e.getMessage(), e);
        }
    }

    /** Returns the folder with its programs, if it is installed. */
    static Optional<Path> find() {
        if (!Files.isDirectory(INSTALLED)) return Optional.empty();
        try (Stream<Path> versions = Files.list(INSTALLED)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static String notFound() {
        return "no PostgreSQL in " + INSTALLED + "; install it, or leave postgres out of --peers";
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static List<String> asUser(List<String> command) {
        if (!isRoot()) return command;
        List<String> all =
                new ArrayList<>(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        all.addAll(command);
        return all;
    }

    private static void run(List<String> command) throws IOException {
        try {
            BoundedProcess.run(command, MAX_PROGRAM);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitAnswer() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        SQLException last = null;
        while (System.nanoTime() < end && guard.isAlive()) {
            try (Connection connection = connect()) {
                version = connection.getMetaData().getDatabaseProductVersion();
                return;
            } catch (SQLException e) {
                last = e;
                tidepool.base.Waiting.pause(50_000_000);
            }
        }
        close();
        throw new IllegalStateException("PostgreSQL did not start: " + (last == null ? "it ended" : last.getMessage()));
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=bank&prepareThreshold=1");
    }

    String version() {
        return version;
    }

    @Override
    public void close() {
        guard.killLater(); // its end of the pipe closes
        guard.endInput();
        try {
            guard.ends(MAX_END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        folder.close();
    }
}
