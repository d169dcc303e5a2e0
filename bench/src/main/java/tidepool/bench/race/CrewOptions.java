package tidepool.bench.race;

/**
 * Who works for a contender, and how.
 *
 * @param threads how many
 * @param coordinators hands that share each thread
 * @param rate transactions per second of all hands together, begun at fixed times; 0 if a hand begins the next when the
 *     last has ended
 * @param seed of what is drawn
 */
record CrewOptions(int threads, int coordinators, double rate, long seed) {
    int hands() {
        return threads * coordinators;
    }

    /** From one transaction of a hand to its next; 0 in a closed loop. */
    double intervalNanos() {
        return rate == 0 ? 0 : 1e9 * hands() / rate;
    }
}
