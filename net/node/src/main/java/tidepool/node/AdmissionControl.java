package tidepool.node;

import java.util.HashMap;
import java.util.Map;
import tidepool.node.security.ClientAuthenticator;
import tidepool.wire.AuthMethod;

/**
 * The limits on connections: of all authenticated ones, of one client, of all unauthenticated ones, and of
 * unauthenticated ones of one address. Unauthenticated connections have a limit of their own. Otherwise they could use
 * up the places of authenticated clients.
 */
final class AdmissionControl {
    /** Places for unauthenticated connections, as the part 1/{@value} of the connection limit, in addition to it. */
    private static final int STRANGERS_PART = 4;

    private static final int MIN_STRANGERS = 8;

    /** Places reserved for administrators, as the part 1/{@value} of the connection limit. */
    private static final int ADMINS_PART = 32;

    private final NodeLimits limits;
    private final boolean byName;
    private final int maxStrangers;
    private final Map<String, Integer> perClient = new HashMap<>();
    private final Map<String, Integer> strangersPerAddress = new HashMap<>();
    private int known;
    private int strangers;

    AdmissionControl(NodeLimits limits, ClientAuthenticator authenticator) {
        this.limits = limits;
        this.byName = authenticator.method() != AuthMethod.NONE;
        this.maxStrangers = Math.max(MIN_STRANGERS, limits.connections() / STRANGERS_PART);
    }

    /** Returns why a connection from this host is refused now; null if it is admitted. */
    String closedBecause(String host) {
        if (known >= limits.connections()) return full();
        if (strangers >= maxStrangers) return "too many connections are not yet known: " + strangers;
        return strangersPerAddress.getOrDefault(host, 0) >= limits.strangersPerAddress()
                ? "too many connections of this address are not yet known: " + limits.strangersPerAddress()
                : null;
    }

    private String full() {
        return "the node has all its " + limits.connections() + " connections";
    }

    void entered(ClientConnection connection) {
        strangers++;
        strangersPerAddress.merge(connection.host, 1, Integer::sum);
    }

    /** Called when a connection is authenticated. Returns why it is refused nevertheless; null if it may stay. */
    String known(ClientConnection connection) {
        forgetStranger(connection);
        known++;
        int same = perClient.merge(name(connection), 1, Integer::sum);
        if (same > limits.connectionsPerClient())
            return "this client has all its " + limits.connectionsPerClient() + " connections";
        int reserved = connection.rights.admin() ? 0 : limits.connections() / ADMINS_PART;
        if (known <= limits.connections() - reserved) return null;
        return reserved == 0 ? full() : full() + " but " + reserved + ", which are for administrators";
    }

    void left(ClientConnection connection, boolean wasKnown) {
        if (!wasKnown) {
            forgetStranger(connection);
            return;
        }
        known--;
        oneLess(perClient, name(connection));
    }

    private void forgetStranger(ClientConnection connection) {
        strangers--;
        oneLess(strangersPerAddress, connection.host);
    }

    private static void oneLess(Map<String, Integer> counts, String key) {
        counts.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }

    private String name(ClientConnection connection) {
        return byName ? connection.client : connection.host;
    }
}
