package tidepool.bench.race;

/**
 * What all hands of a contender are told to do: go over everything once, work from a start to an end, or stop.
 *
 * @param what of these
 * @param startNanos when the work begins, the same moment for all
 * @param endNanos when no further transaction begins
 * @param intervalNanos from the start of a hand's transaction to the start of its next one, whatever happens to them; 0
 *     for a hand that begins the next when the last has ended
 */
record Order(What what, long startNanos, long endNanos, double intervalNanos) {
    enum What {
        WARM_UP,
        WORK,
        STOP
    }

    static final Order STOP = new Order(What.STOP, 0, 0, 0);

    static Order warmUp() {
        return new Order(What.WARM_UP, 0, 0, 0);
    }

    boolean isOpenLoop() {
        return intervalNanos > 0;
    }
}
