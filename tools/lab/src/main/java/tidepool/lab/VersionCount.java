package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tidepool.workload.measured.MeasuredWorkload;

/**
 * Motor's Figs. 8 and 9: throughput with a growing number of versions, on the micro-benchmark and on the
 * macro-benchmarks.
 */
final class VersionCount implements Figure {
    private static final List<String> SKEWS = List.of("0.7", "0.99");
    private static final int KVS_WRITES = 80;

    /** The numbers at which the paper's curves are highest: §7.2, and §7.3 for the two skewnesses. */
    private static final Map<String, Integer> BEST =
            Map.of("KVS 0.7", 3, "KVS 0.99", 4, "TPCC", 4, "SmallBank", 3, "TATP", 2);

    private final boolean micro;

    VersionCount(boolean micro) {
        this.micro = micro;
    }

    @Override
    public List<String> numbers() {
        return List.of(micro ? "motor-8" : "motor-9");
    }

    @Override
    public String title() {
        return "throughput over the number of versions, " + (micro ? "KVS" : "TPC-C, SmallBank, TATP");
    }

    private static List<Integer> counts(Lab lab) {
        return lab.quick() ? List.of(2, 4, 8, 15) : List.of(2, 3, 4, 5, 6, 8, 10, 12, 15);
    }

    private List<String> series() {
        if (micro) return SKEWS.stream().map(skew -> "KVS " + skew).toList();
        return Macro.ALL.reversed().stream().map(macro -> macro.text).toList();
    }

    /** Returns the jobs. Each number of versions has its own pool. */
    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        for (int versions : counts(lab)) {
            if (micro)
                for (String skew : SKEWS)
                    jobs.add(job(
                            lab, "KVS " + skew, versions, KvsFigures.of(lab, skew, 1, KVS_WRITES), lab.shortWindow()));
            else
                for (Macro macro : Macro.ALL.reversed())
                    jobs.add(job(
                            lab, macro.text, versions, MotorPaper.workload(macro, lab), MotorPaper.window(macro, lab)));
        }
        return jobs;
    }

    private static Job job(Lab lab, String series, int versions, MeasuredWorkload workload, Lab.Window window) {
        List<SeriesPoint> points = List.of(new SeriesPoint(versions, MotorPaper.LOAD, workload, window));
        return MotorPaper.job(lab, series, MotorPaper.protocol(MotorPaper.MOTOR, versions), workload, points);
    }

    @Override
    public FigureResult result(Results results) {
        String figure = numbers().getFirst();
        List<PaperComparison> comparisons = new ArrayList<>();
        List<Plot.Line> lines = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (String name : series()) {
            comparisons.add(new PaperComparison(
                    figure, "versions at the highest throughput, " + name, BEST.get(name), best(results, name)));
            double highest = results.highest(name, Sample::perSecond);
            double most = results.last(name, Sample::perSecond) / highest;
            if (name.equals("TPCC"))
                comparisons.add(new PaperComparison(figure, "throughput 15 versions / highest, TPCC", 1 - 0.496, most));
            lines.add(results.line(name, Results.Point::x, p -> p.sample().perSecond() / highest));
            StringBuilder text = new StringBuilder(name + ", of the highest:");
            for (Results.Point p : results.of(name))
                text.append(String.format(
                        Locale.ROOT,
                        " %.0f: %.3f (aborts %.3f)",
                        p.x(),
                        p.sample().perSecond() / highest,
                        p.sample().aborts()));
            notes.add(text.toString());
        }
        notes.add("the paper's text gives the best numbers of versions, and by how much TPC-C falls at the most");
        Plot plot = new Plot(
                figure,
                "Motor, Fig. " + figure.substring(6) + ": " + title(),
                "versions",
                "part of the highest",
                lines);
        return new FigureResult(figure, title(), comparisons, List.of(plot), results, notes);
    }

    private static double best(Results results, String name) {
        Results.Point best = results.of(name).getFirst();
        for (Results.Point p : results.of(name))
            if (p.sample().perSecond() > best.sample().perSecond()) best = p;
        return best.x();
    }
}
