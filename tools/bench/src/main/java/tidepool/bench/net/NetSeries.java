package tidepool.bench.net;

import java.util.Arrays;

/** The rounds of one transport with one number of messages under way. */
final class NetSeries {
    private final String transport;
    private final int underWay;
    private final double[] nanosPerTrip;
    private int rounds;
    private long messages;
    private long cpuNanos;
    private double bytesAllocated;

    NetSeries(String transport, int underWay, int max) {
        this.transport = transport;
        this.underWay = underWay;
        this.nanosPerTrip = new double[max];
    }

    String transport() {
        return transport;
    }

    int underWay() {
        return underWay;
    }

    void add(long trips, long nanos, long cpu) {
        nanosPerTrip[rounds++] = (double) nanos / trips;
        messages += trips * underWay;
        cpuNanos += cpu;
    }

    /** Keeps the minimum of all rounds. One-time allocations of a library do not belong to the messages. */
    void allocated(double bytesPerMessage) {
        bytesAllocated = rounds == 1 ? bytesPerMessage : Math.min(bytesAllocated, bytesPerMessage);
    }

    NetResult result() {
        double[] sorted = Arrays.copyOf(nanosPerTrip, rounds);
        Arrays.sort(sorted);
        double median = (sorted[(rounds - 1) / 2] + sorted[rounds / 2]) / 2;
        return new NetResult(
                transport,
                underWay,
                median,
                (sorted[rounds - 1] - sorted[0]) / 2 / median,
                underWay * 1e9 / median,
                (double) cpuNanos / messages,
                bytesAllocated);
    }
}
