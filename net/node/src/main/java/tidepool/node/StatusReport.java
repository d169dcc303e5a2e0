package tidepool.node;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import tidepool.base.Words;
import tidepool.memory.NodeLayout;
import tidepool.node.journal.Journal;
import tidepool.wire.Frame;
import tidepool.wire.NodeStatus;

/** The maker of a node's status. It keeps samples of the counters, to compute rates. */
final class StatusReport {
    private static final long SAMPLE_NANOS = 1_000_000_000L;

    /** Limit of connections listed one by one, because a status has to fit into a frame. */
    private static final int MAX_CLIENTS = 200;

    private final NodeOptions options;
    private final String address;
    private final HostedPools pools;
    private final ConnectionTable connections;
    private final long startNanos;
    private Supplier<Map<String, Long>> more = Map::of;

    // The sample before the last one, so that rates cover one to two seconds.
    private long oldNanos;
    private long oldRounds;
    private long oldVerbs;
    private long sampleNanos;
    private long sampleRounds;
    private long sampleVerbs;

    StatusReport(NodeOptions options, InetSocketAddress address, HostedPools pools, ConnectionTable connections) {
        this.options = options;
        this.address = address.getAddress().getHostAddress() + ":" + address.getPort();
        this.pools = pools;
        this.connections = connections;
        this.startNanos = connections.nowNanos();
        this.oldNanos = startNanos;
        this.sampleNanos = startNanos;
    }

    /** Sets a source of more numbers by label, called for every status. Labels of current values end with "-now". */
    void tell(Supplier<Map<String, Long>> newMore) {
        more = newMore;
    }

    /** Called in every turn of the loop. */
    void sample(long nowNanos) {
        if (nowNanos - sampleNanos < SAMPLE_NANOS) return;
        oldNanos = sampleNanos;
        oldRounds = sampleRounds;
        oldVerbs = sampleVerbs;
        sampleNanos = nowNanos;
        sampleRounds = connections.counters().value(NodeCounter.ROUNDS);
        sampleVerbs = connections.counters().verbs();
    }

    NodeStatus status(long nowNanos) {
        sample(nowNanos);
        NodeCounters counters = connections.counters();
        Map<String, Long> rates = new LinkedHashMap<>();
        rates.put("rounds", rate(counters.value(NodeCounter.ROUNDS) - oldRounds, nowNanos));
        rates.put("verbs", rate(counters.verbs() - oldVerbs, nowNanos));
        Map<String, Long> counts = new LinkedHashMap<>();
        for (NodeCounter counter : NodeCounter.values()) counts.put(counter.label(), counters.value(counter));
        if (pools.journal() != null) journal(counts, pools.journal().journal());
        if (pools.journal() != null && pools.journal().lines() != null)
            counts.put(NodeStatus.LINES, pools.journal().lines().forced());
        if (pools.journal() != null) counts.put(NodeStatus.DOUBTED, doubted());
        counts.putAll(more.get());
        counts.put("connections-now", (long) connections.all().size());
        counts.put("blocks-now", (long) connections.buffers().lent());
        counts.put("block-bytes-now", connections.buffers().lentBytes());
        counts.put("connection-bytes-now", connections.buffers().heldBytes());
        counts.put("connection-bytes-limit-now", options.limits().connectionBytes());
        return new NodeStatus(
                AuditLog.plain(options.name()),
                version(),
                Frame.VERSION,
                address,
                (nowNanos - startNanos) / 1_000_000,
                pools.budget().used(),
                pools.budget().limit(),
                rates,
                poolLines(),
                clientLines(nowNanos),
                counts,
                connections.auditLog().last());
    }

    private static void journal(Map<String, Long> counts, Journal journal) {
        counts.put("journal-forces", journal.forces());
        counts.put("journal-bytes", journal.writtenBytes());
        counts.put("journal-checkpoints", journal.checkpoints());
        counts.put("power-losses", journal.powerLosses());
        counts.put(NodeStatus.LIFE, journal.life());
        counts.put(NodeStatus.BLOCK, journal.acknowledged());
        counts.put("disk-full-now", journal.isFull() ? 1L : 0);
    }

    /** Returns the number of pools whose copy on this node may be older than what the node has acknowledged. */
    private long doubted() {
        long doubted = 0;
        for (HostedPool pool : pools.all()) if (pool.journal().doubt().isDoubted()) doubted++;
        return doubted;
    }

    private long rate(long count, long nowNanos) {
        long nanos = nowNanos - oldNanos;
        return nanos <= 0 ? 0 : (long) (count * 1e9 / nanos);
    }

    private List<NodeStatus.Pool> poolLines() {
        List<NodeStatus.Pool> lines = new ArrayList<>();
        for (HostedPool pool : pools.all()) {
            int regions = 0;
            long bytes = NodeLayout.BYTES;
            for (int i = 0; i < pool.node().regionCount(); i++) {
                long entry = NodeLayout.region(i);
                if (!NodeLayout.isLive(Words.acquire(pool.node().meta(), entry + NodeLayout.REGION_STATE))) continue;
                regions++;
                bytes += Words.plain(pool.node().meta(), entry + NodeLayout.REGION_BYTES);
            }
            lines.add(new NodeStatus.Pool(
                    pool.name(),
                    pool.place().number(),
                    pool.place().nodes(),
                    regions,
                    bytes,
                    pool.node().epoch(),
                    pool.sessionCount(),
                    pool.suspected().length,
                    pool.node().usedNumbers(),
                    pool.node().sessions().used(),
                    pool.node().usedEntries()));
        }
        return lines;
    }

    private List<NodeStatus.Client> clientLines(long nowNanos) {
        List<NodeStatus.Client> lines = new ArrayList<>();
        for (ClientConnection connection : connections.all()) {
            if (connection.phase != ClientConnection.Phase.OPEN || lines.size() == MAX_CLIENTS) continue;
            lines.add(new NodeStatus.Client(
                    AuditLog.plain(connection.client),
                    connection.address,
                    connection.pool == null ? "-" : connection.pool.name(),
                    connection.session == null ? 0 : connection.session.number(),
                    connection.rounds,
                    connection.verbs,
                    connection.bytesIn,
                    connection.out().bytesOut(),
                    (nowNanos - connection.heardNanos) / 1_000_000));
        }
        return lines;
    }

    private static String version() {
        String version = StatusReport.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
