package tidepool.bench.race;

import static tidepool.bench.race.RaceTable.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import tidepool.bench.Environment;
import tidepool.workload.measured.MeasuredWorkload;

/** The figures of a race as one self-contained page: no network, no script, pictures inside. */
final class RaceHtml {
    private static final String STYLE = """
            body{font:15px/1.5 system-ui,sans-serif;max-width:1080px;margin:2em auto;padding:0 1em;color:#222}
            h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}
            table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px}
            th,td{padding:.25em .7em;text-align:right;border-bottom:1px solid #ddd}
            th:first-child,td:first-child,td.t,th.t{text-align:left}
            .wrong{color:#b00;font-weight:bold}.note{color:#666;font-size:13px}
            svg{width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:#444}
            """;

    private final RaceResult result;
    private final RaceOptions options;
    private final String version;

    RaceHtml(RaceResult result, String version) {
        this.result = result;
        this.options = result.options();
        this.version = version;
    }

    /**
     * Writes a temporary file next to the page and moves it into place, so that an old page is replaced wholly or not
     * at all.
     */
    void write(Path file) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            Path draft = Files.createTempFile(folder, file.getFileName().toString(), ".draft");
            Files.writeString(draft, page());
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("the report could not be written: " + file + ": " + e.getMessage(), e);
        }
    }

    String page() {
        MeasuredWorkload workload = options.newWorkload();
        StringBuilder page =
                new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
        page.append(text("bench " + workload.name())).append("</title><style>").append(STYLE);
        page.append("</style></head><body>\n<h1>").append(text(workload.name())).append("</h1>\n");
        List<String> lines = new ArrayList<>();
        new RaceTable(result).head(lines::add);
        page.append("<p>")
                .append(text(lines.get(0)))
                .append("<br>")
                .append(text(lines.get(1)))
                .append("<br>");
        page.append(text(lines.get(2))).append("</p>\n");
        if (result.wasInterrupted())
            page.append("<p class=\"wrong\">Interrupted: only the rounds that everybody had.</p>\n");
        contenders(page);
        page.append("<h2>Throughput as time goes by</h2>\n").append(throughput());
        page.append("<p class=\"note\">Commits per second, the measured rounds one after the other.</p>\n");
        page.append("<h2>Latency</h2>\n").append(latency());
        page.append("<p class=\"note\">How many transactions of all rounds took at most so long, retries included."
                + " Both axes are logarithmic: each step to the right leaves a tenth of the transactions.</p>\n");
        types(page);
        aborts(page);
        machine(page);
        return page.append("</body></html>\n").toString();
    }

    private void contenders(StringBuilder page) {
        page.append(
                "<h2>Contenders</h2>\n<table><tr><th>contender</th><th>commits/s</th><th>spread</th><th>first/its</th>"
                        + "<th>low..high</th><th>p50 us</th><th>p99 us</th><th>p99.9"
                        + " us</th><th>aborts/s</th><th>trips/txn</th>"
                        + "<th>allocated/txn</th><th>CPU us/txn</th><th class=\"t\">check</th></tr>\n");
        for (Standing standing : result.standings()) {
            double[] ratios = result.first().timesAsFastAs(standing);
            Histogram all = standing.latency();
            row(
                    page,
                    standing.label(),
                    format("%,.0f", standing.commitsPerSecond()),
                    format("%.1f %%", 100 * standing.spread()),
                    format("%.2f", Standing.median(ratios)),
                    format("%.2f..%.2f", ratios[0], ratios[ratios.length - 1]),
                    micros(all, 50),
                    micros(all, 99),
                    micros(all, 99.9),
                    format("%,.0f", standing.abortsPerSecond()),
                    format("%.2f", standing.perTransaction(TypeTally::roundTrips)),
                    format("%.1f", standing.bytesAllocatedPerTransaction()),
                    format("%.2f", standing.cpuMicrosPerTransaction()),
                    !standing.wasChecked() ? "not checked" : standing.wrong().isEmpty() ? "right" : "WRONG");
        }
        page.append("</table>\n");
        for (Standing standing : result.standings()) {
            page.append("<p class=\"note\">")
                    .append(text(standing.label() + ": " + standing.settings()))
                    .append("</p>\n");
            for (String wrong : standing.wrong())
                page.append("<p class=\"wrong\">")
                        .append(text(standing.label() + ": " + wrong))
                        .append("</p>\n");
        }
    }

    private String throughput() {
        Chart chart = new Chart("seconds", "commits/s");
        for (Standing standing : result.standings()) {
            List<double[]> points = new ArrayList<>();
            double before = 0;
            for (RoundResult round : standing.rounds()) {
                for (int i = 1; i < round.series().size(); i++) {
                    TimePoint from = round.series().get(i - 1);
                    TimePoint to = round.series().get(i);
                    double perSecond = 1e3 * (to.commits() - from.commits()) / (to.millis() - from.millis());
                    points.add(new double[] {before + to.millis() / 1e3, perSecond});
                }
                before += round.nanos() / 1e9;
            }
            chart.line(standing.label(), points);
        }
        return chart.svg();
    }

    /**
     * Returns the chart of latencies. The percentile p is drawn at log10(1 / (1 - p)): 90 % at 1, 99 % at 2, 99.9 % at
     * 3.
     */
    private String latency() {
        Chart chart = new Chart("share of the transactions", "us").logarithmicY();
        for (String share : List.of("0", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %")) chart.xLabel(share);
        for (Standing standing : result.standings()) {
            List<double[]> points = new ArrayList<>();
            for (HistogramIterationValue value : standing.latency().percentiles(10)) {
                double rest = 1 - value.getPercentileLevelIteratedTo() / 100;
                if (rest < 1e-5) break;
                points.add(new double[] {-Math.log10(rest), Math.max(1, value.getValueIteratedTo()) / 1e3});
            }
            chart.line(standing.label(), points);
        }
        return chart.svg();
    }

    private void types(StringBuilder page) {
        page.append("<h2>By type</h2>\n<table><tr><th>contender</th><th"
                + " class=\"t\">type</th><th>commits</th><th>missed</th>"
                + "<th>rolled back</th><th>abandoned</th><th>p50 us</th><th>p99"
                + " us</th><th>tries/txn</th><th>trips</th>"
                + "<th>verbs</th><th>bytes</th></tr>\n");
        for (Standing standing : result.standings())
            for (int i = 0; i < standing.types().size(); i++) {
                TypeTally type = standing.type(i);
                if (type.transactions() == 0) continue;
                row(
                        page,
                        standing.label(),
                        standing.types().get(i),
                        format("%,d", type.count(TxnEnd.COMMITTED)),
                        format("%,d", type.count(TxnEnd.MISSED)),
                        format("%,d", type.count(TxnEnd.ROLLED_BACK)),
                        format("%,d", type.count(TxnEnd.ABANDONED)),
                        micros(type.latency(), 50),
                        micros(type.latency(), 99),
                        format("%.3f", type.perTransaction(type.attempts())),
                        format("%.2f", type.perTransaction(type.roundTrips())),
                        format("%.1f", type.perTransaction(type.verbs())),
                        format("%,.0f", type.perTransaction(type.bytes())));
            }
        page.append("</table>\n");
    }

    private void aborts(StringBuilder page) {
        TreeSet<String> reasons = new TreeSet<>();
        for (Standing standing : result.standings())
            reasons.addAll(standing.aborts().keySet());
        page.append("<h2>Aborted attempts by reason</h2>\n");
        if (reasons.isEmpty()) {
            page.append("<p>None.</p>\n");
            return;
        }
        page.append("<table><tr><th>contender</th>");
        for (String reason : reasons) page.append("<th>").append(text(reason)).append("</th>");
        page.append("</tr>\n");
        for (Standing standing : result.standings()) {
            List<String> cells = new ArrayList<>();
            cells.add(standing.label());
            for (String reason : reasons)
                cells.add(format("%,d", standing.aborts().getOrDefault(reason, 0L)));
            row(page, cells.toArray(String[]::new));
        }
        page.append("</table>\n");
    }

    private void machine(StringBuilder page) {
        page.append("<h2>Machine and versions</h2>\n<table>");
        row(page, "tidepool", version);
        for (Map.Entry<String, String> fact : Environment.describe().entrySet())
            row(page, fact.getKey(), fact.getValue());
        page.append("</table>\n");
    }

    private static void row(StringBuilder page, String... cells) {
        page.append("<tr>");
        for (String cell : cells) {
            boolean isText = !cell.isEmpty() && Character.isLetter(cell.charAt(0));
            page.append(isText ? "<td class=\"t\">" : "<td>").append(text(cell)).append("</td>");
        }
        page.append("</tr>\n");
    }

    private static String micros(Histogram latency, double percentile) {
        return format("%.1f", latency.getValueAtPercentile(percentile) / 1e3);
    }

    static String text(String raw) {
        return raw.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
