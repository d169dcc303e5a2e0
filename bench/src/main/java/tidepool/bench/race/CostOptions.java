package tidepool.bench.race;

import java.util.List;

/**
 * What is varied to see what work costs as it grows.
 *
 * @param protocol ours, with its switches
 * @param fabric mem or shm
 * @param threads how many at once
 * @param records how many there are
 * @param objects how many of them a transaction reads or writes
 * @param zipf exponents of the distribution of keys; 0 is uniform
 * @param writes of a hundred objects
 * @param millis how long each point is measured, once in each of three rounds
 * @param warmUpMillis how long it works before
 * @param seed of what is drawn
 */
public record CostOptions(
        String protocol,
        String fabric,
        List<Integer> threads,
        List<Long> records,
        List<Integer> objects,
        List<Double> zipf,
        int writes,
        long millis,
        long warmUpMillis,
        long seed) {
    int mostThreads() {
        return threads.stream().mapToInt(Integer::intValue).max().orElse(1);
    }

    String workload(long count, int perTransaction, double exponent) {
        return "kvs?records=" + count + "&objects=" + perTransaction + "&zipf=" + exponent + "&writes=" + writes;
    }
}
