package tidepool.cli;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import tidepool.wire.NodeStatus;

/** The sum of all connections of one client to one pool of one node. */
final class ClientSum {
    private final Set<Long> sessions = new TreeSet<>();
    private NodeStatus.Client last;
    private int connections;
    private long rounds;
    private long verbs;
    private long bytesIn;
    private long bytesOut;
    private long idleMillis = Long.MAX_VALUE;

    void add(NodeStatus.Client client) {
        last = client;
        connections++;
        if (client.session() != 0) sessions.add(client.session());
        rounds += client.rounds();
        verbs += client.verbs();
        bytesIn += client.bytesIn();
        bytesOut += client.bytesOut();
        idleMillis = Math.min(idleMillis, client.idleMillis());
    }

    void row(TextTable table, String node) {
        table.row(
                last.name(),
                node,
                last.pool(),
                connections,
                sessions.size(),
                rounds,
                verbs,
                Quantities.bytes(bytesIn),
                Quantities.bytes(bytesOut),
                Quantities.time(Duration.ofMillis(idleMillis)));
    }
}
