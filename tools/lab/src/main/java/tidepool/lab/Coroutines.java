package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import tidepool.workload.measured.MeasuredWorkload;

/**
 * Fig. 22: FORD with a growing number of coroutines in one thread. One of them only polls, so two coroutines are one
 * coordinator. The coordinator's own CPU costs were calibrated on this figure.
 */
final class Coroutines implements Figure {
    private static final int MAX_COROUTINES = 12;

    @Override
    public List<String> numbers() {
        return List.of("22");
    }

    @Override
    public String title() {
        return "coroutines of one thread";
    }

    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        for (Macro macro : Macro.ALL) {
            MeasuredWorkload workload = macro.workload(lab);
            Lab.Window window = macro == Macro.TPCC ? lab.longWindow() : lab.loneWindow();
            List<SeriesPoint> points = new ArrayList<>();
            for (int coroutines = 2; coroutines <= MAX_COROUTINES; coroutines += lab.quick() ? 2 : 1)
                points.add(new SeriesPoint(coroutines, new Load(1, coroutines - 1), workload, window));
            Setup setup = new Setup(
                    Systems.protocol(Systems.FORD),
                    workload,
                    Systems.homes(workload),
                    lab.profile(),
                    MAX_COROUTINES - 1,
                    lab.seed());
            jobs.add(new Job(macro.text, setup, Meter.Aborted.DROPPED, false, points));
        }
        return jobs;
    }

    @Override
    public FigureResult result(Results results) {
        List<PaperComparison> comparisons = new ArrayList<>();
        List<Plot.Line> throughput = new ArrayList<>();
        List<Plot.Line> latency = new ArrayList<>();
        for (Macro macro : Macro.ALL) {
            double one = results.of(macro.text).getFirst().sample().perSecond();
            double paper =
                    switch (macro) {
                        case TATP -> 3.4;
                        case SMALL_BANK -> 2.2;
                        case TPCC -> 2.5;
                    };
            double ours = results.highest(macro.text, Sample::perSecond) / one;
            comparisons.add(new PaperComparison("22", "throughput highest / 2 coroutines, " + macro.text, paper, ours));
            throughput.add(
                    results.line(macro.text, Results.Point::x, p -> p.sample().perSecond() / one));
            latency.add(
                    results.line(macro.text, Results.Point::x, p -> p.sample().p50Micros()));
        }
        return new FigureResult(
                "22",
                title(),
                comparisons,
                List.of(
                        new Plot(
                                "fig22-throughput",
                                "Fig. 22: throughput of one thread, as a multiple of two coroutines",
                                "coroutines",
                                "times",
                                throughput),
                        new Plot("fig22-latency", "Fig. 22: 50th percentile of latency", "coroutines", "µs", latency)),
                results,
                List.of());
    }
}
