package tidepool.lab;

/**
 * How much is asked of a pool at once.
 *
 * @param threads simulated cores
 * @param coordinators strands on each; the paper's coroutines less the one that polls
 */
public record Load(int threads, int coordinators) {
    public int total() {
        return threads * coordinators;
    }
}
