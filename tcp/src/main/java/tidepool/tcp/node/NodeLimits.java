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
 */
public record NodeLimits(
        int connections,
        int connectionsPerClient,
        int outstandingRounds,
        int frameBytes,
        int unsentBytes,
        Duration handshake,
        Duration slowReader) {
    public static final NodeLimits DEFAULT =
            new NodeLimits(1024, 256, 4096, 1 << 20, 8 << 20, Duration.ofSeconds(5), Duration.ofSeconds(10));
}
