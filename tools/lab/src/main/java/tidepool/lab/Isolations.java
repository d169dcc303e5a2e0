package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tidepool.workload.measured.MeasuredWorkload;

/** Motor's Fig. 17: serializable against snapshot isolation on TATP and TPC-C. The paper's text gives no numbers. */
final class Isolations implements Figure {
    private static final List<Macro> MACROS = List.of(Macro.TPCC, Macro.TATP);
    private static final String SR = "Motor-SR";
    private static final String SI = "Motor-SI";

    @Override
    public List<String> numbers() {
        return List.of("motor-17");
    }

    @Override
    public String title() {
        return "serializability and snapshot isolation";
    }

    private static String series(Macro macro, String isolation) {
        return macro.text + ", " + isolation;
    }

    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        for (Macro macro : MACROS)
            for (String isolation : List.of(SR, SI)) {
                MeasuredWorkload workload = MotorPaper.workload(macro, lab);
                List<SeriesPoint> points = new ArrayList<>();
                for (Load load : List.of(new Load(10, 1), new Load(28, 3), new Load(40, 7)))
                    points.add(new SeriesPoint(load.total(), load, workload, MotorPaper.window(macro, lab)));
                String protocol = MotorPaper.protocol(MotorPaper.MOTOR, MotorPaper.versions(macro))
                        + (isolation.equals(SI) ? "&isolation=snapshot" : "");
                jobs.add(MotorPaper.job(lab, series(macro, isolation), protocol, workload, points));
            }
        return jobs;
    }

    @Override
    public FigureResult result(Results results) {
        List<String> notes = new ArrayList<>();
        List<Plot> plots = new ArrayList<>();
        notes.add(
                "the paper: snapshot isolation is faster on both, and gains more on TPC-C; its text gives no numbers");
        for (Macro macro : MACROS) {
            String si = series(macro, SI);
            String sr = series(macro, SR);
            notes.add(String.format(
                    Locale.ROOT,
                    "%s, SI / SR: throughput %.2f at the highest; with 280 coordinators p50 %.2f, p99 %.2f",
                    macro.text,
                    results.highest(si, Sample::perSecond) / results.highest(sr, Sample::perSecond),
                    results.last(si, Sample::p50Micros) / results.last(sr, Sample::p50Micros),
                    results.last(si, Sample::p99Micros) / results.last(sr, Sample::p99Micros)));
            plots.add(new Plot(
                    "motor-17-" + macro.text.toLowerCase(Locale.ROOT),
                    "Motor, Fig. 17: " + macro.text,
                    "coordinators",
                    "million transactions/s",
                    List.of(
                            results.line(sr, Results.Point::x, p -> p.sample().perSecond() / 1e6),
                            results.line(si, Results.Point::x, p -> p.sample().perSecond() / 1e6))));
        }
        return new FigureResult("motor-17", title(), List.of(), plots, results, notes);
    }
}
