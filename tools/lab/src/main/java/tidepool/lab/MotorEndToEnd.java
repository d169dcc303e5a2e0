package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import tidepool.workload.measured.MeasuredWorkload;

/**
 * Motor's Fig. 11: Motor, FORD and FaRMv2-DM on three benchmarks, from 10 coordinators to 280; as published, and ours.
 * Throughputs are compared at the highest point of each curve, latencies with all coordinators at work.
 */
final class MotorEndToEnd implements Figure {
    /**
     * The numbers in the text of the paper about Motor relative to another system; a percentile that it does not give
     * is 0.
     *
     * @param throughput ratio
     * @param p50 the part by which it is reduced
     * @param p99 the part by which it is reduced
     */
    private record Claim(Macro macro, String other, double throughput, double p50, double p99) {}

    private static final List<Claim> CLAIMS = List.of(
            new Claim(Macro.TATP, MotorPaper.FORD, 1.144, 0, 0),
            new Claim(Macro.TPCC, MotorPaper.FORD, 1.981, 0.558, 0),
            new Claim(Macro.SMALL_BANK, MotorPaper.FORD, 1.654, 0.262, 0),
            new Claim(Macro.TATP, MotorPaper.FARM_V2, 1.189, 0.086, 0.391),
            new Claim(Macro.TPCC, MotorPaper.FARM_V2, 1.443, 0.521, 0.356),
            new Claim(Macro.SMALL_BANK, MotorPaper.FARM_V2, 1.295, 0.436, 0.345));

    private static final List<String> ALL = Stream.concat(
                    MotorPaper.SYSTEMS.stream(), MotorPaper.SYSTEMS.stream().map(MotorPaper::published))
            .toList();

    @Override
    public List<String> numbers() {
        return List.of("motor-11");
    }

    @Override
    public String title() {
        return "end to end: Motor, FORD, FaRMv2-DM";
    }

    /** 10 to 40 threads with 1 to 7 coordinators each (§7.4). */
    private static List<Load> loads(Lab lab) {
        if (lab.quick()) return List.of(new Load(10, 1), new Load(28, 3), new Load(40, 7));
        return List.of(
                new Load(10, 1), new Load(20, 2), new Load(28, 3), new Load(40, 3), new Load(40, 5), new Load(40, 7));
    }

    private static String series(Macro macro, String system) {
        return macro.text + ", " + system;
    }

    /** Returns the jobs, the longest first, so that no thread waits for one of them alone. */
    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        for (Macro macro : Macro.ALL.reversed())
            for (String system : ALL) {
                MeasuredWorkload workload = MotorPaper.workload(macro, lab);
                List<SeriesPoint> points = new ArrayList<>();
                for (Load load : loads(lab))
                    points.add(new SeriesPoint(load.total(), load, workload, MotorPaper.window(macro, lab)));
                jobs.add(MotorPaper.job(
                        lab, series(macro, system), MotorPaper.protocol(system, macro), workload, points));
            }
        return jobs;
    }

    @Override
    public FigureResult result(Results results) {
        List<PaperComparison> comparisons = new ArrayList<>();
        compare(comparisons, results, true);
        compare(comparisons, results, false);
        List<Plot> plots = new ArrayList<>();
        for (Macro macro : Macro.ALL) {
            List<Plot.Line> lines = new ArrayList<>();
            for (String system : ALL)
                lines.add(new Plot.Line(
                        system,
                        results.of(series(macro, system)).stream()
                                .map(p -> new Plot.Dot(
                                        p.sample().perSecond() / 1e6, p.sample().p50Micros()))
                                .toList()));
            plots.add(new Plot(
                    "motor-11-" + macro.text.toLowerCase(Locale.ROOT),
                    "Motor, Fig. 11: " + macro.text + ", 50th percentile of latency",
                    "million transactions/s",
                    "µs",
                    lines));
        }
        return new FigureResult(
                "motor-11",
                title(),
                comparisons,
                plots,
                results,
                List.of("throughput at the highest of each curve, latency with 280 coordinators"));
    }

    private static void compare(List<PaperComparison> to, Results results, boolean published) {
        for (Claim claim : CLAIMS)
            to.add(comparison(
                    "throughput", claim, published, claim.throughput, s -> results.highest(s, Sample::perSecond)));
        for (Claim claim : CLAIMS) {
            if (claim.p50 > 0)
                to.add(comparison("p50", claim, published, 1 - claim.p50, s -> results.last(s, Sample::p50Micros)));
            if (claim.p99 > 0)
                to.add(comparison("p99", claim, published, 1 - claim.p99, s -> results.last(s, Sample::p99Micros)));
        }
    }

    private static PaperComparison comparison(
            String of, Claim claim, boolean published, double paper, ToDoubleFunction<String> value) {
        String motor = published ? MotorPaper.published(MotorPaper.MOTOR) : MotorPaper.MOTOR;
        String other = published ? MotorPaper.published(claim.other) : claim.other;
        double ours = value.applyAsDouble(series(claim.macro, motor)) / value.applyAsDouble(series(claim.macro, other));
        String what = of + " " + MotorPaper.MOTOR + " / " + claim.other + ", " + claim.macro.text;
        return new PaperComparison("motor-11", what + (published ? ", as published" : ""), paper, ours);
    }
}
