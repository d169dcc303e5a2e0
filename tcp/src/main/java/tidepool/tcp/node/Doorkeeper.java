package tidepool.tcp.node;

import java.util.HashMap;
import java.util.Map;
import tidepool.tcp.secure.Gate;

/** Counts who is in, and says when there are too many: in all, of strangers, of one client. */
final class Doorkeeper {
    /** One part in so many of the places is for those who are not yet known. */
    private static final int STRANGERS_PART = 4;

    private static final int LEAST_STRANGERS = 8;

    private final NodeLimits limits;
    private final boolean byName;
    private final Map<String, Integer> perClient = new HashMap<>();
    private int connections;
    private int strangers;

    Doorkeeper(NodeLimits limits, Gate gate) {
        this.limits = limits;
        this.byName = gate.method() != Gate.NONE;
    }

    /** Why nobody may come in now; null if somebody may. */
    String closedBecause() {
        if (connections >= limits.connections()) return "the node has all its " + limits.connections() + " connections";
        int most = Math.max(LEAST_STRANGERS, limits.connections() / STRANGERS_PART);
        return strangers >= most ? "too many connections are not yet known: " + strangers : null;
    }

    void entered() {
        connections++;
        strangers++;
    }

    /** A stranger is known now; false if there are too many of this client. */
    boolean known(Connection connection) {
        strangers--;
        return perClient.merge(name(connection), 1, Integer::sum) <= limits.connectionsPerClient();
    }

    void left(Connection connection, boolean wasKnown) {
        connections--;
        if (wasKnown) perClient.computeIfPresent(name(connection), (n, count) -> count == 1 ? null : count - 1);
        else strangers--;
    }

    int connections() {
        return connections;
    }

    private String name(Connection connection) {
        return byName ? connection.client : connection.host;
    }
}
