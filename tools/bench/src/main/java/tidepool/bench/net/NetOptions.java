package tidepool.bench.net;

import java.util.List;

/**
 * The options of {@code bench net}.
 *
 * @param transports in this order in every round
 * @param underWay numbers of messages that are sent together, one measurement for each
 * @param rounds that count; each begins with new processes
 * @param millis of a measurement
 * @param warmUpMillis before the measurements of a round, for each number of messages
 * @param classPath of the processes
 */
public record NetOptions(
        List<String> transports,
        List<Integer> underWay,
        int rounds,
        long millis,
        long warmUpMillis,
        String classPath) {}
