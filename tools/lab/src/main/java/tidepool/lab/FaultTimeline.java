package tidepool.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/**
 * Motor's Fig. 19: commits on TPC-C in each millisecond while 60 of 84 coordinators fail, and while the memory node of
 * the primaries or one of the backups fails.
 */
final class FaultTimeline implements Figure {
    private static final String NUMBER = "motor-19";
    private static final String COORDINATORS = "60 of 84 coordinators";
    private static final String PRIMARY = "node of the primaries";
    private static final String BACKUP = "node of backups";

    /** Milliseconds until full recovery, as the text says: to start and connect others; to migrate a large table. */
    private static final Map<String, Double> PAPER = paper();

    private static final FaultRun.Length QUICK = new FaultRun.Length(5, 85);
    private static final FaultRun.Length FULL = new FaultRun.Length(20, 280);

    /** A small database for a quick run, of which a copy is filled sooner. */
    private static final MeasuredWorkload SMALL =
            Workloads.named("tpcc?warehouses=24&customers=20&items=1000&orders=4000", Scale.PAPER);

    /**
     * Throughput has recovered when this number of consecutive milliseconds has on average this part of the throughput
     * before.
     */
    private static final int MILLIS_IN_A_ROW = 5;

    private static final double AS_BEFORE = 0.9;

    private static Map<String, Double> paper() {
        Map<String, Double> all = new LinkedHashMap<>();
        all.put(COORDINATORS, 170.0);
        all.put(PRIMARY, 200.0);
        all.put(BACKUP, 200.0);
        return all;
    }

    @Override
    public List<String> numbers() {
        return List.of(NUMBER);
    }

    @Override
    public String title() {
        return "throughput while coordinators and copies fail";
    }

    @Override
    public List<? extends Measurement> jobs(Lab lab) {
        return List.of(
                run(lab, PRIMARY, FaultRun.Fault.PRIMARY),
                run(lab, BACKUP, FaultRun.Fault.BACKUP),
                run(lab, COORDINATORS, FaultRun.Fault.COORDINATORS));
    }

    private static FaultRun run(Lab lab, String series, FaultRun.Fault fault) {
        return new FaultRun(
                series,
                fault,
                lab.quick() ? QUICK : FULL,
                lab.quick() ? SMALL : MotorPaper.workload(Macro.TPCC, lab),
                MotorPaper.protocol(MotorPaper.MOTOR, MotorPaper.versions(Macro.TPCC)),
                lab.motorProfile(),
                lab.seed());
    }

    @Override
    public FigureResult result(Results results) {
        List<PaperComparison> comparisons = new ArrayList<>();
        List<Plot.Line> lines = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        int before = 0;
        for (String series : PAPER.keySet()) {
            List<Results.Point> points = results.of(series);
            before = points.size() == QUICK.before() + QUICK.after() ? QUICK.before() : FULL.before();
            double was = mean(points, 0, before);
            int back = back(points, before, was);
            comparisons.add(
                    new PaperComparison(NUMBER, "ms until it is as before, " + series, PAPER.get(series), back));
            comparisons.add(new PaperComparison(
                    NUMBER,
                    "throughput at the end / before, " + series,
                    1,
                    mean(points, before + back, points.size()) / was));
            lines.add(results.line(series, Results.Point::x, p -> p.sample().perSecond() / 1e3));
            notes.add(told(points, before, was, series));
        }
        notes.addAll(results.notes());
        notes.add("ms: of the first " + MILLIS_IN_A_ROW + " in a row with " + Math.round(100 * AS_BEFORE)
                + " % of before; where there are none, up to the end of what was looked at");
        notes.add("the paper: connecting takes 170 ms; migrating a large table nearly 200 ms, a small one 1.1 ms");
        Plot plot = new Plot(
                NUMBER, "Motor, Fig. 19: TPC-C, a fault at " + before + " ms", "ms", "thousand transactions/s", lines);
        return new FigureResult(NUMBER, title(), comparisons, List.of(plot), results, notes);
    }

    private static String told(List<Results.Point> points, int before, double was, String series) {
        int silent = 0;
        double min = was;
        for (Results.Point point : points.subList(before, points.size())) {
            if (point.sample().commits() == 0) silent++;
            min = Math.min(min, point.sample().perSecond());
        }
        return String.format(
                Locale.ROOT,
                "%s: %.0f k/s before, %.0f k/s in the worst millisecond, %d of %d ms without a commit",
                series,
                was / 1e3,
                min / 1e3,
                silent,
                points.size() - before);
    }

    /** Returns the milliseconds from the fault until throughput has recovered; all that there are if it has not. */
    private static int back(List<Results.Point> points, int before, double was) {
        int last = points.size() - before - MILLIS_IN_A_ROW;
        boolean fell = false;
        for (int i = 0; i <= last; i++) {
            boolean good = mean(points, before + i, before + i + MILLIS_IN_A_ROW) >= AS_BEFORE * was;
            if (fell && good) return i;
            fell |= !good;
        }
        return fell ? points.size() - before - 1 : 0;
    }

    private static double mean(List<Results.Point> points, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) sum += points.get(i).sample().perSecond();
        return sum / Math.max(1, to - from);
    }
}
