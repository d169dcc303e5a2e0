package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import tidepool.workload.measured.MeasuredWorkload;

/** Motor's Fig. 10: tuples against chains from old to new and from new to old, all under Motor's protocol, on KVS. */
final class Structures implements Figure {
    private static final String CVT = "CVT";
    private static final String N2O = "N2O";
    private static final String O2N = "O2N";
    private static final int[] WRITES = {20, 40, 60, 80};

    /** The number of versions that the paper keeps at each skewness. */
    private static final Map<String, Integer> VERSIONS = Map.of("0.7", 3, "0.99", 4);

    private static final List<String> SKEWS = List.of("0.7", "0.99");

    @Override
    public List<String> numbers() {
        return List.of("motor-10");
    }

    @Override
    public String title() {
        return "version structures";
    }

    private static String series(String structure, String skew) {
        return structure + ", " + skew;
    }

    private static String protocol(String structure, String skew) {
        String name =
                switch (structure) {
                    case CVT -> "motor";
                    case N2O -> LabProtocols.N2O;
                    default -> LabProtocols.O2N;
                };
        return name + "?versions=" + VERSIONS.get(skew);
    }

    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        for (String skew : SKEWS)
            for (String structure : List.of(CVT, N2O, O2N)) {
                List<SeriesPoint> points = new ArrayList<>();
                for (int writes : WRITES)
                    points.add(new SeriesPoint(
                            writes, MotorPaper.LOAD, KvsFigures.of(lab, skew, 1, writes), lab.shortWindow()));
                MeasuredWorkload workload = points.getFirst().workload();
                jobs.add(MotorPaper.job(lab, series(structure, skew), protocol(structure, skew), workload, points));
            }
        return jobs;
    }

    /** Compares the middle of the paper's range of ratios with the mean of ours. */
    @Override
    public FigureResult result(Results results) {
        List<PaperComparison> comparisons = new ArrayList<>();
        List<Plot> plots = new ArrayList<>();
        comparisons.add(new PaperComparison(
                "motor-10", "throughput CVT / O2N", (1.7 + 2.4) / 2, mean(results, O2N, Sample::perSecond)));
        comparisons.add(new PaperComparison(
                "motor-10", "throughput CVT / N2O", (1.3 + 1.6) / 2, mean(results, N2O, Sample::perSecond)));
        latency(comparisons, results, O2N, 1 - 0.598, 1 - 0.679);
        latency(comparisons, results, N2O, 1 - 0.308, 1 - 0.477);
        for (String skew : SKEWS) {
            List<Plot.Line> lines = new ArrayList<>();
            for (String structure : List.of(O2N, N2O, CVT))
                lines.add(results.line(
                        series(structure, skew),
                        Results.Point::x,
                        p -> p.sample().perSecond() / 1e6));
            plots.add(new Plot(
                    "motor-10-" + skew,
                    "Motor, Fig. 10: version structures, skewness " + skew,
                    "read-write transactions, %",
                    "million transactions/s",
                    lines));
        }
        return new FigureResult(
                "motor-10",
                title(),
                comparisons,
                plots,
                results,
                List.of("the paper: 1.7 to 2.4 and 1.3 to 1.6 in throughput; latencies in the mean at skewness 0.99"));
    }

    private static double mean(Results results, String other, ToDoubleFunction<Sample> value) {
        double sum = 0;
        for (String skew : SKEWS) sum += results.meanRatio(series(CVT, skew), series(other, skew), value);
        return sum / SKEWS.size();
    }

    private static void latency(List<PaperComparison> to, Results results, String other, double p50, double p99) {
        String cvt = series(CVT, "0.99");
        String chain = series(other, "0.99");
        to.add(new PaperComparison(
                "motor-10", "p50 CVT / " + other, p50, results.meanRatio(cvt, chain, Sample::p50Micros)));
        to.add(new PaperComparison(
                "motor-10", "p99 CVT / " + other, p99, results.meanRatio(cvt, chain, Sample::p99Micros)));
    }
}
