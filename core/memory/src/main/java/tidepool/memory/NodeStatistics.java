package tidepool.memory;

/**
 * The contents of a memory node at one moment. {@code allocatedBytes + freeBytes == dataBytes} always.
 *
 * @param regions live regions
 * @param totalBytes all memory of the node's live regions, headers and maps included
 * @param dataBytes bytes that verbs can reach
 * @param allocatedBytes bytes of data in allocated extents
 * @param freeBytes bytes of data in no extent
 * @param extents allocated extents
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
        long epoch) {
    /** The number of words of {@link #words}. */
    public static final int WORDS = 9;

    /** Returns one word for each component, in order: the form on the wire. */
    public long[] words() {
        return new long[] {
            regions, totalBytes, dataBytes, allocatedBytes, freeBytes, extents, sessions, revokedSessions, epoch
        };
    }

    /** Returns the statistics that {@link #words} encoded. */
    public static NodeStatistics ofWords(long[] words) {
        return new NodeStatistics(
                (int) words[0],
                words[1],
                words[2],
                words[3],
                words[4],
                (int) words[5],
                (int) words[6],
                (int) words[7],
                words[8]);
    }
}
