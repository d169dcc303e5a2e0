package tidepool.bench.smallbank;

import java.util.List;

/**
 * How a race is run.
 *
 * @param protocols ours, by name; the first is the one that the peers are compared with
 * @param peers the others, by name
 * @param customers of each bank
 * @param threads of each contender
 * @param rounds that count
 * @param roundMillis how long a contender works in each
 * @param warmUpMillis how long it works before the first
 * @param seed of the requests
 * @param classPath where the JVMs of the contenders find their classes
 * @param jvmOptions more options for their JVMs
 */
public record RaceOptions(
        List<String> protocols,
        List<String> peers,
        int customers,
        int threads,
        int rounds,
        long roundMillis,
        long warmUpMillis,
        long seed,
        String classPath,
        List<String> jvmOptions) {}
