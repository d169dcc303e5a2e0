package tidepool.bench.race;

/**
 * The threads and drivers of a contender, and their load.
 *
 * @param threads number of threads
 * @param coordinators drivers that share each thread
 * @param rate transactions per second of all drivers together, begun at fixed times; 0 if a driver begins the next when
 * the last has ended
 * @param seed of all random choices
 */
record ThreadOptions(int threads, int coordinators, double rate, long seed) {
    int drivers() {
        return threads * coordinators;
    }

    /** Returns the time from one transaction of a driver to its next; 0 in a closed loop. */
    double intervalNanos() {
        return rate == 0 ? 0 : 1e9 * drivers() / rate;
    }
}
