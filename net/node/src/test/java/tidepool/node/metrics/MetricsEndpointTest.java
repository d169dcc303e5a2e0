package tidepool.node.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The HTTP answers of a node to a scraper and a load balancer. */
class MetricsEndpointTest {
    private final AtomicReference<String> sickness = new AtomicReference<>();

    /** The answer to one request. */
    private record Seen(String status, String head, String body) {}

    @Test
    void metricsAndHealthAreTold() throws Exception {
        try (MetricsEndpoint endpoint = endpoint()) {
            Seen metrics = ask(endpoint, "GET", "/metrics");
            assertEquals("HTTP/1.1 200 OK", metrics.status());
            assertTrue(metrics.head().contains("text/plain; version=0.0.4; charset=utf-8"), metrics.head());
            assertEquals("page\n", metrics.body());
            assertEquals("ok\n", ask(endpoint, "GET", "/health").body());
            assertEquals("", ask(endpoint, "HEAD", "/metrics").body());
        }
    }

    /** A load balancer reads the status code, a person the sentence. */
    @Test
    void aSickNodeSaysWhy() throws Exception {
        try (MetricsEndpoint endpoint = endpoint()) {
            sickness.set("it stops");
            Seen seen = ask(endpoint, "GET", "/health");

            assertTrue(seen.status().startsWith("HTTP/1.1 503"), seen.status());
            assertEquals("it stops\n", seen.body());
            assertEquals("no page: it stops\n", ask(endpoint, "GET", "/metrics").body());
        }
    }

    @Test
    void nothingElseIsThere() throws Exception {
        try (MetricsEndpoint endpoint = endpoint()) {
            assertTrue(ask(endpoint, "GET", "/").status().startsWith("HTTP/1.1 404"));
            assertTrue(ask(endpoint, "GET", "/metrics/../etc").status().startsWith("HTTP/1.1 404"));
            assertTrue(ask(endpoint, "POST", "/metrics").status().startsWith("HTTP/1.1 405"));
            assertTrue(ask(endpoint, "TRACE", "/health").status().startsWith("HTTP/1.1 405"));
        }
    }

    /** Connections that are silent, or stuck in the middle of a request, do not keep others from an answer. */
    @Test
    void slowRequestsDoNotKeepOthersOut() throws Exception {
        try (MetricsEndpoint endpoint = endpoint()) {
            List<Socket> slow = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                Socket socket = connect(endpoint);
                slow.add(socket);
                if (i % 2 == 0) socket.getOutputStream().write("GET /me".getBytes(StandardCharsets.US_ASCII));
            }
            assertEquals("ok\n", ask(endpoint, "GET", "/health").body());
            for (Socket socket : slow) socket.close();
        }
    }

    /**
     * If as many pages as may be made at once are stuck, one more is refused at once, and the health is still answered.
     */
    @Test
    void stuckPagesDoNotKeepHealthOut() throws Exception {
        CountDownLatch entered = new CountDownLatch(MetricsEndpoint.AT_ONCE);
        CountDownLatch freed = new CountDownLatch(1);
        Supplier<String> stuck = () -> {
            entered.countDown();
            await(freed);
            return "page\n";
        };
        List<Socket> waiting = new ArrayList<>();
        try (MetricsEndpoint endpoint = new MetricsEndpoint(loopback(), stuck, sickness::get)) {
            for (int i = 0; i < MetricsEndpoint.AT_ONCE; i++) {
                Socket socket = connect(endpoint);
                waiting.add(socket);
                socket.getOutputStream().write(request("GET", "/metrics"));
            }
            await(entered);
            assertEquals("ok\n", ask(endpoint, "GET", "/health").body());
            Seen refused = ask(endpoint, "GET", "/metrics");
            assertTrue(refused.status().startsWith("HTTP/1.1 503"), refused.status());
            assertEquals(MetricsEndpoint.AT_ONCE + " such answers are being made\n", refused.body());
        } finally {
            freed.countDown();
            for (Socket socket : waiting) socket.close();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(120, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private MetricsEndpoint endpoint() throws IOException {
        return new MetricsEndpoint(loopback(), this::page, sickness::get);
    }

    private String page() {
        if (sickness.get() != null) throw new IllegalStateException("no page: " + sickness.get());
        return "page\n";
    }

    private static Socket connect(MetricsEndpoint endpoint) throws IOException {
        Socket socket =
                new Socket(endpoint.address().getAddress(), endpoint.address().getPort());
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static byte[] request(String method, String path) {
        String text = method + " " + URI.create(path) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static Seen ask(MetricsEndpoint endpoint, String method, String path) throws IOException {
        try (Socket socket = connect(endpoint)) {
            socket.getOutputStream().write(request(method, path));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int gap = all.indexOf("\r\n\r\n");
            return new Seen(all.lines().findFirst().orElse(""), all.substring(0, gap), all.substring(gap + 4));
        }
    }
}
