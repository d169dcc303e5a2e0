package tidepool.lab;

import java.util.ArrayList;
import java.util.List;

/** Figs. 16 and 17: the gain of reads from backups, with 224 coordinators, as the share of reads grows. */
final class BackupReads implements Figure {
    private static final Load LOAD = new Load(32, 7);
    private static final int[] READS = {0, 25, 50, 75, 100};
    private static final String ON = "enabled";
    private static final String OFF = "disabled";

    @Override
    public List<String> numbers() {
        return List.of("16", "17");
    }

    @Override
    public String title() {
        return "reading from backups";
    }

    private static String series(String backups, KvsFigures.Access access) {
        return backups + ", " + access.text();
    }

    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        for (KvsFigures.Access access : KvsFigures.Access.values())
            for (String backups : List.of(OFF, ON)) {
                List<SeriesPoint> points = new ArrayList<>();
                for (int reads : READS)
                    points.add(new SeriesPoint(
                            reads, LOAD, KvsFigures.of(lab, access, 1, 100 - reads), lab.shortWindow()));
                String protocol = "ford?reads=" + (backups.equals(ON) ? "backup" : "primary");
                Setup setup = new Setup(
                        protocol, points.getFirst().workload(), List.of(0), lab.profile(), LOAD.total(), lab.seed());
                jobs.add(new Job(series(backups, access), setup, Meter.Aborted.DROPPED, false, points));
            }
        return jobs;
    }

    @Override
    public FigureResult result(Results results) {
        double throughput = 0;
        double p50 = 1;
        double p99 = 1;
        List<Plot> plots = new ArrayList<>();
        for (KvsFigures.Access access : KvsFigures.Access.values()) {
            String on = series(ON, access);
            String off = series(OFF, access);
            throughput = Math.max(throughput, results.highestRatio(on, off, Sample::perSecond));
            p50 = Math.min(p50, 1 / results.highestRatio(off, on, Sample::p50Micros));
            p99 = Math.min(p99, 1 / results.highestRatio(off, on, Sample::p99Micros));
            plots.add(new Plot(
                    "fig16-" + access.text(),
                    "Fig. 16: throughput, " + access.text() + " access",
                    "read-only transactions, %",
                    "million transactions/s",
                    List.of(
                            results.line(off, Results.Point::x, p -> p.sample().perSecond() / 1e6),
                            results.line(on, Results.Point::x, p -> p.sample().perSecond() / 1e6))));
            plots.add(new Plot(
                    "fig17-" + access.text(),
                    "Fig. 17: 50th percentile of latency, " + access.text() + " access",
                    "read-only transactions, %",
                    "µs",
                    List.of(
                            results.line(off, Results.Point::x, p -> p.sample().p50Micros()),
                            results.line(on, Results.Point::x, p -> p.sample().p50Micros()))));
        }
        return new FigureResult(
                "16",
                title(),
                List.of(
                        new PaperComparison("16", "throughput enabled / disabled, at its highest", 1.5, throughput),
                        new PaperComparison("17", "p50 enabled / disabled, at its lowest", 1 - 0.317, p50),
                        new PaperComparison("17", "p99 enabled / disabled, at its lowest", 1 - 0.353, p99)),
                plots,
                results,
                List.of("the paper says \"up to\"; so do we, over all shares of reads and both access patterns"));
    }
}
