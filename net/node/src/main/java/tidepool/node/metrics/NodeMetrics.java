package tidepool.node.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import tidepool.wire.NodeStatus;

/**
 * A node's status as a page for Prometheus. The page has every counter of the node: counters that differ only in a
 * reason or a kind are one metric with a label, the others are metrics of their own.
 */
public final class NodeMetrics {
    private static final String NOW = "-now";

    /** Counters that share a prefix. In the list a longer prefix stands before a shorter one. */
    private record Family(String beginning, String metric, String label, String help) {}

    private static final List<Family> FAMILIES = List.of(
            new Family(
                    "refused-",
                    "tidepool_connections_refused_total",
                    "reason",
                    "Connections that were turned away or cut."),
            new Family("verbs-refused-", "tidepool_verbs_refused_total", "reason", "Verbs that were not carried out."),
            new Family("verbs-", "tidepool_verbs_total", "verb", "Verbs that were carried out."));

    /**
     * Names and help texts of the other counters. A counter that is missing here is on the page too, with its label as
     * the help text.
     */
    private static final Map<String, String[]> NAMES = Map.ofEntries(
            entry("connections-accepted", "connections_accepted", "Connections that were let in to shake hands."),
            entry("connections-closed", "connections_closed", "Connections that have ended."),
            entry("connections-refused-at-once", "connections_cut_at_the_door", "Connections beyond the limit."),
            entry("rounds", "rounds", "Rounds that were answered."),
            entry("rounds-on-broken-links", "rounds_on_broken_links", "Rounds on links that were not open."),
            entry("controls", "controls", "Control calls."),
            entry("controls-refused", "controls_refused", "Control calls that were not carried out."),
            entry("beats", "beats", "Signs of life of clients that had nothing else to say."),
            entry("bytes-in", "received_bytes", "Bytes that clients sent."),
            entry("bytes-out", "sent_bytes", "Bytes that were sent to clients."),
            entry("reads", "socket_reads", "Reads that brought frames; rounds by reads is how well they are batched."),
            entry("writes", "socket_writes", "Writes of answers; rounds by writes is how well they are batched."),
            entry("sleeps", "loop_sleeps", "Times that the loop had nothing to do and slept."),
            entry("spins", "loop_spins", "Times that the loop waited without sleeping."),
            entry("spins-that-paid", "loop_spins_paid", "Times that something came meanwhile."),
            entry(
                    "suspects",
                    "sessions_suspected",
                    "Sessions that were silent for too long, or lost their connections."),
            entry("revocations", "sessions_revoked", "Sessions that were shut out for good."),
            entry("internal-errors", "internal_errors", "Things that should not happen; the log says which."));

    private NodeMetrics() {}

    /** Returns the page. */
    public static String page(NodeStatus status) {
        PrometheusText text = new PrometheusText();
        text.gauge("tidepool_node_info", "What this node is; always 1.")
                .sample(1, "name", status.name(), "version", status.version(), "wire", "" + status.wire());
        text.gauge("tidepool_node_uptime_seconds", "Since the node started.").sample(status.uptimeMillis() / 1e3);
        text.gauge("tidepool_memory_used_bytes", "Memory that regions of all pools take.")
                .sample(status.memoryUsed());
        text.gauge("tidepool_memory_limit_bytes", "The most that they may take.")
                .sample(status.memoryLimit());
        alarm(text, status);
        processor(text);
        counters(text, status.counts());
        pool(text, status, "regions", "Regions.", NodeStatus.Pool::regions);
        pool(text, status, "memory_bytes", "Memory that the pool takes on this node.", NodeStatus.Pool::bytes);
        pool(text, status, "sessions", "Sessions that are in.", NodeStatus.Pool::sessions);
        pool(text, status, "suspects", "Sessions that are suspected now.", NodeStatus.Pool::suspects);
        pool(text, status, "epoch", "The epoch of this node in the pool.", NodeStatus.Pool::epoch);
        supplies(text, status);
        return text.text();
    }

    /** Adds resources of which a pool has a fixed number on this node. */
    private static void supplies(PrometheusText text, NodeStatus status) {
        if (status.pools().isEmpty()) return;
        text.gauge("tidepool_pool_supply_used", "Of a finite number of things, those in use or used up.");
        supply(text, status, NodeStatus.Supply::used);
        text.gauge("tidepool_pool_supply_limit", "How many of them there are.");
        supply(text, status, NodeStatus.Supply::limit);
        text.gauge("tidepool_pool_supply_alarm", "1 if so much of them is used that they may run out.");
        supply(text, status, supply -> supply.isLow() ? 1 : 0);
    }

    private static void supply(PrometheusText text, NodeStatus status, ToLongFunction<NodeStatus.Supply> value) {
        for (NodeStatus.Pool pool : status.pools())
            for (NodeStatus.Supply supply : pool.supplies())
                text.sample(
                        value.applyAsLong(supply),
                        "pool",
                        pool.name(),
                        "of",
                        supply.what().replace(' ', '_'));
    }

    private static void alarm(PrometheusText text, NodeStatus status) {
        text.gauge("tidepool_memory_alarm", "1 if more of the memory is used than the node was told to warn at.")
                .sample(status.isAlarmed() ? 1 : 0);
    }

    private static void processor(PrometheusText text) {
        Duration used = ProcessHandle.current().info().totalCpuDuration().orElse(null);
        if (used == null) return;
        text.counter("process_cpu_seconds_total", "Processor time of the process.")
                .sample(used.toNanos() / 1e9);
    }

    private static void counters(PrometheusText text, Map<String, Long> counts) {
        List<String> left = new ArrayList<>(counts.keySet());
        for (Family family : FAMILIES) {
            List<String> members = left.stream()
                    .filter(label -> label.startsWith(family.beginning()))
                    .toList();
            if (members.isEmpty()) continue;
            text.counter(family.metric(), family.help());
            for (String member : members)
                text.sample(
                        counts.get(member),
                        family.label(),
                        underscored(member.substring(family.beginning().length())));
            left.removeAll(members);
        }
        for (String label : left) single(text, label, counts.get(label));
    }

    private static void single(PrometheusText text, String label, long value) {
        if (label.endsWith(NOW)) {
            String name = underscored(label.substring(0, label.length() - NOW.length()));
            text.gauge("tidepool_" + unitLast(name), "At this moment: " + name.replace('_', ' ') + ".")
                    .sample(value);
            return;
        }
        String[] name = NAMES.getOrDefault(label, new String[] {underscored(label), label.replace('-', ' ') + "."});
        text.counter("tidepool_" + name[0] + "_total", name[1]).sample(value);
    }

    private static void pool(
            PrometheusText text, NodeStatus status, String name, String help, ToLongFunction<NodeStatus.Pool> value) {
        if (status.pools().isEmpty()) return;
        text.gauge("tidepool_pool_" + name, help);
        for (NodeStatus.Pool pool : status.pools()) text.sample(value.applyAsLong(pool), "pool", pool.name());
    }

    private static String unitLast(String name) {
        return name.equals("block_bytes") ? "buffer_bytes" : name.equals("blocks") ? "buffers" : name;
    }

    private static String underscored(String label) {
        return label.replace('-', '_');
    }

    private static Map.Entry<String, String[]> entry(String label, String name, String help) {
        return Map.entry(label, new String[] {name, help});
    }
}
