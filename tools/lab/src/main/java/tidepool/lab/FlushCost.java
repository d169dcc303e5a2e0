package tidepool.lab;

import java.util.ArrayList;
import java.util.List;

/** Figs. 19 and 20: selective against full flush, one coordinator, as transactions write more records. */
final class FlushCost implements Figure {
    private static final Load LOAD = new Load(1, 1);
    private static final int[] OBJECTS = {1, 2, 3, 4, 5, 6, 7, 8};
    private static final String SELECTIVE = "selective flush";
    private static final String FULL = "full flush";

    @Override
    public List<String> numbers() {
        return List.of("19", "20");
    }

    @Override
    public String title() {
        return "selective against full flush";
    }

    private static String series(String flush, KvsFigures.Access access) {
        return flush + ", " + access.text();
    }

    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        for (KvsFigures.Access access : KvsFigures.Access.values())
            for (String flush : List.of(FULL, SELECTIVE)) {
                List<SeriesPoint> points = new ArrayList<>();
                for (int objects : OBJECTS)
                    points.add(
                            new SeriesPoint(objects, LOAD, KvsFigures.of(lab, access, objects, 100), lab.loneWindow()));
                String protocol = "ford?flush=" + (flush.equals(FULL) ? "full" : "selective");
                Setup setup = new Setup(
                        protocol, points.getFirst().workload(), List.of(0), lab.profile(), LOAD.total(), lab.seed());
                jobs.add(new Job(series(flush, access), setup, Meter.Aborted.DROPPED, false, points));
            }
        return jobs;
    }

    @Override
    public FigureResult result(Results results) {
        List<PaperComparison> comparisons = new ArrayList<>();
        List<Plot> plots = new ArrayList<>();
        for (KvsFigures.Access access : KvsFigures.Access.values()) {
            boolean skewed = access == KvsFigures.Access.SKEWED;
            String selective = series(SELECTIVE, access);
            String full = series(FULL, access);
            String where = " selective / full, " + access.text();
            comparisons.add(new PaperComparison(
                    "19",
                    "throughput" + where,
                    skewed ? 1.287 : 1.295,
                    results.meanRatio(selective, full, Sample::perSecond)));
            comparisons.add(new PaperComparison(
                    "20",
                    "p50" + where,
                    skewed ? 1 - 0.225 : 1 - 0.228,
                    results.meanRatio(selective, full, Sample::p50Micros)));
            comparisons.add(new PaperComparison(
                    "20",
                    "p99" + where,
                    skewed ? 1 - 0.124 : 1 - 0.14,
                    results.meanRatio(selective, full, Sample::p99Micros)));
            plots.add(new Plot(
                    "fig19-" + access.text(),
                    "Fig. 19: throughput, " + access.text() + " access",
                    "records written by a transaction",
                    "thousand transactions/s",
                    List.of(
                            results.line(full, Results.Point::x, p -> p.sample().perSecond() / 1e3),
                            results.line(
                                    selective, Results.Point::x, p -> p.sample().perSecond() / 1e3))));
            plots.add(new Plot(
                    "fig20-" + access.text(),
                    "Fig. 20: 50th percentile of latency, " + access.text() + " access",
                    "records written by a transaction",
                    "µs",
                    List.of(
                            results.line(full, Results.Point::x, p -> p.sample().p50Micros()),
                            results.line(
                                    selective, Results.Point::x, p -> p.sample().p50Micros()))));
        }
        return new FigureResult(
                "19",
                title(),
                comparisons,
                plots,
                results,
                List.of("the paper gives one number for each access pattern; ours is the mean over 1 to 8 records"));
    }
}
