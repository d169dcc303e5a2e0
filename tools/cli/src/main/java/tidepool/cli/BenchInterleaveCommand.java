package tidepool.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.bench.JsonReport;
import tidepool.workload.Interleaving;

/** {@code tidepool bench interleave}: the gain of many coordinators on one core. */
@Command(
        name = "interleave",
        description = {
            "Run many coordinators on one core, in the simulator: while one waits for a round trip, the others work.",
            "Virtual time, so the figures are the same on every machine."
        })
final class BenchInterleaveCommand implements Callable<Integer> {
    @Option(names = "--protocol", paramLabel = "NAME", description = "Which protocol: ${DEFAULT-VALUE}.")
    String protocol = "ford";

    @Option(
            names = "--coordinators",
            split = ",",
            paramLabel = "N",
            description = "How many share the core: ${DEFAULT-VALUE}.")
    List<Integer> coordinators = List.of(1, 2, 4, 8, 16, 32);

    @Option(names = "--transactions", paramLabel = "N", description = "In all, for each: ${DEFAULT-VALUE}.")
    int transactions = 4_000;

    @Option(names = "--profile", paramLabel = "NAME", description = "Costs in virtual time: ${DEFAULT-VALUE}.")
    String profile = "cx5";

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the results as JSON.")
    Path json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        if (json != null && !Files.isDirectory(json.toAbsolutePath().getParent()))
            throw new UserError(
                    "no such folder for the report: " + json.toAbsolutePath().getParent());
        List<Interleaving.Row> rows = measure();
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%12s %16s %8s %18s %8s%n", "coordinators", "commits/s", "ratio", "micros each", "aborts");
        double one = rows.getFirst().commitsPerSecond();
        for (Interleaving.Row row : rows)
            out.printf(
                    Locale.ROOT,
                    "%12d %,16.0f %8.2f %18.2f %,8d%n",
                    row.coordinators(),
                    row.commitsPerSecond(),
                    row.commitsPerSecond() / one,
                    row.micros(),
                    row.aborts());
        out.flush();
        if (json != null) JsonReport.write(json, "bench interleave", rows, BenchInterleaveCommand::write);
        return 0;
    }

    private List<Interleaving.Row> measure() {
        try {
            for (int count : coordinators)
                if (count < 1 || count > 512)
                    throw new IllegalArgumentException("--coordinators takes 1 to 512, not " + count);
            if (transactions < 1) throw new IllegalArgumentException("at least 1 transaction, not " + transactions);
            return Interleaving.measure(protocol, coordinators, transactions, profile);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static void write(JsonGenerator generator, Interleaving.Row row) throws IOException {
        generator.writeNumberField("coordinators", row.coordinators());
        generator.writeNumberField("commitsPerSecond", row.commitsPerSecond());
        generator.writeNumberField("meanMicros", row.micros());
        generator.writeNumberField("aborts", row.aborts());
    }
}
