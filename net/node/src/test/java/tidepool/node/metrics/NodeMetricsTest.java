package tidepool.node.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tidepool.memory.NodeLayout;
import tidepool.node.MemoryServer;
import tidepool.node.NodeCounter;
import tidepool.node.NodeOptions;
import tidepool.tcp.probe.NodeProbe;
import tidepool.tcp.probe.NodeSample;
import tidepool.testkit.SourceTree;
import tidepool.wire.HostPort;
import tidepool.wire.NodeStatus;

/** The metrics and status of a real node. */
class NodeMetricsTest {
    /** Every line parses, and every counter of the node is there. */
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

    /** An operator can set an alarm on every metric that the documents name. */
    @Test
    void theMetricsThatTheDocumentsNameAreThere() throws Exception {
        try (MemoryServer server = MemoryServer.start(NodeOptions.onLoopback("n1", 0, 64 << 20))) {
            // The values that a node with a roster and a journal adds.
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
            StringBuilder document = new StringBuilder();
            for (String name : List.of("metrics", "nodes", "pools", "limits", "runbook"))
                document.append(Files.readString(SourceTree.path("docs/operating/" + name + ".md")));
            List<String> named = Pattern.compile("(tidepool|process)_[a-z]+(_[a-z]+)+")
                    .matcher(document)
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertTrue(named.size() > 15, named.toString());
            for (String name : named) assertTrue(page.contains("# TYPE " + name + " "), name);
        }
    }

    /** Session numbers, session slots and region entries: how much of each is used, and an alarm from 90 % on. */
    @Test
    void whatAPoolMayRunOutOfHasGaugesAndAlarms() {
        long[] limits = {NodeLayout.GIVEN_NUMBERS, NodeLayout.SESSIONS, NodeLayout.REGIONS};
        String[] names = {"session_numbers", "session_slots", "region_entries"};
        for (int low = -1; low < names.length; low++) {
            long[] used = new long[names.length];
            for (int i = 0; i < used.length; i++) used[i] = (limits[i] * 9 + 9) / 10 - (i == low ? 0 : 1);
            String text = "name n\nuptime-millis 1\npool bank number 0 nodes 1 regions 1 bytes 8 epoch 1 sessions 0"
                    + " suspects 0 numbers " + used[0] + " slots " + used[1] + " entries " + used[2] + "\n";
            NodeStatus status = NodeStatus.parse(text);
            Map<String, Double> page = StrictPrometheus.parse(NodeMetrics.page(status));
            for (int i = 0; i < names.length; i++) {
                String which = "{pool=\"bank\",of=\"" + names[i] + "\"}";
                assertEquals(used[i], page.get("tidepool_pool_supply_used" + which), page.toString());
                assertEquals(limits[i], page.get("tidepool_pool_supply_limit" + which));
                assertEquals(i == low ? 1 : 0, page.get("tidepool_pool_supply_alarm" + which), names[i]);
            }
            assertEquals(low < 0 ? 0 : 1, status.lowSupplies().size());
        }
    }

    /** A probe finds itself in the counters: the node counts the handshake and the call. */
    @Test
    void aProbeBringsHomeWhatTheNodeKnows() throws Exception {
        try (MemoryServer server = MemoryServer.start(NodeOptions.onLoopback("n1", 0, 64 << 20))) {
            HostPort node = new HostPort("127.0.0.1", server.address().getPort());
            NodeSample sample = NodeSample.of(List.of(node), NodeProbe.Asker.ANONYMOUS, Duration.ofSeconds(60))
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
        // A restarted node has lost its earlier counts.
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
