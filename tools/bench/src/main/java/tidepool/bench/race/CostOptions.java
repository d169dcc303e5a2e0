package tidepool.bench.race;

import java.util.List;

/**
 * The options of a cost benchmark, with the quantities that are varied.
 *
 * @param protocol ours, with its switches
 * @param fabric mem or shm
 * @param threads numbers of threads at once
 * @param records numbers of records
 * @param objects numbers of records that a transaction reads or writes
 * @param zipf exponents of the distribution of keys; 0 is uniform
 * @param writes percentage of objects that are written
 * @param millis how long each point is measured, once in each of three rounds
 * @param warmUpMillis how long it works before
 * @param seed of all random choices
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
    int maxThreads() {
        return threads.stream().mapToInt(Integer::intValue).max().orElse(1);
    }

    String workload(long count, int perTransaction, double exponent) {
        return "kvs?records=" + count + "&objects=" + perTransaction + "&zipf=" + exponent + "&writes=" + writes;
    }
}
