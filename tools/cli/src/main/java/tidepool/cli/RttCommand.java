package tidepool.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.bench.JsonReport;
import tidepool.fabric.Traffic;
import tidepool.workload.RoundTrips;

/** {@code tidepool rtt}: measures the table of round trips. */
@Command(
        name = "rtt",
        description = {
            "Measure the table of round trips.",
            "Verbs that each shape of transaction sends until its outcome is known, with cached addresses and"
                    + " no conflicts.",
            "Counted by the fabric, so exact and the same on every machine. Exit code 1 if a count is not the"
                    + " promised one."
        })
final class RttCommand implements Callable<Integer> {
    private static final List<String> PROTOCOLS = RoundTrips.protocols();
    private static final List<String> FABRICS = List.of("mem", "shm", "sim");

    /** All fabrics that can be measured. On {@code sim-journals} flush= costs no trip. */
    private static final List<String> KNOWN = List.of("mem", "shm", "sim", "sim-journals");

    @Option(names = "--protocol", split = ",", paramLabel = "NAME", description = "Which protocols: ${DEFAULT-VALUE}.")
    List<String> protocols = PROTOCOLS;

    @Option(
            names = "--fabric",
            split = ",",
            paramLabel = "NAME",
            description = "Which fabrics: ${DEFAULT-VALUE}; also sim-journals: nodes that keep journals, as over TCP.")
    List<String> fabrics = FABRICS;

    @Option(
            names = "--steps",
            description = "Also print how many trips, verbs and bytes each step of a protocol makes of these.")
    boolean steps;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the results as JSON.")
    Path json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        known("protocol", protocols, PROTOCOLS);
        known("fabric", fabrics, KNOWN);
        if (json != null && !Files.isDirectory(json.toAbsolutePath().getParent()))
            throw new UserError(
                    "no such folder for the report: " + json.toAbsolutePath().getParent());
        List<RoundTrips.Row> rows = new ArrayList<>();
        for (String protocol : protocols)
            for (String fabric : fabrics) rows.addAll(RoundTrips.measure(protocol, fabric));
        PrintWriter out = spec.commandLine().getOut();
        String format = "%-21s %-6s %-14s %5s %8s %5s   %-26s %5s %8s   %-20s%n";
        out.printf(
                Locale.ROOT,
                format,
                "protocol",
                "fabric",
                "case",
                "trips",
                "promised",
                "aside",
                "verbs",
                "read",
                "written",
                "background");
        for (RoundTrips.Row row : rows)
            out.printf(
                    Locale.ROOT,
                    format,
                    row.protocol(),
                    row.fabric(),
                    row.shape(),
                    row.roundTrips(),
                    row.paper(),
                    row.traffic().asideTrips(),
                    row.verbs(),
                    row.traffic().bytesRead(),
                    row.traffic().bytesWritten(),
                    row.backgroundVerbs());
        if (steps) printSteps(out, rows);
        out.flush();
        if (json != null) JsonReport.write(json, "rtt", rows, RttCommand::write);
        return rows.stream().allMatch(row -> row.roundTrips() == row.paper()) ? 0 : 1;
    }

    /** Prints the share of each step. Fabrics on which it is equal share a line. */
    private static void printSteps(PrintWriter out, List<RoundTrips.Row> rows) {
        String format = "%-21s %-14s %-9s %5s %5s %5s %6s %8s   %6s %6s %8s   %s%n";
        out.println();
        out.printf(
                Locale.ROOT,
                format,
                "protocol",
                "case",
                "step",
                "trips",
                "aside",
                "verbs",
                "read",
                "written",
                "background",
                "read",
                "written",
                "fabrics");
        Map<List<Object>, List<String>> lines = new LinkedHashMap<>();
        for (RoundTrips.Row row : rows)
            for (RoundTrips.StepShare share : row.steps())
                lines.computeIfAbsent(List.of(row.protocol(), row.shape(), share), line -> new ArrayList<>())
                        .add(row.fabric());
        lines.forEach((line, on) -> {
            RoundTrips.StepShare step = (RoundTrips.StepShare) line.getLast();
            Traffic.Share share = step.share();
            out.printf(
                    Locale.ROOT,
                    format,
                    line.get(0),
                    line.get(1),
                    step.step(),
                    share.roundTrips(),
                    share.asideTrips(),
                    share.verbs(),
                    share.bytesRead(),
                    share.bytesWritten(),
                    share.backgroundVerbs(),
                    share.backgroundBytesRead(),
                    share.backgroundBytesWritten(),
                    String.join(",", on));
        });
    }

    private void known(String what, List<String> asked, List<String> all) {
        for (String name : asked)
            if (!all.contains(name))
                throw new CommandLine.ParameterException(
                        spec.commandLine(), "Unknown " + what + " '" + name + "'; known: " + String.join(", ", all));
    }

    private static void write(JsonGenerator json, RoundTrips.Row row) throws IOException {
        json.writeStringField("protocol", row.protocol());
        json.writeStringField("fabric", row.fabric());
        json.writeStringField("case", row.shape());
        json.writeNumberField("roundTrips", row.roundTrips());
        json.writeNumberField("promisedRoundTrips", row.paper());
        json.writeNumberField("asideTrips", row.traffic().asideTrips());
        json.writeStringField("verbs", row.verbs());
        json.writeStringField("backgroundVerbs", row.backgroundVerbs());
        json.writeNumberField("bytesRead", row.traffic().bytesRead());
        json.writeNumberField("bytesWritten", row.traffic().bytesWritten());
        json.writeNumberField("backgroundBytesRead", row.traffic().backgroundBytesRead());
        json.writeNumberField("backgroundBytesWritten", row.traffic().backgroundBytesWritten());
        json.writeObjectFieldStart("steps");
        for (RoundTrips.StepShare step : row.steps()) {
            Traffic.Share share = step.share();
            json.writeObjectFieldStart(step.step().toString());
            json.writeNumberField("roundTrips", share.roundTrips());
            json.writeNumberField("asideTrips", share.asideTrips());
            json.writeNumberField("verbs", share.verbs());
            json.writeNumberField("bytesRead", share.bytesRead());
            json.writeNumberField("bytesWritten", share.bytesWritten());
            json.writeNumberField("backgroundVerbs", share.backgroundVerbs());
            json.writeNumberField("backgroundBytesRead", share.backgroundBytesRead());
            json.writeNumberField("backgroundBytesWritten", share.backgroundBytesWritten());
            json.writeEndObject();
        }
        json.writeEndObject();
    }
}
