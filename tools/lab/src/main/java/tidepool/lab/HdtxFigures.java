package tidepool.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import tidepool.sim.CostProfile;
import tidepool.workload.measured.MeasuredWorkload;

/**
 * The slides of HDTX: end to end against FaRM and FORD, and the effect of each of its three ideas alone. The testbed is
 * that of the slides: ConnectX-3, Optane, two-way replication. Aborted transactions are retried at once for a
 * millisecond, and their latency counts from the first attempt, as in the artifact.
 */
final class HdtxFigures implements Figure {
    private static final String FIGURE = "hdtx";
    private static final String FARM = "FaRM";
    private static final String FORD = "FORD";
    private static final String COMMIT = "fast commit";
    private static final String COPY = "fast commit, offloaded";
    private static final String LINES = "fast commit, lines";
    private static final String HDTX = "HDTX";
    private static final String LOCKED = "HDTX, reads locked";
    private static final String PUBLISHED = "HDTX as published";

    private static final long PATIENCE_NANOS = 50_000_000;

    private static final Map<String, String> PROTOCOLS = protocols();

    private static final Map<String, ToDoubleFunction<Sample>> VALUES = Map.of(
            "throughput with all coordinators",
            Sample::perSecond,
            "average latency",
            Sample::meanMicros,
            "p99",
            Sample::p99Micros);

    private static Map<String, String> protocols() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(FARM, "farm");
        all.put(FORD, "ford?undo=parallel");
        all.put(COMMIT, "hdtx?release=client&locks=spin");
        all.put(COPY, "hdtx?release=memory&locks=spin");
        all.put(LINES, "hdtx?release=client&locks=queue");
        all.put(HDTX, "hdtx");
        all.put(LOCKED, "hdtx?reads=locked");
        all.put(PUBLISHED, "hdtx-published");
        return all;
    }

    @Override
    public List<String> numbers() {
        return List.of(FIGURE);
    }

    @Override
    public String title() {
        return "HDTX's slides: FaRM, FORD, HDTX, and its three ideas alone";
    }

    private static List<Load> loads(Lab lab) {
        if (lab.quick()) return List.of(new Load(8, 1), new Load(16, 7));
        return List.of(new Load(8, 1), new Load(8, 4), new Load(8, 7), new Load(16, 7), new Load(20, 11));
    }

    /**
     * Returns the machines of the slides. The coordinator's own CPU costs are those of all lab figures. No session dies
     * here, so deadlines are long: 220 coordinators that request the locks of a new order keep an atomic unit busy for
     * longer than the usual deadline.
     */
    private static LabProfile testbed(Lab lab) {
        CostProfile costs = CostProfile.CX3
                .with("cx3-optane", CostProfile.CX5_OPTANE.memory())
                .withDeadline(PATIENCE_NANOS);
        return new LabProfile(costs, lab.profile().coordinator(), lab.profile().logsInDram());
    }

    private static String series(Macro macro, String system) {
        return macro.text + ", " + system;
    }

    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        for (Macro macro : Macro.ALL.reversed())
            PROTOCOLS.forEach((system, protocol) -> {
                MeasuredWorkload workload = macro.workload(lab);
                List<SeriesPoint> points = new ArrayList<>();
                for (Load load : loads(lab))
                    points.add(new SeriesPoint(load.total(), load, workload, macro.window(lab)));
                Setup setup = new Setup(
                        protocol,
                        workload,
                        Systems.homes(workload),
                        testbed(lab),
                        loads(lab).getLast().total(),
                        lab.seed());
                jobs.add(new Job(series(macro, system), setup, Meter.Aborted.TRIED_FOR_A_WHILE, false, points));
            });
        return jobs;
    }

    @Override
    public FigureResult result(Results results) {
        List<PaperComparison> comparisons = new ArrayList<>();
        comparisons.add(throughput(results, FORD, 1.847));
        comparisons.add(throughput(results, FARM, 2.08));
        comparisons.add(withAll(results, "throughput with all coordinators", FORD, 1.847));
        comparisons.add(withAll(results, "throughput with all coordinators", FARM, 2.08));
        comparisons.add(withAll(results, "average latency", FORD, 1 - 0.721));
        comparisons.add(withAll(results, "average latency", FARM, 1 - 0.883));
        comparisons.add(withAll(results, "p99", FORD, 1 - 0.609));
        comparisons.add(withAll(results, "p99", FARM, 1 - 0.827));
        List<Plot> plots = new ArrayList<>();
        for (Macro macro : Macro.ALL) {
            List<Plot.Line> lines = new ArrayList<>();
            for (String system : PROTOCOLS.keySet())
                lines.add(EndToEnd.curve(results, series(macro, system), system, 99));
            plots.add(new Plot(
                    "hdtx-" + macro.text.toLowerCase(Locale.ROOT) + "-p99",
                    "HDTX: " + macro.text + ", 99th percentile of latency",
                    "million transactions/s",
                    "µs",
                    lines));
        }
        return new FigureResult(
                FIGURE,
                title(),
                comparisons,
                plots,
                results,
                List.of(
                        "throughput at the highest of each curve and with all coordinators at work, latency"
                                + " with all; the slides do not"
                                + " say which",
                        "the slides give numbers for TPC-C only; all series are in the csv file",
                        "explained in docs/benchmarks/lab/hdtx.md"));
    }

    private static PaperComparison throughput(Results results, String worse, double paper) {
        return new PaperComparison(
                FIGURE,
                "throughput HDTX / " + worse + ", TPCC",
                paper,
                results.highest(series(Macro.TPCC, HDTX), Sample::perSecond)
                        / results.highest(series(Macro.TPCC, worse), Sample::perSecond));
    }

    private static PaperComparison withAll(Results results, String what, String worse, double paper) {
        ToDoubleFunction<Sample> value = VALUES.get(what);
        return new PaperComparison(
                FIGURE,
                what + " HDTX / " + worse + ", TPCC",
                paper,
                results.last(series(Macro.TPCC, HDTX), value) / results.last(series(Macro.TPCC, worse), value));
    }
}
