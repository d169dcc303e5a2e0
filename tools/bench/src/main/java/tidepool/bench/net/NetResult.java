package tidepool.bench.net;

/**
 * One row of {@code bench net}.
 *
 * @param transport of the messages
 * @param underWay number of messages that travelled together
 * @param nanosPerTrip median of the rounds
 * @param spread half the distance between the fastest and the slowest round, relative to the median
 * @param messagesPerSecond median of the rounds
 * @param cpuNanosPerMessage of both processes, over all rounds
 * @param bytesAllocatedPerMessage at the asking end, on its heap
 */
public record NetResult(
        String transport,
        int underWay,
        double nanosPerTrip,
        double spread,
        double messagesPerSecond,
        double cpuNanosPerMessage,
        double bytesAllocatedPerMessage) {}
