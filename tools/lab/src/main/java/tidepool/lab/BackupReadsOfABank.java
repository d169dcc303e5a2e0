package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import tidepool.workload.measured.MeasuredWorkload;

/**
 * Fig. 18: the gain of reads from backups on SmallBank. One node has the primaries of the savings and the other those
 * of the checking accounts, which are accessed twice as often.
 */
final class BackupReadsOfABank implements Figure {
    private static final String ON = "enabled";
    private static final String OFF = "disabled";

    @Override
    public List<String> numbers() {
        return List.of("18");
    }

    @Override
    public String title() {
        return "reading from backups on SmallBank";
    }

    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        for (String backups : List.of(OFF, ON)) {
            MeasuredWorkload bank = Macro.SMALL_BANK.workload(lab);
            List<SeriesPoint> points = new ArrayList<>();
            for (Load load : EndToEnd.loads(lab))
                points.add(new SeriesPoint(load.total(), load, bank, lab.shortWindow()));
            String protocol = "ford?reads=" + (backups.equals(ON) ? "backup" : "primary");
            Setup setup = new Setup(
                    protocol,
                    bank,
                    Systems.homes(bank),
                    lab.profile(),
                    EndToEnd.maxLoad(lab).total(),
                    lab.seed());
            jobs.add(new Job(backups, setup, Meter.Aborted.DROPPED, false, points));
        }
        return jobs;
    }

    @Override
    public FigureResult result(Results results) {
        double ours = results.highest(ON, Sample::perSecond) / results.highest(OFF, Sample::perSecond);
        List<Plot> plots = new ArrayList<>();
        for (int percent : new int[] {50, 99})
            plots.add(new Plot(
                    "fig18-p" + percent,
                    "Fig. 18: SmallBank, " + percent + "th percentile of latency",
                    "million transactions/s",
                    "µs",
                    List.of(EndToEnd.curve(results, OFF, OFF, percent), EndToEnd.curve(results, ON, ON, percent))));
        return new FigureResult(
                "18",
                title(),
                List.of(new PaperComparison(
                        "18", "throughput enabled / disabled, at the highest of each", 1.207, ours)),
                plots,
                results,
                List.of());
    }
}
