package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import tidepool.workload.measured.MeasuredWorkload;

/**
 * Fig. 23: four systems on three benchmarks, from few coordinators to 220. No constant was chosen by this figure.
 * Throughputs are compared at the highest point of each curve, latencies with all coordinators at work.
 */
final class EndToEnd implements Figure {
    /**
     * The numbers in the text of the paper about two systems on one benchmark.
     *
     * @param throughput ratio
     * @param p50 the part by which it is reduced
     * @param p99 the part by which it is reduced
     */
    private record Claim(Macro macro, String better, String worse, double throughput, double p50, double p99) {}

    private static final List<Claim> CLAIMS = List.of(
            new Claim(Macro.TATP, Systems.FORD, Systems.FARM, 1.3, 0.368, 0.502),
            new Claim(Macro.TATP, Systems.FORD, Systems.DRTMH, 1.1, 0.132, 0.233),
            new Claim(Macro.TATP, Systems.FORD_LV, Systems.FARM, 1.7, 0.394, 0.664),
            new Claim(Macro.TATP, Systems.FORD_LV, Systems.DRTMH, 1.4, 0.168, 0.482),
            new Claim(Macro.TATP, Systems.FORD_LV, Systems.FORD, 1.3, 0.041, 0.325),
            new Claim(Macro.SMALL_BANK, Systems.FORD, Systems.FARM, 1.6, 0.439, 0.546),
            new Claim(Macro.SMALL_BANK, Systems.FORD, Systems.DRTMH, 1.3, 0.283, 0.267),
            new Claim(Macro.SMALL_BANK, Systems.FORD_LV, Systems.FARM, 1.7, 0.543, 0.747),
            new Claim(Macro.SMALL_BANK, Systems.FORD_LV, Systems.DRTMH, 1.4, 0.416, 0.591),
            new Claim(Macro.SMALL_BANK, Systems.FORD_LV, Systems.FORD, 1.1, 0.185, 0.443),
            new Claim(Macro.TPCC, Systems.FORD, Systems.FARM, 2.7, 0.23, 0.842),
            new Claim(Macro.TPCC, Systems.FORD, Systems.DRTMH, 1.5, 0.132, 0.688),
            new Claim(Macro.TPCC, Systems.FORD_LV, Systems.FARM, 3.0, 0.572, 0.874),
            new Claim(Macro.TPCC, Systems.FORD_LV, Systems.DRTMH, 1.7, 0.517, 0.75),
            new Claim(Macro.TPCC, Systems.FORD_LV, Systems.FORD, 1.1, 0.443, 0.199));

    private static final Map<String, ToDoubleFunction<Sample>> LATENCIES =
            Map.of("p50", Sample::p50Micros, "p99", Sample::p99Micros);

    @Override
    public List<String> numbers() {
        return List.of("23");
    }

    @Override
    public String title() {
        return "end to end: FaRM, DrTM+H, FORD, FORD-LV";
    }

    /** From 8 threads with 2 coroutines to 20 with 12 (§6.3.2); one coroutine of each thread polls. */
    static List<Load> loads(Lab lab) {
        if (lab.quick()) return List.of(new Load(8, 1), new Load(16, 7), new Load(20, 11));
        return List.of(
                new Load(8, 1),
                new Load(8, 2),
                new Load(8, 4),
                new Load(8, 7),
                new Load(12, 7),
                new Load(16, 7),
                new Load(20, 7),
                new Load(20, 9),
                new Load(20, 11));
    }

    static Load maxLoad(Lab lab) {
        return loads(lab).getLast();
    }

    private static String series(Macro macro, String system) {
        return macro.text + ", " + system;
    }

    /** Returns latency over throughput, in the order of the loads. */
    static Plot.Line curve(Results results, String series, String name, int percent) {
        Plot.Line line = results.line(
                series,
                p -> p.sample().perSecond() / 1e6,
                p -> percent == 50 ? p.sample().p50Micros() : p.sample().p99Micros());
        return new Plot.Line(name, line.dots());
    }

    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        // The longest jobs first, so that no thread waits for one of them at the end.
        for (Macro macro : Macro.ALL.reversed())
            for (String system : Systems.ALL) {
                MeasuredWorkload workload = macro.workload(lab);
                List<SeriesPoint> points = new ArrayList<>();
                for (Load load : loads(lab))
                    points.add(new SeriesPoint(load.total(), load, workload, macro.window(lab)));
                Setup setup = new Setup(
                        Systems.protocol(system),
                        workload,
                        Systems.homes(workload),
                        lab.profile(),
                        maxLoad(lab).total(),
                        lab.seed());
                jobs.add(new Job(series(macro, system), setup, Meter.Aborted.DROPPED, false, points));
            }
        return jobs;
    }

    @Override
    public FigureResult result(Results results) {
        List<PaperComparison> comparisons = new ArrayList<>();
        for (Claim claim : CLAIMS) {
            String better = series(claim.macro, claim.better);
            String worse = series(claim.macro, claim.worse);
            String what = claim.better + " / " + claim.worse + ", " + claim.macro.text;
            comparisons.add(new PaperComparison(
                    "23",
                    "throughput " + what,
                    claim.throughput,
                    results.highest(better, Sample::perSecond) / results.highest(worse, Sample::perSecond)));
        }
        for (Claim claim : CLAIMS)
            for (String percentile : List.of("p50", "p99")) {
                ToDoubleFunction<Sample> value = LATENCIES.get(percentile);
                double ours = results.last(series(claim.macro, claim.better), value)
                        / results.last(series(claim.macro, claim.worse), value);
                double paper = 1 - (percentile.equals("p50") ? claim.p50 : claim.p99);
                String what = claim.better + " / " + claim.worse + ", " + claim.macro.text;
                comparisons.add(new PaperComparison("23", percentile + " " + what, paper, ours));
            }
        List<Plot> plots = new ArrayList<>();
        for (Macro macro : Macro.ALL)
            for (int percent : new int[] {50, 99}) {
                List<Plot.Line> lines = new ArrayList<>();
                for (String system : Systems.ALL) lines.add(curve(results, series(macro, system), system, percent));
                plots.add(new Plot(
                        "fig23-" + macro.text.toLowerCase(Locale.ROOT) + "-p" + percent,
                        "Fig. 23: " + macro.text + ", " + percent + "th percentile of latency",
                        "million transactions/s",
                        "µs",
                        lines));
            }
        return new FigureResult(
                "23",
                title(),
                comparisons,
                plots,
                results,
                List.of(
                        "throughput at the highest of each curve, latency with 220 coordinators",
                        "held out: no constant was chosen with this figure in view, see"
                                + " docs/benchmarks/lab/constants.md"));
    }
}
