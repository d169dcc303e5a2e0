package tidepool.bench.race;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import tidepool.base.Clock;
import tidepool.workload.process.BoundedWait;

/** Samples the progress of the threads of a round at intervals, for the live line and for the course of throughput. */
final class Monitor implements AutoCloseable {
    private static final long MIN_MILLIS = 100;

    /** The highest number of points. A longer round has longer steps. */
    private static final long MAX_POINTS = 600;

    private final List<ThreadTally> tallies;
    private final long startNanos;
    private final long stepMillis;
    private final Consumer<RoundProgress> progress;
    private final List<TimePoint> points = new ArrayList<>();
    private final Thread thread;
    private volatile boolean ended;

    Monitor(List<ThreadTally> tallies, long startNanos, long nanos, Consumer<RoundProgress> progress) {
        this.tallies = tallies;
        this.startNanos = startNanos;
        this.stepMillis = Math.max(MIN_MILLIS, nanos / 1_000_000 / MAX_POINTS);
        this.progress = progress;
        this.thread = Thread.ofPlatform().name("monitor").daemon().start(this::look);
    }

    private void look() {
        points.add(new TimePoint(0, 0));
        for (int step = 1; !ended; step++) {
            long due = startNanos + step * stepMillis * 1_000_000;
            long left = due - Clock.system().nowNanos();
            while (left > 0 && !ended) {
                LockSupport.parkNanos(left);
                left = due - Clock.system().nowNanos();
            }
            if (!ended) note();
        }
    }

    private void note() {
        TimePoint last = points.getLast();
        long commits = 0;
        long[] times = Gauge.newSum();
        for (ThreadTally tally : tallies) {
            commits += tally.gauge().commits();
            tally.gauge().addTo(times);
        }
        long millis = (Clock.system().nowNanos() - startNanos) / 1_000_000;
        if (millis <= last.millis()) return;
        points.add(new TimePoint(millis, commits));
        double perSecond = 1e3 * (commits - last.commits()) / (millis - last.millis());
        progress.accept(new RoundProgress(millis, perSecond, Gauge.percentile(times, 99)));
    }

    /** Ends the sampling and waits for its thread. Returns the points. */
    List<TimePoint> end() {
        close();
        return List.copyOf(points);
    }

    @Override
    public void close() {
        ended = true;
        LockSupport.unpark(thread);
        try {
            BoundedWait.join(thread);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
