package tidepool.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
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
import tidepool.node.journal.Durability;
import tidepool.workload.CrashPlan;
import tidepool.workload.CrashResult;
import tidepool.workload.Fault;
import tidepool.workload.KillCampaign;
import tidepool.workload.NodeKillCampaign;
import tidepool.workload.NodeKillResult;
import tidepool.workload.PowerCampaign;
import tidepool.workload.RecoveryTimes;
import tidepool.workload.site.Site;

/** {@code tidepool crashtest}: starts real processes and kills them. */
@Command(
        name = "crashtest",
        description = {
            "Kill processes at random moments, then check everything.",
            "Worker processes on a pool in shared memory, or on memory nodes over TCP, are killed and replaced;"
                    + " on TCP they also stall, and their connections are cut, lose frames or deliver them late.",
            "Exit code 0 only if the history is strictly serializable, the money adds up, and no lock or log is"
                    + " left over.",
            "The time until survivors can use the keys of a killed process is printed, and does not change the"
                    + " exit code.",
            "With --nodes memory nodes are killed instead, which are registered in a ZooKeeper, and come back with"
                    + " nothing."
        })
final class CrashtestCommand implements Callable<Integer> {
    private static final int MAX_EVENTS = 10_000;

    @Option(names = "--fabric", paramLabel = "NAME", description = "shm or tcp, default ${DEFAULT-VALUE}.")
    String fabric = "shm";

    @Option(names = "--nodes", description = "Kill memory nodes, under workers that live; over TCP.")
    boolean nodes;

    @Option(names = "--kills", paramLabel = "N", description = "Processes to kill, default ${DEFAULT-VALUE}.")
    int kills = 300;

    @Option(
            names = "--faults",
            paramLabel = "N",
            description = "Other faults between the kills, on tcp; default ${DEFAULT-VALUE}.")
    int faults;

    @Option(
            names = "--power",
            paramLabel = "N",
            description =
                    "Instead: N times, kill all memory nodes at once and restart them on their journals;" + " on tcp.")
    int power;

