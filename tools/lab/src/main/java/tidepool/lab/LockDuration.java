package tidepool.lab;

import java.util.ArrayList;
import java.util.List;

/**
 * Fig. 14: how long records stay locked, with 64 coordinators and one record in each transaction. A transaction that
 * finds a lock waits for it. The text of the paper gives no number but the phases in which each system holds its locks:
 * FaRM four, DrTM+H three, FORD two.
 */
final class LockDuration implements Figure {
    private static final List<String> SYSTEMS = List.of(Systems.FARM, Systems.DRTMH, Systems.FORD);
    private static final Load LOAD = new Load(16, 4);
    private static final int[] READS = {0, 25, 50, 75};

    @Override
    public List<String> numbers() {
        return List.of("14");
    }

    @Override
    public String title() {
        return "lock duration";
    }

    private static String series(String system, KvsFigures.Access access) {
        return system + ", " + access.text();
    }

    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        for (KvsFigures.Access access : KvsFigures.Access.values())
            for (String system : SYSTEMS) {
                List<SeriesPoint> points = new ArrayList<>();
                for (int reads : READS)
                    points.add(new SeriesPoint(
                            reads, LOAD, KvsFigures.of(lab, access, 1, 100 - reads), lab.shortWindow()));
                // The figure predates localized validation, and with one record nothing is read from a backup.
                String protocol = system.equals(Systems.FORD) ? "ford" : Systems.protocol(system);
                Setup setup = new Setup(
                        protocol, points.getFirst().workload(), List.of(0), lab.profile(), LOAD.total(), lab.seed());
                jobs.add(new Job(series(system, access), setup, Meter.Aborted.TRIED_AGAIN, true, points));
            }
        return jobs;
    }

    @Override
    public FigureResult result(Results results) {
        List<PaperComparison> comparisons = new ArrayList<>();
        List<Plot> plots = new ArrayList<>();
        for (KvsFigures.Access access : KvsFigures.Access.values()) {
            String farm = series(Systems.FARM, access);
            String drtmh = series(Systems.DRTMH, access);
            String ford = series(Systems.FORD, access);
            comparisons.add(compare(results, access, "FaRM / FORD", farm, ford, 4.0 / 2));
            comparisons.add(compare(results, access, "DrTM+H / FORD", drtmh, ford, 3.0 / 2));
            comparisons.add(compare(results, access, "FaRM / DrTM+H", farm, drtmh, 4.0 / 3));
            List<Plot.Line> lines = new ArrayList<>();
            for (String name : List.of(farm, drtmh, ford))
                lines.add(results.line(name, Results.Point::x, p -> p.sample().lockMicros()));
            plots.add(new Plot(
                    "fig14-" + access.text(),
                    "Fig. 14: lock duration, " + access.text() + " access",
                    "read-only transactions, %",
                    "µs",
                    lines));
        }
        return new FigureResult(
                "14",
                title(),
                comparisons,
                plots,
                results,
                List.of("the paper's ratios are its phases, 4 : 3 : 2; its text gives no microseconds"));
    }

    private static PaperComparison compare(
            Results results, KvsFigures.Access access, String what, String upper, String lower, double paper) {
        double ours = results.meanRatio(upper, lower, Sample::lockMicros);
        return new PaperComparison("14", "lock duration " + what + ", " + access.text(), paper, ours);
    }
}
