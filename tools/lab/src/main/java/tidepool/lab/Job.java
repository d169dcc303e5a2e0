package tidepool.lab;

import java.util.ArrayList;
import java.util.List;

/**
 * A series of points that are measured on one pool, one after the other.
 *
 * @param series its name in the figure
 * @param setup the pool
 * @param aborted the handling of aborted transactions
 * @param watchesLocks whether the lock times of records are measured
 * @param points the points
 */
record Job(String series, Setup setup, Meter.Aborted aborted, boolean watchesLocks, List<SeriesPoint> points)
        implements Measurement {
    @Override
    public long bytes() {
        return LabPool.bytes(setup);
    }

    @Override
    public List<Results.Point> run() {
        try (LabPool pool = new LabPool(setup)) {
            Meter meter = new Meter(pool, aborted, watchesLocks);
            List<Results.Point> measured = new ArrayList<>();
            for (SeriesPoint point : points) measured.add(new Results.Point(point.x(), meter.measure(point)));
            return measured;
        }
    }
}
