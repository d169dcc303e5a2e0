package tidepool.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.base.Clock;
import tidepool.base.Coroutine;
import tidepool.base.Ids;
import tidepool.bench.JsonReport;
import tidepool.endurance.Churn;
import tidepool.endurance.Endurance;
import tidepool.endurance.EnduranceOptions;
import tidepool.protocol.Protocols;
import tidepool.sim.CostProfile;
import tidepool.verbs.Campaign;
import tidepool.verbs.Faults;
import tidepool.verbs.RunResult;
import tidepool.verbs.VerbsOptions;
import tidepool.verbs.VerbsSimulation;

/**
 * {@code tidepool simulate}: runs random verbs of many strands against a model, or whole clusters, with the adversary.
 */
@Command(
        name = "simulate",
        description = {
            "Simulate random verbs, or whole clusters, with faults.",
            "Many strands, in virtual time, write words of their own, add to shared counters, lock, write and"
                    + " read records,"
                    + " and look for broken orders, while the chosen faults happen. A failure prints the one line that"
                    + " repeats it.",
            "From " + Campaign.MIN_TURNS + " turns on (seeds x strands x rounds) it also fails if something that the"
                    + " faults should reach was never reached."
        })
final class SimulateCommand implements Callable<Integer> {
    private static final long MIN_CHURN = 1000;
    private static final int CHURN_CAPACITY = 64;
    private static final long PROGRESS_NANOS = 2_000_000_000L;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "The first seed, such as 42 or 0x5eed; without it, another one every time.")
    String seedText;

    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds, S, S+1, …; default ${DEFAULT-VALUE}.")
    int seeds = 1;

    @Option(
            names = "--protocol",
            paramLabel = "NAME",
            description = "verbs: random verbs against a model. ford, ford-lv, farm, farmv2, motor, drtmh, hdtx:"
                    + " whole clusters that run transactions"
                    + " while machines die; size, workload and faults of each are drawn from its seed. Switches"
                    + " as in a pool URL: 'ford?reads=backup'. Default ${DEFAULT-VALUE}.")
    String protocol = "verbs";

    @Option(
            names = "--updates",
            paramLabel = "N",
            description = "Instead of clusters, one pool of the protocol on which rows are updated, deleted and"
                    + " inserted again N"
                    + " times, with nothing else going wrong: fails if its memory, or that of its"
                    + " coordinators, grows. Then a table in which fresh rows replace old ones, a tenth of N, while"
                    + " machines die: fails if it fills up or a row is lost.")
    long updates;

    @Option(names = "--strands", paramLabel = "N", description = "Strands at work; default ${DEFAULT-VALUE}.")
    int strands = 16;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Turns of each strand, of one to four rounds each; default ${DEFAULT-VALUE}.")
    int rounds = 500;

    @Option(names = "--nodes", paramLabel = "N", description = "Memory nodes; default ${DEFAULT-VALUE}.")
    int nodes = 3;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = "Costs in virtual time: cx5, cx5-optane, cx3, cxl, zero; default ${DEFAULT-VALUE}.")
    String profile = "cx5";

    @Option(
            names = "--faults",
            paramLabel = "NAME",
            description =
                    "What goes wrong: none, order, network, crash, power, all; default ${DEFAULT-VALUE}. With whole"
                            + " clusters all, or power as well; nodes: memory nodes die; nodes+power: both; journals,"
                            + " nodes+journals: the power fails, and nodes keep journals.")
    String faults = "all";

    @Option(
            names = "--workload",
            paramLabel = "NAME",
            description = "What whole clusters do. few: transactions on a few contended rows. growing: on more rows"
                    + " than the table was made for, which grows. documents: rows with wide keys and long values, in"
                    + " tables that grow, while another table is emptied again and again. Default ${DEFAULT-VALUE}: few"
                    + " in most seeds, the others in some.")
    String workload = ClusterCampaign.DRAWN;

    @Option(
            names = "--trace",
            paramLabel = "N",
            description = "Print the last N events, of the seed that failed or the last. Events of a cluster's verbs"
                    + " have the step of the protocol.")
    int trace;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write a result for each seed as JSON.")
    Path json;

    @Spec
    CommandSpec spec;

    /** Makes the simulation that runs a seed. A test sets one that finds a fault. */
    Function<VerbsOptions, VerbsSimulation> simulations = VerbsSimulation::new;

    private final List<RunResult> results = new ArrayList<>();

    @Override
    public Integer call() {
        VerbsOptions options = options();
        if (trace > 0 && updates > 0) throw new UserError("--trace does not go with --updates, which prints no events");
        long first = seed();
        if (json != null && !Files.isDirectory(json.toAbsolutePath().getParent()))
            throw new UserError(
                    "no such folder for the report: " + json.toAbsolutePath().getParent());
        PrintWriter out = spec.commandLine().getOut();
        if (updates > 0) return endure(first, out);
        if (!protocol.equals("verbs"))
            return new ClusterCampaign(
                            protocol, faults, workload, out, spec.commandLine().getErr(), trace)
                    .run(first, seeds, json);
        out.printf(
                "Simulating %s from seed %s: %d strands, %d turns each, %d nodes, profile %s, faults %s%n",
                seeds == 1 ? "1 seed" : seeds + " seeds", hex(first), strands, rounds, nodes, profile, faults);

        Campaign campaign = new Campaign(options.faults());
        long startNanos = Clock.system().nowNanos();
        RunResult failed = runAll(simulations.apply(options), first, campaign, startNanos);
        long wallNanos = Clock.system().nowNanos() - startNanos;
        summarize(out, campaign, wallNanos);
        for (String event : results.getLast().lastEvents()) out.println(event);
        if (json != null) JsonReport.write(json, commandLine(first, seeds), results, SimulateCommand::write);
        return judge(campaign, failed);
    }

    /** Runs one long simulation, with counts at intervals. */
    private int endure(long seed, PrintWriter out) {
        EnduranceOptions run = new EnduranceOptions(() -> Protocols.named(protocol), seed, updates, 400, 4, 10);
        out.printf("Using one pool of %s for %,d updates from seed %s%n", protocol, updates, hex(seed));
        Endurance.Report report = Endurance.run(run, line -> {
            out.println(line);
            out.flush();
        });
        for (String fault : report.faults()) spec.commandLine().getErr().println("grew or is wrong: " + fault);
        if (report.faults().isEmpty()) {
            row(out, "updates", report.updates());
            row(out, "  of them deletes", report.deletes());
            row(out, "aborted attempts", report.aborts());
            row(out, "bytes of the pool", report.census().poolBytes());
            row(out, "overflow buckets", report.census().usage().overflowBuckets());
            row(out, "rows", report.census().usage().rows());
            row(out, "tombstones", report.census().usage().tombstones());
            row(out, "versions", report.census().usage().versions());
            row(out, "bytes of deltas", report.census().usage().barBytes());
            row(out, "bytes of coordinators", report.census().landingBytes());
        }
        List<String> faults = new ArrayList<>(report.faults());
        if (faults.isEmpty()) faults.addAll(churn(seed, out));
        if (faults.isEmpty()) out.println("Nothing grew.");
        out.flush();
        return faults.isEmpty() ? 0 : 1;
    }

    /** Runs a simulation in which fresh rows replace old ones and machines die. Returns what is wrong. */
    private List<String> churn(long seed, PrintWriter out) {
        long rows = Math.max(MIN_CHURN, updates / 10);
        out.printf("Replacing %,d rows of a table for %d while machines die%n", rows, CHURN_CAPACITY);
        out.flush();
        Churn.Report report = Churn.run(() -> Protocols.named(protocol), seed, CHURN_CAPACITY, rows);
        for (String fault : report.faults()) spec.commandLine().getErr().println("grew or is wrong: " + fault);
        row(out, "rows that came", report.inserts());
        row(out, "machines that died", report.deaths());
        row(out, "transactions cut off", report.cutOff());
        row(out, "  finished by recovery", report.finished());
        row(out, "  undone by recovery", report.undone());
        row(out, "overflow buckets at most", report.longest());
        row(out, "rows at the end", report.usage().rows());
        return report.faults();
    }

    private VerbsOptions options() {
        try {
            if (updates < 0) throw new IllegalArgumentException("--updates takes a number of updates, not " + updates);
            if (updates > 0 && (protocol.equals("verbs") || seeds > 1))
                throw new IllegalArgumentException(
                        "--updates is one run of a protocol: say --protocol motor, and no --seeds");
            if (seeds < 1) throw new IllegalArgumentException("at least 1 seed, not " + seeds);
            if (!protocol.equals("verbs")) ClusterCampaign.check(protocol, faults, workload);
            if (trace < 0) throw new IllegalArgumentException("--trace takes a number of events, not " + trace);
            Faults ofVerbs = Faults.named(protocol.equals("verbs") ? faults : "all");
            return new VerbsOptions(strands, rounds, nodes, CostProfile.named(profile), ofVerbs);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private long seed() {
        if (seedText == null) return Ids.secure().next().high() >>> 16; // short enough to be read aloud
        String text = seedText.toLowerCase(Locale.ROOT);
        try {
            return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "A seed is a number such as 42 or 0x5eed, not '" + seedText + "'", e);
        }
    }

    /** Stops at the first seed that fails and returns its result. Returns null if none fails. */
    private RunResult runAll(VerbsSimulation simulation, long first, Campaign campaign, long startNanos) {
        long lastSaid = startNanos;
        for (int i = 0; i < seeds; i++) {
            RunResult result = simulation.run(first + i, Coroutine.Kind.preferred(), trace);
            campaign.add(result);
            results.add(result);
            if (!result.isClean()) return result;
            long now = Clock.system().nowNanos();
            if (now - lastSaid < PROGRESS_NANOS || i + 1 == seeds) continue;
            lastSaid = now;
            spec.commandLine()
                    .getErr()
                    .printf(
                            "%d of %d seeds, %.0f s, %,d rounds, %,d faults%n",
                            i + 1, seeds, (now - startNanos) / 1e9, campaign.rounds(), campaign.faultsInjected());
            spec.commandLine().getErr().flush();
        }
        return null;
    }

    private void summarize(PrintWriter out, Campaign campaign, long wallNanos) {
        out.println();
        row(out, "turns", campaign.turns());
        row(out, "rounds", campaign.rounds());
        row(out, "verbs", campaign.verbs());
        row(out, "sessions", campaign.sessions());
        row(out, "faults injected", campaign.faultsInjected());
        out.printf(Locale.ROOT, "%-28s %,17.3f ms%n", "virtual time", campaign.virtualNanos() / 1e6);
        out.printf(
                Locale.ROOT,
                "%-28s %,17.3f s, %,.0f rounds/s%n",
                "wall time",
                wallNanos / 1e9,
                campaign.rounds() * 1e9 / wallNanos);
        out.printf(
                "%-28s  %16s%s%n",
                "trace hash", hex(results.getLast().traceHash()), seeds == 1 ? "" : ", of the last seed");
        if (!campaign.reached().isEmpty()) out.printf("%nreached%n");
        campaign.reached().forEach((what, count) -> row(out, "  " + words(what.name()), count));
        out.println();
    }

    private int judge(Campaign campaign, RunResult failed) {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (failed != null) {
            for (String violation : failed.violations()) err.println("violation: " + violation);
            err.println("repeat it: " + commandLine(failed.seed(), 1));
            err.flush();
            return 1;
        }
        if (campaign.isLongEnough() && !campaign.neverReached().isEmpty()) {
            List<String> missing = campaign.neverReached().stream()
                    .map(what -> words(what.name()))
                    .toList();
            err.println("never reached: " + String.join(", ", missing));
            err.flush();
            return 1;
        }
        out.println("No violation in " + (seeds == 1 ? "1 seed." : seeds + " seeds."));
        out.flush();
        return 0;
    }

    /** Returns the command line that repeats the run. */
    private String commandLine(long seed, int howMany) {
        StringBuilder line = new StringBuilder("./tidepool simulate --seed ").append(hex(seed));
        if (howMany != 1) line.append(" --seeds ").append(howMany);
        line.append(" --faults ").append(faults);
        if (strands != 16) line.append(" --strands ").append(strands);
        if (rounds != 500) line.append(" --rounds ").append(rounds);
        if (nodes != 3) line.append(" --nodes ").append(nodes);
        if (!profile.equals("cx5")) line.append(" --profile ").append(profile);
        return line.toString();
    }

    private static void write(JsonGenerator json, RunResult result) throws IOException {
        json.writeStringField("seed", hex(result.seed()));
        json.writeStringField("protocol", "verbs");
        json.writeNumberField("transactions", result.rounds());
        json.writeNumberField("faultsInjected", result.faultsInjected());
        json.writeStringField("traceHash", hex(result.traceHash()));
        json.writeArrayFieldStart("violations");
        for (String violation : result.violations()) json.writeString(violation);
        json.writeEndArray();
        json.writeNumberField("verbs", result.verbs());
        json.writeNumberField("virtualNanos", result.virtualNanos());
    }

    private static void row(PrintWriter out, String what, long count) {
        out.printf(Locale.ROOT, "%-28s %,17d%n", what, count);
    }

    private static String words(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }
}
