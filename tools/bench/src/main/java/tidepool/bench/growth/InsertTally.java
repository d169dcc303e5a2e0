package tidepool.bench.growth;

import org.HdrHistogram.Histogram;

/**
 * The transactions of one thread, each of them timed. A pause is the time between the ends of two that follow each
 * other: the second one, and all that the thread did or waited for before it. Adding allocates nothing.
 */
public final class InsertTally {
    /** Longer times count as this. */
    private static final long MAX_NANOS = 60_000_000_000L;

    private final Histogram nanos = new Histogram(MAX_NANOS, 3);
    private long lastEnd;
    private long longestPause;
    private long longest;
    private long tripsOfLongest;
    private long mostTrips;
    private long mostVerbs;
    private long cpuNanos;
    private long mostCpuNanos;

    public void begin(long now) {
        lastEnd = now;
    }

    public void add(long begun, long ended, long cpu, long trips, long verbs) {
        long time = ended - begun;
        nanos.recordValue(Math.clamp(time, 0, MAX_NANOS));
        longestPause = Math.max(longestPause, ended - lastEnd);
        lastEnd = ended;
        cpuNanos += cpu;
        mostCpuNanos = Math.max(mostCpuNanos, cpu);
        mostTrips = Math.max(mostTrips, trips);
        mostVerbs = Math.max(mostVerbs, verbs);
        if (time <= longest) return;
        longest = time;
        tripsOfLongest = trips;
    }

    /** Adds the tally of another thread. */
    public void add(InsertTally other) {
        nanos.add(other.nanos);
        longestPause = Math.max(longestPause, other.longestPause);
        mostTrips = Math.max(mostTrips, other.mostTrips);
        mostVerbs = Math.max(mostVerbs, other.mostVerbs);
        cpuNanos += other.cpuNanos;
        mostCpuNanos = Math.max(mostCpuNanos, other.mostCpuNanos);
        if (other.longest <= longest) return;
        longest = other.longest;
        tripsOfLongest = other.tripsOfLongest;
    }

    public long count() {
        return nanos.getTotalCount();
    }

    public double micros(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e3;
    }

    public double longestMicros() {
        return longest / 1e3;
    }

    double longestPauseMicros() {
        return longestPause / 1e3;
    }

    long tripsOfLongest() {
        return tripsOfLongest;
    }

    long mostTrips() {
        return mostTrips;
    }

    long mostVerbs() {
        return mostVerbs;
    }

    double mostCpuMicros() {
        return mostCpuNanos / 1e3;
    }

    double cpuMicrosEach() {
        return count() == 0 ? 0 : cpuNanos / 1e3 / count();
    }
}
