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
        long epoch) {
    /** Words that {@link #words} gives. */
    public static final int WORDS = 9;

    /** One word for each component, in its order: as it travels. */
    public long[] words() {
        return new long[] {
            regions, totalBytes, dataBytes, allocatedBytes, freeBytes, extents, sessions, revokedSessions, epoch
        };
    }

    /** What {@link #words} gave. */
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
