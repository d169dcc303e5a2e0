package tidepool.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.bench.JsonReport;
import tidepool.workload.Demo;
import tidepool.workload.TxnTally;
import tidepool.workload.site.Site;

/** {@code tidepool demo}: shows the main use of Tidepool in one command. */
@Command(
        name = "demo",
        description = {
            "Run a bank, kill a client, prove that nothing was lost.",
            "A pool of three memory nodes and two client processes; one of them is killed half-way.",
            "Exit code 0 only if the history is strictly serializable, the money adds up, and no lock or log is"
                    + " left over."
        })
final class DemoCommand implements Callable<Integer> {
    @Option(names = "--seconds", paramLabel = "N", description = "How long the clients work, default ${DEFAULT-VALUE}.")
    int seconds = 12;

    @Option(names = "--accounts", paramLabel = "N", description = "Customers of the bank, default ${DEFAULT-VALUE}.")
    int accounts = 20_000;

    @Option(
            names = "--fabric",
            paramLabel = "NAME",
            description = "shm, or tcp with memory nodes that are processes; default ${DEFAULT-VALUE}.")
    String fabric = "shm";

    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random choices, default ${DEFAULT-VALUE}.")
    long seed = 1;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the result as JSON.")
    Path json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (seconds < 2 || seconds > 600)
            throw new CommandLine.ParameterException(spec.commandLine(), "--seconds takes 2 to 600");
        if (accounts < 100 || accounts > 1_000_000)
            throw new CommandLine.ParameterException(spec.commandLine(), "--accounts takes 100 to 1000000");
        if (!Site.FABRICS.contains(fabric))
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--fabric takes " + String.join(" or ", Site.FABRICS) + ", not '" + fabric + "'");
        if (json != null && !Files.isDirectory(json.toAbsolutePath().getParent()))
            throw new UserError(
                    "no such folder for the report: " + json.toAbsolutePath().getParent());
        // The demo reports recoveries itself.
        Logger.getLogger("tidepool").setLevel(Level.WARNING);
        PrintWriter out = spec.commandLine().getOut();
        Demo.Result result = new Demo(seconds, accounts, seed, fabric, out::println, new LiveLine(out)).run();
        if (json != null) JsonReport.write(json, "demo", List.of(result), this::write);
        return result.holds() ? 0 : 1;
    }

    private void write(JsonGenerator json, Demo.Result result) throws IOException {
        json.writeStringField("contender", "ford/" + fabric);
        json.writeStringField("workload", "smallbank+append");
        json.writeBooleanField("holds", result.holds());
        json.writeNumberField("seconds", result.seconds());
        json.writeNumberField("accounts", result.accounts());
        json.writeNumberField("seed", result.seed());
        json.writeNumberField("commits", result.commits());
        json.writeNumberField("commitsPerSecond", result.commitsPerSecond());
        json.writeNumberField("p50Micros", result.latency().percentile(50) / 1e3);
        json.writeNumberField("p99Micros", result.latency().percentile(99) / 1e3);
        json.writeArrayFieldStart("transactions");
        for (TxnTally kind : result.kinds()) write(json, kind);
        json.writeEndArray();
        json.writeObjectFieldStart("aborts");
        for (Map.Entry<String, Long> abort : result.aborts().entrySet())
            json.writeNumberField(abort.getKey(), abort.getValue());
        json.writeEndObject();
        json.writeNumberField("affectedKeys", result.affectedKeys());
        json.writeNumberField("firstCommitAfterDeathMicros", result.firstCommitNanos() / 1e3);
        json.writeBooleanField("strictlySerializable", result.isStrict());
        json.writeBooleanField("moneyAddsUp", result.findings().audit().holds());
        json.writeBooleanField("quiet", result.findings().quiet().holds());
        json.writeStringField(
                "history", result.findings().verdict().counts().toString().toLowerCase(Locale.ROOT));
    }

    private static void write(JsonGenerator json, TxnTally kind) throws IOException {
        json.writeStartObject();
        json.writeStringField("transaction", kind.name());
        json.writeNumberField("commits", kind.commits());
        json.writeNumberField("rollbacks", kind.rollbacks());
        json.writeNumberField("p50Micros", kind.latency().percentile(50) / 1e3);
        json.writeNumberField("p99Micros", kind.latency().percentile(99) / 1e3);
        json.writeNumberField("roundTripsPerTransaction", kind.roundTripsPerCommit());
        json.writeEndObject();
    }
}
