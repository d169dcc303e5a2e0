package tidepool.tcp.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tidepool.tcp.node.MemoryServer;
import tidepool.tcp.node.NodeCounter;
import tidepool.tcp.node.NodeOptions;
import tidepool.tcp.node.NodeStatus;

/** What a real node tells scrapers and askers about itself. */
class NodeMetricsTest {
    /** Every line parses, and whatever the node counts is there. */
    @Test
    void everyCounterOfANodeIsOnThePage() {
        try (MemoryServer server = MemoryServer.start(NodeOptions.onLoopback("n\"1", 0, 64 << 20))) {
            Map<String, Double> samples = StrictPrometheus.parse(NodeMetrics.page(server.status()));

            assertEquals(64.0 * (1 << 20), samples.get("tidepool_memory_limit_bytes"));
            assertEquals(0, samples.get("tidepool_rounds_total"));
            assertTrue(samples.containsKey("tidepool_verbs_total{verb=\"masked_cas\"}"), samples.toString());
            assertTrue(samples.containsKey("tidepool_connections_refused_total{reason=\"too_slow\"}"));
            long counters = samples.keySet().stream()
                    .filter(name -> name.startsWith("tidepool_")
                            && name.replaceFirst("\\{.*", "").endsWith("_total"))
                    .count();
            assertEquals(NodeCounter.values().length, counters, samples.toString());
        }
    }

    /** Whoever makes an alarm of what the page says has to find it. */
    @Test
    void theMetricsThatTheDocumentsNameAreThere() throws Exception {
        try (MemoryServer server = MemoryServer.start(NodeOptions.onLoopback("n1", 0, 64 << 20))) {
            // As one in a pool does, and one with a journal.
            server.tell(() -> Map.of(
                    "zookeeper-silent-millis-now",
                    3L,
                    "roster-epoch-now",
                    1L,
                    NodeStatus.LIFE,
                    1L,
                    "disk-full-now",
                    0L));
            String status = server.status().toText() + "pool bank number 0 nodes 1 regions 1 bytes 8 epoch 1\n";
            String page = NodeMetrics.page(NodeStatus.parse(status));
            assertEquals(8, StrictPrometheus.parse(page).get("tidepool_pool_memory_bytes{pool=\"bank\"}"));
            String document = Files.readString(Path.of("..", "docs", "operating.md"));
            List<String> named = Pattern.compile("(tidepool|process)_[a-z]+(_[a-z]+)+")
                    .matcher(document)
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertTrue(named.size() > 15, named.toString());
            for (String name : named) assertTrue(page.contains("# TYPE " + name + " "), name);
        }
    }

    /** A probe sees itself: the node counts the handshake and the call. */
    @Test
    void aProbeBringsHomeWhatTheNodeKnows() throws Exception {
        try (MemoryServer server = MemoryServer.start(NodeOptions.onLoopback("n1", 0, 64 << 20))) {
            HostPort node = new HostPort("127.0.0.1", server.address().getPort());
            NodeSample sample = NodeSample.of(List.of(node), NodeProbe.Asker.ANYBODY, Duration.ofSeconds(60))
                    .getFirst();

            assertNull(sample.failure());
            assertEquals("n1", sample.status().name());
            assertEquals(1, sample.status().count("connections-accepted").orElse(0));
            assertEquals(-1, sample.rate(null, "rounds"));
            assertEquals(-1, sample.rate(new NodeSample(node, null, "away", 0), "rounds"));
        }
    }

    @Test
    void ratesAreOfWhatWasCountedBetweenTwoLooks() {
        NodeSample before = sample(1000, 0, "count rounds 10\ncount verbs-read 5\ncount verbs-refused-key 7\n");
        NodeSample now =
                sample(3000, 2_000_000_000L, "count rounds 30\ncount verbs-read 9\ncount verbs-refused-key 9\n");

        assertEquals(10, now.rate(before, "rounds"));
        assertEquals(2, now.rateOfAll(before, "verbs-", "verbs-refused-"));
        // It was started again: what it counted before is gone.
        assertEquals(-1, before.rate(now, "rounds"));
    }

    @Test
    void aNodeThatStopsIsNotWell() {
        MemoryServer server = MemoryServer.start(NodeOptions.onLoopback("n1", 0, 64 << 20));
        try (server) {
            NodeHealth health = new NodeHealth(server);
            assertNull(health.reason());
            health.stops();
            assertEquals("the node stops", health.reason());
        }
    }

    @Test
    void aNodeThatHasEndedIsNotWell() {
        MemoryServer server = MemoryServer.start(NodeOptions.onLoopback("n1", 0, 64 << 20));
        server.close();
        assertEquals("the node has ended", new NodeHealth(server).reason());
    }

    private static NodeSample sample(long uptimeMillis, long nanos, String counts) {
        NodeStatus status = NodeStatus.parse("name n\nuptime-millis " + uptimeMillis + "\n" + counts);
        return new NodeSample(new HostPort("h", 1), status, null, nanos);
    }
}
