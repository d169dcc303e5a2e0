package tidepool.memory;

/**
 * What a memory node holds, at one moment. {@code allocatedBytes + freeBytes == dataBytes} always.
 *
 * @param regions regions that live
 * @param totalBytes all memory of the node's live regions, headers and maps included
 * @param dataBytes bytes that verbs can reach
 * @param allocatedBytes bytes of data in extents that somebody holds
 * @param freeBytes bytes of data in no extent
 * @param extents extents that somebody holds
 * @param sessions sessions attached
 * @param revokedSessions sessions revoked and not yet forgotten
 * @param epoch the node's epoch
 */
public record NodeStatistics(
        int regions,
        long totalBytes,
        long dataBytes,
        long allocatedBytes,
        long freeBytes,
        int extents,
        int sessions,
        int revokedSessions,
        long epoch) {}
