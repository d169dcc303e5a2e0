package tidepool.tcp.ops;

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
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a scraper and a load balancer get from a node by HTTP. */
class MetricsEndpointTest {
    private final AtomicReference<String> sickness = new AtomicReference<>();

    /** Everything that one request brought back. */
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

    /** A load balancer looks at the code, a person at the sentence. */
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

    /** More connections than threads, all of them silent or stuck in the middle of a request: others get an answer. */
    @Test
    void slowRequestsDoNotKeepOthersOut() throws Exception {
        try (MetricsEndpoint endpoint = endpoint()) {
            List<Socket> slow = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                Socket socket = connect(endpoint);
                slow.add(socket);
                if (i % 10 == 0) socket.getOutputStream().write("GET /me".getBytes(StandardCharsets.US_ASCII));
            }
            assertEquals("ok\n", ask(endpoint, "GET", "/health").body());
            for (Socket socket : slow) socket.close();
        }
    }

    private MetricsEndpoint endpoint() throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new MetricsEndpoint(address, this::page, sickness::get);
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

    private static Seen ask(MetricsEndpoint endpoint, String method, String path) throws IOException {
        try (Socket socket = connect(endpoint)) {
            String request = method + " " + URI.create(path) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int gap = all.indexOf("\r\n\r\n");
            return new Seen(all.lines().findFirst().orElse(""), all.substring(0, gap), all.substring(gap + 4));
        }
    }
}