    @Option(
            names = "--durability",
            paramLabel = "NAME",
            description = "Durability of the nodes with --power: flush or strict, default ${DEFAULT-VALUE}.")
    String durability = "strict";

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Worker processes at a time, default ${DEFAULT-VALUE}.")
    int workers = 3;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random choices, default ${DEFAULT-VALUE}.")
    long seed = 1;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the result as JSON.")
    Path json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (nodes) return killNodes();
        require(Site.FABRICS.contains(fabric), "--fabric takes " + String.join(" or ", Site.FABRICS));
        require(power >= 0 && power <= MAX_EVENTS, "--power takes 1 to " + MAX_EVENTS);
        if (power > 0) return power();
        require(faults >= 0 && faults <= MAX_EVENTS, "--faults takes 0 to " + MAX_EVENTS);
        require(faults == 0 || fabric.equals("tcp"), "--faults needs --fabric tcp: elsewhere is no network");
        require(kills >= (faults == 0 ? 1 : 0) && kills <= MAX_EVENTS, "--kills takes 1 to " + MAX_EVENTS);
        require(workers >= 2 && workers <= 16, "--workers takes 2 to 16");
        RecordedFlags.requireFolder(json, "report");
        Logger.getLogger("tidepool").setLevel(Level.WARNING);
        CrashPlan plan = new CrashPlan(fabric, kills, faults, workers, seed);
        CrashResult result = new KillCampaign(plan, spec.commandLine().getOut()::println).run();
        spec.commandLine().getOut().print(result.text());
        spec.commandLine().getOut().flush();
        if (json != null) JsonReport.write(json, "crashtest", List.of(result), CrashtestCommand::write);
        return result.holds() ? 0 : 1;
    }

    private int killNodes() throws Exception {
        require(faults == 0, "--nodes kills memory nodes, and makes no other faults");
        require(kills >= 1 && kills <= MAX_EVENTS, "--kills takes 1 to " + MAX_EVENTS);
        require(workers >= 1 && workers <= 16, "--workers takes 1 to 16");
        RecordedFlags.requireFolder(json, "report");
        Logger.getLogger("").setLevel(Level.SEVERE); // lost nodes are expected here
        NodeKillResult result =
                new NodeKillCampaign(kills, workers, seed, spec.commandLine().getOut()::println).run();
        spec.commandLine().getOut().print(result.text());
        spec.commandLine().getOut().flush();
        if (json != null) JsonReport.write(json, "crashtest", List.of(result), CrashtestCommand::writeNodes);
        return result.holds() ? 0 : 1;
    }

    private static void writeNodes(JsonGenerator to, NodeKillResult result) throws IOException {
        to.writeStringField("contender", "ford/zk");
        to.writeStringField("workload", "smallbank+append");
        to.writeBooleanField("holds", result.holds());
        to.writeBooleanField("strictlySerializable", result.isStrict());
        to.writeNumberField("kills", result.kills());
        to.writeNumberField("workers", result.workers());
        to.writeNumberField("seconds", result.seconds());
        to.writeNumberField("commits", result.commits());
        to.writeNumberField("primariesLost", result.primaries());
        to.writeNumberField("whileChanging", result.whileChanging());
        to.writeNumberField("whileFilling", result.whileFilling());
        to.writeObjectFieldStart("millis");
        write(to, "killToFirstCommit", result.unavailable());
        write(to, "detection", result.detection());
        write(to, "repair", result.repair());
        write(to, "killToWhole", result.refill());
        to.writeEndObject();
    }

    private int power() throws IOException, InterruptedException {
        require(fabric.equals("tcp"), "--power needs --fabric tcp: elsewhere are no nodes to be killed");
        require(List.of("flush", "strict").contains(durability), "--durability takes flush or strict");
        Logger.getLogger("tidepool").setLevel(Level.SEVERE);
        PowerCampaign.Result result = new PowerCampaign(
                        power,
                        Durability.valueOf(durability.toUpperCase(Locale.ROOT)),
                        seed,
                        spec.commandLine().getOut()::println)
                .run();
        spec.commandLine().getOut().print(result.text());
        spec.commandLine().getOut().flush();
        return result.holds() ? 0 : 1;
    }

    private void require(boolean holds, String sentence) {
        if (!holds) throw new CommandLine.ParameterException(spec.commandLine(), sentence);
    }

    private static void write(JsonGenerator to, CrashResult result) throws IOException {
        CrashPlan plan = result.plan();
        to.writeStringField("contender", "ford/" + plan.fabric());
        to.writeStringField("workload", "smallbank+append");
        to.writeBooleanField("holds", result.holds());
        to.writeBooleanField("strictlySerializable", result.isStrict());
        to.writeNumberField("kills", plan.kills());
        to.writeNumberField("workers", plan.workers());
        to.writeNumberField("seed", plan.seed());
        to.writeNumberField("seconds", result.seconds());
        to.writeNumberField("commits", result.commits());
        to.writeNumberField("killedWhileOpening", result.early());
        to.writeNumberField("finished", result.finished());
        to.writeNumberField("undone", result.undone());
        to.writeNumberField("locksFreed", result.freed());
        to.writeNumberField("keysWithoutCommit", result.unanswered());
        to.writeObjectFieldStart("faults");
        for (Fault fault : Fault.values())
            to.writeNumberField(fault.toString(), result.faults().getOrDefault(fault, 0));
        to.writeEndObject();
        to.writeObjectFieldStart("flyingWrites");
        for (Map.Entry<String, Integer> flight : result.flights().entrySet())
            to.writeNumberField(flight.getKey(), flight.getValue());
        to.writeEndObject();
        RecoveryTimes times = result.times();
        to.writeObjectFieldStart("millis");
        write(to, "killToFirstCommit", times.all());
        write(to, "detection", times.detection());
        write(to, "repair", times.repair());
        write(to, "killToSign", times.tearDown());
        write(to, "signToFirstCommit", times.firstCommit());
        write(to, "signToNoticed", times.noticed());
        write(to, "noticedToBegun", times.begun());
        write(to, "begunToRevoked", times.revoked());
        write(to, "revokedToResolved", times.resolved());
        write(to, "resolvedToUnlocked", times.unlocked());
        write(to, "waited", times.waited());
        to.writeEndObject();
    }

    private static void write(JsonGenerator to, String name, RecoveryTimes.Spread spread) throws IOException {
        to.writeObjectFieldStart(name);
        to.writeNumberField("times", spread.count());
        to.writeNumberField("p50", spread.percentile(50));
        to.writeNumberField("p99", spread.percentile(99));
        to.writeNumberField("most", spread.percentile(100));
        to.writeEndObject();
    }
}
