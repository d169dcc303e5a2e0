package tidepool.lab;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results as a text table, and as files: SVG for each plot, CSV of every point, JSON of every comparison. */
public final class LabReport {
    private LabReport() {}

    /** Returns a table of the paper's numbers and ours. */
    public static String table(FigureResult result) {
        Formatter out = new Formatter(Locale.ROOT);
        out.format("Figure %s: %s\n", result.figure(), result.title());
        int width = result.comparisons().stream()
                .mapToInt(c -> c.series().length())
                .max()
                .orElse(1);
        out.format("  %-6s %-" + width + "s %8s %8s %10s\n", "figure", "series", "paper", "ours", "difference");
        for (PaperComparison c : result.comparisons())
            out.format(
                    "  %-6s %-" + width + "s %8.2f %8.2f %+9.1f%%%s\n",
                    c.figure(),
                    c.series(),
                    c.paper(),
                    c.ours(),
                    100 * c.difference(),
                    c.sameRanking() ? "" : "  the other way round");
        if (result.comparisons().size() > 1)
            out.format(
                    "  median difference of %s, without sign: %.1f%%\n",
                    throughputs(result).isEmpty() ? "all" : "throughputs", 100 * medianError(result));
        for (String note : result.notes()) out.format("  %s\n", note);
        return out.toString();
    }

    /** Returns the median of the absolute differences of throughput ratios; of all ratios if there is no throughput. */
    public static double medianError(FigureResult result) {
        List<PaperComparison> throughputs = throughputs(result);
        List<PaperComparison> compared = throughputs.isEmpty() ? result.comparisons() : throughputs;
        List<Double> errors = new ArrayList<>();
        for (PaperComparison c : compared) errors.add(Math.abs(c.difference()));
        errors.sort(null);
        int middle = errors.size() / 2;
        return errors.size() % 2 == 1 ? errors.get(middle) : (errors.get(middle - 1) + errors.get(middle)) / 2;
    }

    private static List<PaperComparison> throughputs(FigureResult result) {
        return result.comparisons().stream()
                .filter(c -> c.series().startsWith("throughput"))
                .toList();
    }

    /** Writes all files of a figure into an existing folder. Returns the files. */
    public static List<Path> write(FigureResult result, Path folder) throws IOException {
        List<Path> written = new ArrayList<>();
        for (Plot plot : result.plots()) written.add(put(folder, plot.name() + ".svg", Svg.draw(plot)));
        written.add(put(folder, "fig" + result.figure() + ".csv", csv(result)));
        written.add(put(folder, "fig" + result.figure() + ".json", json(result)));
        return written;
    }

    private static Path put(Path folder, String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /** Returns every measured point. */
    static String csv(FigureResult result) {
        Formatter out = new Formatter(Locale.ROOT);
        out.format("series,x,threads,coordinators,commits,commits_per_s,p50_us,p99_us,mean_us,aborts_per_commit,mis"
                + "ses_per_commit,"
                + "lock_us,trips_per_commit,verbs_per_commit,atomics_per_commit,bytes_per_commit,"
                + "reasons_of_aborts\n");
        for (Map.Entry<String, List<Results.Point>> series :
                result.results().series().entrySet())
            for (Results.Point point : series.getValue()) {
                Sample s = point.sample();
                out.format(
                        "\"%s\",%s,%d,%d,%d,%.1f,%.3f,%.3f,%.3f,%.5f,%.5f,%.3f,%.2f,%.2f,%.2f,%.1f,\"%s\"\n",
                        series.getKey(),
                        point.x(),
                        s.load().threads(),
                        s.load().total(),
                        s.commits(),
                        s.perSecond(),
                        s.p50Micros(),
                        s.p99Micros(),
                        s.meanMicros(),
                        s.aborts(),
                        s.misses(),
                        s.lockMicros(),
                        s.sent().trips(),
                        s.sent().verbs(),
                        s.sent().atomics(),
                        s.sent().bytes(),
                        s.reasons());
            }
        return out.toString();
    }

    /** Returns every comparison. */
    static String json(FigureResult result) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartArray();
            for (PaperComparison c : result.comparisons()) {
                json.writeStartObject();
                json.writeStringField("figure", c.figure());
                json.writeStringField("series", c.series());
                json.writeNumberField("paper", rounded(c.paper()));
                json.writeNumberField("ours", rounded(c.ours()));
                json.writeNumberField("difference", rounded(c.difference()));
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        return text + "\n";
    }

    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
