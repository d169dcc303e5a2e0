package tidepool.tcp.node;

import java.time.Duration;

/**
 * How much of a node others may use up. What is over a limit is refused with a sentence.
 *
 * @param connections all of them together
 * @param connectionsPerClient of one name, or of one address where there are no names
 * @param outstandingRounds of one connection, not yet answered
 * @param frameBytes the longest frame
 * @param unsentBytes answers that one connection has not read; above it nothing more of it is carried out
 * @param handshake the time a stranger has to become known
 * @param slowReader the time a connection may leave answers unread
 * @param connectionBytes memory of all connections together: what arrives, answers, links; the one that holds the
 *     most is cut
 * @param strangersPerAddress connections of one address that are not yet known
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

    /** With the usual limits of memory and of strangers. */
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
