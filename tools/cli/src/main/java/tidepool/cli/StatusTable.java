package tidepool.cli;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tidepool.tcp.probe.NodeSample;
import tidepool.wire.NodeStatus;

/** The status of nodes as tables for people. */
final class StatusTable {
    private static final int MAX_ERRORS = 5;

    private final List<NodeSample> samples;
    private final List<NodeSample> earlier;

    /** @param earlier samples of these nodes, in equal order, for rates */
    StatusTable(List<NodeSample> samples, List<NodeSample> earlier) {
        this.samples = samples;
        this.earlier = earlier;
    }

    void print(Consumer<String> out) {
        nodes().print(out);
        for (NodeSample sample : samples)
            if (sample.isThere()) alarms(sample.status().name(), sample.status(), out);
        for (NodeSample sample : samples)
            if (isDoubted(sample)) out.accept(doubt(sample.status().name()));
        part(out, pools());
        part(out, clients());
        part(out, errors());
    }

    /** Prints one line for each supply that runs low. */
    static void alarms(String name, NodeStatus status, Consumer<String> out) {
        if (status.isAlarmed()) out.accept(alarm(name, status));
        for (NodeStatus.Supply low : status.lowSupplies())
            out.accept("ALARM: " + name + " has used " + low.used() + " of " + low.limit() + " " + low.what()
                    + " of the pool " + low.pool());
    }

    private static String alarm(String name, NodeStatus status) {
        return String.format(
                Locale.ROOT,
                "ALARM: %s has used %.0f %% of its memory",
                name,
                100.0 * status.memoryUsed() / status.memoryLimit());
    }

    static boolean isDoubted(NodeSample sample) {
        return sample.isThere() && sample.status().isDoubted();
    }

    static String doubt(String name) {
        return "ALARM: " + name + " may hold less than it has acknowledged: its journal was found too short, or other"
                + " copies are newer; it is filled when its pools are opened";
    }

    private static void part(Consumer<String> out, TextTable table) {
        if (table.isEmpty()) return;
        out.accept("");
        table.print(out);
    }

    private TextTable nodes() {
        TextTable table = new TextTable(
                "NODE", "ADDRESS", "UP", "MEMORY", "CONNECTIONS", "ROUNDS/S", "VERBS/S", "IN", "OUT", "REFUSED");
        for (int i = 0; i < samples.size(); i++) {
            NodeSample now = samples.get(i);
            NodeSample before = earlier.get(i);
            NodeStatus status = now.status();
            if (status == null) {
                table.row("-", now.node(), "no answer: " + now.failure());
                continue;
            }
            table.row(
                    status.name(),
                    now.node(),
                    Quantities.time(Duration.ofMillis(status.uptimeMillis())),
                    Quantities.bytes(status.memoryUsed()) + " of " + Quantities.bytes(status.memoryLimit()),
                    status.count("connections-now").orElse(0),
                    Quantities.rate(now.rate(before, "rounds")),
                    Quantities.rate(now.rateOfAll(before, "verbs-", "verbs-refused-")),
                    Quantities.byteRate(now.rate(before, "bytes-in")),
                    Quantities.byteRate(now.rate(before, "bytes-out")),
                    refused(status));
        }
        return table;
    }

    /** Counts refusals without those of revoked sessions, whose clients had died or were replaced. */
    private static long refused(NodeStatus status) {
        long sum = 0;
        for (Map.Entry<String, Long> count : status.counts().entrySet())
            if (count.getKey().startsWith("refused-") && !count.getKey().equals("refused-revoked"))
                sum += count.getValue();
        return sum;
    }

    private TextTable pools() {
        TextTable table = new TextTable("POOL", "NODE", "PLACE", "MEMORY", "REGIONS", "SESSIONS", "SUSPECTED", "EPOCH");
        for (NodeSample sample : samples) {
            if (!sample.isThere()) continue;
            for (NodeStatus.Pool pool : sample.status().pools())
                table.row(
                        pool.name(),
                        sample.status().name(),
                        pool.number() + " of " + pool.nodes(),
                        Quantities.bytes(pool.bytes()),
                        pool.regions(),
                        pool.sessions(),
                        pool.suspects(),
                        pool.epoch());
        }
        return table;
    }

    /** Sums the connections of one client to one pool of one node: an application has several to each. */
    private TextTable clients() {
        TextTable table = new TextTable(
                "CLIENT", "NODE", "POOL", "CONNECTIONS", "SESSIONS", "ROUNDS", "VERBS", "IN", "OUT", "IDLE");
        for (NodeSample sample : samples) {
            if (!sample.isThere()) continue;
            Map<String, ClientSum> sums = new TreeMap<>();
            for (NodeStatus.Client client : sample.status().clients())
                if (!client.pool().equals("-"))
                    sums.computeIfAbsent(client.name() + " " + client.pool(), _ -> new ClientSum())
                            .add(client);
            for (ClientSum sum : sums.values()) sum.row(table, sample.status().name());
        }
        return table;
    }

    private TextTable errors() {
        TextTable table = new TextTable("NODE", "LAST ERRORS");
        for (NodeSample sample : samples) {
            if (!sample.isThere()) continue;
            List<String> errors = sample.status().errors();
            for (String error : errors.subList(Math.max(0, errors.size() - MAX_ERRORS), errors.size()))
                table.row(sample.status().name(), error);
        }
        return table;
    }
}
