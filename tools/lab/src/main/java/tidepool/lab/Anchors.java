package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tidepool.protocol.Protocol;
import tidepool.store.ObjectLayout;
import tidepool.store.RowFormat;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.TableSpec;

/**
 * The cost of stamps and checksums compared with the paper's anchors, in throughput and in bytes of a row, on KVS. The
 * paper has no such figure, because it has no checksums.
 */
final class Anchors implements Figure {
    private static final String CHECKSUMS = "checksums";
    private static final String ANCHORS = "anchors";
    private static final List<String> SKEWS = List.of("0.7", "0.99");
    private static final int[] WRITES = {20, 80};
    private static final int VERSIONS = 4;

    @Override
    public List<String> numbers() {
        return List.of("motor-anchors");
    }

    @Override
    public String title() {
        return "checksums against anchors";
    }

    private static String series(String proof, String skew) {
        return proof + ", " + skew;
    }

    private static String protocol(String proof) {
        return (proof.equals(ANCHORS) ? LabProtocols.ANCHORS : "motor") + "?versions=" + VERSIONS;
    }

    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        for (String skew : SKEWS)
            for (String proof : List.of(CHECKSUMS, ANCHORS)) {
                List<SeriesPoint> points = new ArrayList<>();
                for (int writes : WRITES)
                    points.add(new SeriesPoint(
                            writes, MotorPaper.LOAD, KvsFigures.of(lab, skew, 1, writes), lab.shortWindow()));
                jobs.add(MotorPaper.job(
                        lab,
                        series(proof, skew),
                        protocol(proof),
                        points.getFirst().workload(),
                        points));
            }
        return jobs;
    }

    @Override
    public FigureResult result(Results results) {
        List<String> notes = new ArrayList<>();
        List<Plot> plots = new ArrayList<>();
        notes.add("anchors are unsafe: where words of a WRITE land in any order a torn value goes unnoticed");
        for (String skew : SKEWS) {
            notes.add(String.format(
                    Locale.ROOT,
                    "skewness %s, anchors / checksums: throughput %.3f, p50 %.3f, in the mean",
                    skew,
                    results.meanRatio(series(ANCHORS, skew), series(CHECKSUMS, skew), Sample::perSecond),
                    results.meanRatio(series(ANCHORS, skew), series(CHECKSUMS, skew), Sample::p50Micros)));
            List<Plot.Line> lines = new ArrayList<>();
            for (String proof : List.of(CHECKSUMS, ANCHORS))
                lines.add(results.line(
                        series(proof, skew), Results.Point::x, p -> p.sample().perSecond() / 1e6));
            plots.add(new Plot(
                    "motor-anchors-" + skew,
                    "Motor: checksums and anchors, skewness " + skew,
                    "read-write transactions, %",
                    "million transactions/s",
                    lines));
        }
        for (Macro macro : Macro.ALL)
            notes.add(String.format(
                    Locale.ROOT,
                    "bytes of all rows, anchors / checksums, %s: %.3f",
                    macro.text,
                    bytes(macro, ANCHORS) / bytes(macro, CHECKSUMS)));
        return new FigureResult("motor-anchors", title(), List.of(), plots, results, notes);
    }

    private static double bytes(Macro macro, String proof) {
        Protocol protocol = LabProtocols.named(protocol(proof));
        MeasuredWorkload workload = MotorPaper.workload(macro, new Lab(ProfileFile.ford(), true, 1));
        double sum = 0;
        for (TableSpec table : workload.tables()) {
            RowFormat rows = protocol.rows(table.schema());
            sum += (double) table.rows() * (ObjectLayout.bytes(rows.contentBytes()) + rows.sideBytes());
        }
        return sum;
    }
}
