package tidepool.bench.race;

/**
 * An order for all drivers of a contender: scan all rows once, work from a start to an end, or stop.
 *
 * @param what the kind of order
 * @param startNanos when the work begins, one moment for all
 * @param endNanos when no further transaction begins
 * @param intervalNanos from the start of a driver's transaction to the start of its next one, whatever happens to them;
 * 0 for a driver that begins the next when the last has ended
 */
record WorkOrder(What what, long startNanos, long endNanos, double intervalNanos) {
    enum What {
        WARM_UP,
        WORK,
        STOP
    }

    static final WorkOrder STOP = new WorkOrder(What.STOP, 0, 0, 0);

    static WorkOrder warmUp() {
        return new WorkOrder(What.WARM_UP, 0, 0, 0);
    }

    boolean isOpenLoop() {
        return intervalNanos > 0;
    }
}
