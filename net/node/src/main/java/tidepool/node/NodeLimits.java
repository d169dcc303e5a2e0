package tidepool.node;

import java.time.Duration;

/**
 * The limits on a node's resources that clients may use. A request beyond a limit is refused; the message says why.
 *
 * @param connections authenticated connections of all clients together
 * @param connectionsPerClient connections of one client name, or of one address if clients have no names
 * @param outstandingRounds rounds of one connection that are not yet answered
 * @param frameBytes the longest frame
 * @param unsentBytes answers that one client has not read; beyond it no frame of the connection is executed
 * @param handshake the time that a new connection has to authenticate
 * @param slowReader the time that a connection may leave answers unread
 * @param connectionBytes memory of all connections together: received bytes, answers, links; beyond it the connection
 *     that holds the most is cut
 * @param strangersPerAddress unauthenticated connections of one address
 */
public record NodeLimits(
        int connections,
        int connectionsPerClient,
        int outstandingRounds,
        int frameBytes,
        int unsentBytes,
        Duration handshake,
        Duration slowReader,
        long connectionBytes,
        int strangersPerAddress) {
    private static final long CONNECTION_BYTES = 256 << 20;
    private static final int STRANGERS_PER_ADDRESS = 128;

    public static final NodeLimits DEFAULT =
            new NodeLimits(1024, 256, 4096, 1 << 20, 8 << 20, Duration.ofSeconds(5), Duration.ofSeconds(10));

    /** Makes limits with the default memory of connections and number of unauthenticated connections. */
    public NodeLimits(
            int connections,
            int connectionsPerClient,
            int outstandingRounds,
            int frameBytes,
            int unsentBytes,
            Duration handshake,
            Duration slowReader) {
        this(
                connections,
                connectionsPerClient,
                outstandingRounds,
                frameBytes,
                unsentBytes,
                handshake,
                slowReader,
                CONNECTION_BYTES,
                STRANGERS_PER_ADDRESS);
    }

    public NodeLimits withConnectionBytes(long value) {
        return new NodeLimits(
                connections,
                connectionsPerClient,
                outstandingRounds,
                frameBytes,
                unsentBytes,
                handshake,
                slowReader,
                value,
                strangersPerAddress);
    }

    public NodeLimits withStrangersPerAddress(int value) {
        return new NodeLimits(
                connections,
                connectionsPerClient,
                outstandingRounds,
                frameBytes,
                unsentBytes,
                handshake,
                slowReader,
                connectionBytes,
                value);
    }
}
