package tidepool.lab;

/**
 * The number of concurrent coordinators on a pool.
 *
 * @param threads simulated cores
 * @param coordinators strands on each; the paper's coroutines without the one that polls
 */
public record Load(int threads, int coordinators) {
    public int total() {
        return threads * coordinators;
    }
}
