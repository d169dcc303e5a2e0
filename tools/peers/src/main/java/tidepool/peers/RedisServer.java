package tidepool.peers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import tidepool.workload.process.BoundedProcess;

/**
 * Our own {@code redis-server} process: the program on the PATH, on a free port of the loopback address, with
 * persistence off. It ends with this object, and also when this process is killed: a guarding shell waits for our end
 * of a pipe to close.
 */
final class RedisServer implements AutoCloseable {
    private static final String PROGRAM = "redis-server";
    private static final long START_SECONDS = 10;
    private static final int START_TRIES = 3;

    /**
     * Starts the rest of its arguments as the server and ends with it, or kills it when its own input ends, which
     * happens at any end of this process.
     */
    private static final String GUARD = "exec 3<&0; trap '' INT TERM HUP; \"$@\" < /dev/null 3<&- & server=$!;"
            + " { while read -r line; do :; done; kill -9 $server; } <&3 & watch=$!;"
            + " wait $server; kill -9 $watch 2> /dev/null";

    private final BoundedProcess guard;
    private final Path log;
    private final int port;

    private RedisServer(Path program, Path folder) throws IOException {
        port = freePort();
        log = folder.resolve("redis.log");
        List<String> command = new ArrayList<>(List.of("sh", "-c", GUARD, "sh", program.toString()));
        command.addAll(List.of("--bind", "127.0.0.1", "--port", Integer.toString(port), "--dir", folder.toString()));
        command.addAll(List.of("--save", "", "--appendonly", "no", "--daemonize", "no"));
        guard = BoundedProcess.logged("redis-server", command, log);
    }

    /** Returns the program, if there is one on the PATH. */
    static Optional<Path> find() {
        return find(System.getenv().getOrDefault("PATH", ""));
    }

    static Optional<Path> find(String path) {
        for (String folder : path.split(Pattern.quote(File.pathSeparator), -1)) {
            Path program = Path.of(folder, PROGRAM);
            if (!folder.isEmpty() && Files.isExecutable(program)) return Optional.of(program);
        }
        return Optional.empty();
    }

    /** Returns the message for a machine without Redis. */
    static String notFound() {
        return "no redis-server on the PATH; install Redis, or leave redis out of --peers";
    }

    /** Returns the number in a contender's name, 16 in {@code redis-16}; 1 if there is none. */
    static int outstanding(String name) {
        if (name.equals("redis")) return 1;
        String number = name.startsWith("redis-") ? name.substring("redis-".length()) : "";
        if (number.matches("[1-9][0-9]{0,3}")) return Integer.parseInt(number);
        throw new IllegalArgumentException("'" + name + "' is not redis, nor redis-N with 1 to 9999 under way at once");
    }

    /** Starts a server. Waits until it answers. */
    static RedisServer start(Path folder) {
        return start(find().orElseThrow(() -> new IllegalStateException(notFound())), folder);
    }

    static RedisServer start(Path program, Path folder) {
        IllegalStateException why = null;
        // Another process may take the port between our look and the server's start; then another port is tried.
        for (int i = 0; i < START_TRIES; i++) {
            try {
                RedisServer server = new RedisServer(program, folder);
                if (server.answers()) return server;
                server.close();
                why = new IllegalStateException("redis-server did not start: " + server.lastWords());
            } catch (IOException e) {
                throw new UncheckedIOException("redis-server cannot be started: " + e.getMessage(), e);
            }
        }
        throw why;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private boolean answers() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (System.nanoTime() < end && guard.isAlive()) {
            try (RespConnection connection = connect()) {
                // Another server may have taken the port; ours is the one that runs in our folder.
                connection.command(3).word("CONFIG").word("GET").word("dir");
                byte[] text = new byte[1 << 12];
                for (int i = connection.parts(); i > 1; i--) connection.string(text);
                String lives = new String(text, 0, connection.string(text), StandardCharsets.UTF_8);
                return lives.equals(log.getParent().toRealPath().toString());
            } catch (UncheckedIOException e) {
                pause();
            }
        }
        return false;
    }

    /** Returns whether it runs. */
    boolean isAlive() {
        return guard.isAlive();
    }

    private void pause() {
        try {
            guard.ends(Duration.ofMillis(20));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private String lastWords() throws IOException {
        List<String> said = Files.readAllLines(log);
        return said.isEmpty() ? "it ended without a word" : said.getLast();
    }

    /** Opens a new connection. */
    RespConnection connect() {
        try {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new RespConnection(channel);
        } catch (IOException e) {
            throw new UncheckedIOException("Redis cannot be reached: " + e.getMessage(), e);
        }
    }

    String settings() {
        try (RespConnection connection = connect()) {
            connection.command(2).word("INFO").word("server");
            byte[] info = new byte[1 << 14];
            String text = new String(info, 0, connection.string(info), StandardCharsets.UTF_8);
            String version = text.lines()
                    .filter(line -> line.startsWith("redis_version:"))
                    .findFirst()
                    .orElse("");
            return "Redis " + version.substring(version.indexOf(':') + 1) + " over loopback TCP, persistence off";
        }
    }

    @Override
    public void close() {
        try {
            guard.endInput(); // it kills the server and ends
            guard.awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
