package tidepool.node.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * An HTTP server for {@code /metrics} and {@code /health} of a node. Each request has a virtual thread of its own, so
 * that a stuck request delays no other. Connections, the time of a request and the number of pages made at once are
 * bounded. The endpoint reveals no secret and changes nothing.
 */
public final class MetricsEndpoint implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("tidepool.node");
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final int BACKLOG = 64;

    /** Maximum number of answers of one kind that are made at once; one more is refused. */
    static final int AT_ONCE = 32;

    private final HttpServer server;
    private final ExecutorService threads;

    /**
     * @param address port 0 takes any free port
     * @param metrics makes the page
     * @param health returns why the node is not healthy; null if it is
     */
    public MetricsEndpoint(InetSocketAddress address, Supplier<String> metrics, Supplier<String> health)
            throws IOException {
        bound();
        server = HttpServer.create(address, BACKLOG);
        threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("tidepool-metrics-", 0).factory());
        server.setExecutor(threads);
        // Two bounds. Otherwise stuck pages of metrics could keep a load balancer from asking for the health.
        Semaphore pages = new Semaphore(AT_ONCE);
        Semaphore healths = new Semaphore(AT_ONCE);
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(exchange, bounded(metrics, pages), bounded(health, healths));
            }
        });
        server.start();
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static void answer(HttpExchange exchange, Supplier<String> metrics, Supplier<String> health)
            throws IOException {
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            send(exchange, 405, PLAIN, "only GET and HEAD\n");
            return;
        }
        switch (exchange.getRequestURI().getPath()) {
            case "/metrics" -> metrics(exchange, metrics);
            case "/health" -> health(exchange, health);
            default -> send(exchange, 404, PLAIN, "there are /metrics and /health\n");
        }
    }

    /** Returns a supplier that refuses an answer while {@link #AT_ONCE} of its kind are being made. */
    private static Supplier<String> bounded(Supplier<String> answer, Semaphore permits) {
        return () -> {
            if (!permits.tryAcquire()) throw new IllegalStateException(AT_ONCE + " such answers are being made");
            try {
                return answer.get();
            } finally {
                permits.release();
            }
        };
    }

    private static void health(HttpExchange exchange, Supplier<String> health) throws IOException {
        String reason;
        try {
            reason = health.get();
        } catch (RuntimeException e) {
            reason = String.valueOf(e.getMessage());
        }
        send(exchange, reason == null ? 200 : 503, PLAIN, (reason == null ? "ok" : reason) + "\n");
    }

    private static void metrics(HttpExchange exchange, Supplier<String> metrics) throws IOException {
        String page;
        try {
            page = metrics.get();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "no metrics: {0}", e.getMessage());
            send(exchange, 503, PLAIN, e.getMessage() + "\n");
            return;
        }
        send(exchange, 200, PrometheusText.CONTENT_TYPE, page);
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.getResponseHeaders().set("Content-Type", type);
        if (isHead) exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
        exchange.sendResponseHeaders(status, isHead ? -1 : body.length);
        if (!isHead) exchange.getResponseBody().write(body);
    }

    /**
     * Sets the limits of the JDK's server, which it takes only from system properties, once per process. Properties
     * that the operator has set stay.
     */
    private static void bound() {
        String[][] limits = {
            {"jdk.httpserver.maxConnections", "256"},
            {"sun.net.httpserver.idleInterval", "5"},
            {"sun.net.httpserver.maxReqTime", "5"},
            {"sun.net.httpserver.maxRspTime", "10"},
            {"sun.net.httpserver.maxReqHeaders", "64"},
            {"sun.net.httpserver.nodelay", "true"},
        };
        for (String[] limit : limits) if (System.getProperty(limit[0]) == null) System.setProperty(limit[0], limit[1]);
    }
}
