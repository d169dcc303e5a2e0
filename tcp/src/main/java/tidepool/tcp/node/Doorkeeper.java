package tidepool.tcp.node;

import java.util.HashMap;
import java.util.Map;
import tidepool.tcp.secure.Gate;

/**
 * Counts connections and tells when there are too many: of those that are known, of one client, of strangers, of
 * strangers
 * of one address. Strangers have places of their own, so that they take none from those who are known.
 */
final class Doorkeeper {
    /** One more place in so many is for those who are not yet known. */
    private static final int STRANGERS_PART = 4;

    private static final int LEAST_STRANGERS = 8;

    /** One place in so many is for administrators. */
    private static final int ADMINS_PART = 32;

    private final NodeLimits limits;
    private final boolean byName;
    private final int mostStrangers;
    private final Map<String, Integer> perClient = new HashMap<>();
    private final Map<String, Integer> strangersPerAddress = new HashMap<>();
    private int known;
    private int strangers;

    Doorkeeper(NodeLimits limits, Gate gate) {
        this.limits = limits;
        this.byName = gate.method() != Gate.NONE;
        this.mostStrangers = Math.max(LEAST_STRANGERS, limits.connections() / STRANGERS_PART);
    }

    /** Why nobody from there may come in now; null if somebody may. */
    String closedBecause(String host) {
        if (known >= limits.connections()) return full();
        if (strangers >= mostStrangers) return "too many connections are not yet known: " + strangers;
        return strangersPerAddress.getOrDefault(host, 0) >= limits.strangersPerAddress()
                ? "too many connections of this address are not yet known: " + limits.strangersPerAddress()
                : null;
    }

    private String full() {
        return "the node has all its " + limits.connections() + " connections";
    }

    void entered(Connection connection) {
        strangers++;
        strangersPerAddress.merge(connection.host, 1, Integer::sum);
    }

    /** A stranger is known now. Says why it has to go all the same; null if it may stay. */
    String known(Connection connection) {
        forgetStranger(connection);
        known++;
        int same = perClient.merge(name(connection), 1, Integer::sum);
        if (same > limits.connectionsPerClient())
            return "this client has all its " + limits.connectionsPerClient() + " connections";
        int reserved = connection.rights.admin() ? 0 : limits.connections() / ADMINS_PART;
        if (known <= limits.connections() - reserved) return null;
        return reserved == 0 ? full() : full() + " but " + reserved + ", which are for administrators";
    }

    void left(Connection connection, boolean wasKnown) {
        if (!wasKnown) {
            forgetStranger(connection);
            return;
        }
        known--;
        oneLess(perClient, name(connection));
    }

    private void forgetStranger(Connection connection) {
        strangers--;
        oneLess(strangersPerAddress, connection.host);
    }

    private static void oneLess(Map<String, Integer> counts, String key) {
        counts.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }

    private String name(Connection connection) {
        return byName ? connection.client : connection.host;
    }
}
