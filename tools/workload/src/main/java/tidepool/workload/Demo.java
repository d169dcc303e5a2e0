package tidepool.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tidepool.RecoveryReport;
import tidepool.history.Level;
import tidepool.protocol.Recovery;
import tidepool.workload.site.Site;

/**
 * A demonstration of the main use: a bank in a pool, two client processes, one of which is killed half-way, and proof
 * that nothing was lost.
 */
public final class Demo {
    private static final long TICK_MILLIS = 200;

    private final int seconds;
    private final int accounts;
    private final long seed;
    private final String fabric;
    private final Consumer<String> out;
    private final Consumer<String> live;

    /**
     * The result of a demo.
     *
     * @param commits of both workers, as last reported
     * @param latency of SmallBank's transactions
     * @param kinds tallies by kind of transaction
     * @param aborts attempts that were aborted, by reason, of the worker that survived
     * @param affectedKeys keys that the dead process held
     * @param firstCommitNanos from the moment its death could be known until each of them had a commit; -1 if
     *     there was none
     */
    public record Result(
            int seconds,
            int accounts,
            long seed,
            long commits,
            double commitsPerSecond,
            CoarseHistogram latency,
            List<TxnTally> kinds,
            Map<String, Long> aborts,
            List<WorkerProcess.Recovered> recoveries,
            int affectedKeys,
            long firstCommitNanos,
            WorkerSite.SiteFindings findings) {
        public boolean isStrict() {
            return findings.verdict().holds(Level.STRICT_SERIALIZABILITY);
        }

        public boolean holds() {
            return isStrict()
                    && findings.audit().holds()
                    && findings.quiet().holds()
                    && !recoveries.isEmpty()
                    && findings.verdict().counts().ok() > findings.listsRead();
        }
    }

    /**
     * @param fabric one of {@link Site#FABRICS}
     * @param out takes permanent lines
     * @param live takes the line that is overwritten, and an empty line at the end
     */
    public Demo(int seconds, int accounts, long seed, String fabric, Consumer<String> out, Consumer<String> live) {
        this.seconds = seconds;
        this.accounts = accounts;
        this.seed = seed;
        this.fabric = fabric;
        this.out = out;
        this.live = live;
    }

    /** Runs the demo from beginning to end. */
    public Result run() throws IOException, InterruptedException {
        try (WorkerSite workerSite =
                new WorkerSite(Site.on(fabric), seed, 2, 1, accounts, Math.max(2, accounts / 25), 2000, 4000)) {
            say(
                    "Pool      3 memory nodes, 2 replicas, %s; seed %d",
                    workerSite.site().text(), seed);
            long start = System.nanoTime();
            workerSite.load();
            say("Load      %,d customers with two accounts each, in %.1f s", accounts, since(start));
            WorkerProcess survivor = workerSite.start();
            WorkerProcess victim = workerSite.start();
            survivor.awaitReady();
            victim.awaitReady();
            say(
                    "Clients   processes %d and %d: SmallBank and list-append on the same pool",
                    survivor.pid(), victim.pid());
            long began = System.nanoTime();
            work(began, seconds / 2.0, survivor, victim, "");
            long killed = System.nanoTime();
            long dead = workerSite.kill(victim);
            victim.bury();
            say(
                    "Kill -9   process %d after %.1f s; %.1f ms later the others could know",
                    victim.pid(), (killed - began) / 1e9, (dead - killed) / 1e6);
            work(began, seconds, survivor, victim, " (one killed)");
            double lasted = since(began);
            survivor.stop();
            say("Check     reading all lists, adding up all accounts, comparing all replicas");
            WorkerSite.SiteFindings findings = workerSite.examine();
            Result result = result(workerSite, lasted, survivor, victim, dead, findings);
            tell(result);
            return result;
        }
    }

    private void work(long began, double until, WorkerProcess survivor, WorkerProcess victim, String remark)
            throws InterruptedException {
        while (since(began) < until) {
            TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
            long commits = survivor.commits() + victim.commits();
            live.accept(text(
                    "Run       %4.1f s  %,d commits, %,d of them in the history, %,d attempts aborted%s",
                    since(began),
                    commits,
                    survivor.appends() + victim.appends(),
                    survivor.abortCount() + victim.abortCount(),
                    remark));
            if (survivor.failure() != null) throw new IllegalStateException("a client failed: " + survivor.failure());
        }
        live.accept("");
    }

    private Result result(
            WorkerSite workerSite,
            double lasted,
            WorkerProcess survivor,
            WorkerProcess victim,
            long dead,
            WorkerSite.SiteFindings findings) {
        long commits = survivor.commits() + victim.commits();
        Map<String, TxnTally> kinds = new LinkedHashMap<>();
        CoarseHistogram latency = new CoarseHistogram();
        for (TxnTally tally : survivor.tallies()) {
            kinds.computeIfAbsent(tally.name(), TxnTally::new).add(tally);
            if (!tally.name().equals("append")) latency.add(tally.latency());
        }
        Map<String, Long> aborts = new LinkedHashMap<>();
        for (String line : survivor.aborts()) {
            long count = Long.parseLong(line.substring(line.indexOf(' ') + 1));
            String reason = line.substring(0, line.indexOf(' '))
                    .toLowerCase(Locale.ROOT)
                    .replace('_', ' ');
            if (count > 0) aborts.put(reason, count);
        }
        List<KeyProber.Commit> firsts = workerSite.prober().commits();
        long first = -1;
        for (KeyProber.Commit commit : firsts) first = Math.max(first, commit.nanos() - dead);
        List<WorkerProcess.Recovered> recoveries = new ArrayList<>(survivor.recoveries());
        recoveries.removeIf(recovered -> recovered.session() != victim.session());
        // If the victim held no lock, no transaction meets it. Then the next opening of the pool recovers it, here that
        // of the checker.
        for (RecoveryReport r : workerSite.recovered())
            if (r.session() == victim.session())
                recoveries.add(new WorkerProcess.Recovered(
                        r.session(),
                        r.coordinators(),
                        r.finished(),
                        r.undone(),
                        r.locksFreed(),
                        new Recovery.Times(r.begunNanos(), r.revokedNanos(), r.resolvedNanos(), r.unlockedNanos())));
        return new Result(
                seconds,
                accounts,
                seed,
                commits,
                commits / lasted,
                latency,
                List.copyOf(kinds.values()),
                aborts,
                recoveries,
                firsts.size(),
                first,
                findings);
    }

    private void tell(Result r) {
        say("");
        say("%-18s %10s %10s %10s %12s %10s", "", "commits", "p50 µs", "p99 µs", "round trips", "rollbacks");
        for (TxnTally kind : r.kinds())
            say(
                    "%-18s %,10d %10.1f %10.1f %12.2f %,10d",
                    kind.name(),
                    kind.commits(),
                    kind.latency().percentile(50) / 1e3,
                    kind.latency().percentile(99) / 1e3,
                    kind.roundTripsPerCommit(),
                    kind.rollbacks());
        say(
                "(of the surviving process; p50 and p99 of SmallBank as a whole %.1f and %.1f µs)",
                r.latency().percentile(50) / 1e3, r.latency().percentile(99) / 1e3);
        say("");
        say("Commits   %,d by both processes, %,.0f a second", r.commits(), r.commitsPerSecond());
        say("Aborts    %s", r.aborts().isEmpty() ? "none" : aborts(r));
        say("Recovery  %s", recovery(r));
        say("");
        BankAudit audit = r.findings().audit();
        say("History   %s", r.findings().verdict().counts());
        verdict(r.isStrict(), "the history is strictly serializable");
        if (!r.isStrict()) r.findings().verdict().report().lines().forEach(out);
        verdict(
                audit.holds(),
                text("every account holds what the books say: %,d cents in all%s", audit.actualCents(), doubts(audit)));
        audit.wrong().stream().limit(10).forEach(line -> say("          %s", line));
        QuiescentPoolCheck quiet = r.findings().quiet();
        verdict(
                quiet.holds(),
                text(
                        "%,d objects whole, visible, unlocked and equal on both replicas; nothing is left behind",
                        quiet.objects()));
        quiet.problems().stream().limit(10).forEach(line -> say("          %s", line));
        verdict(!r.recoveries().isEmpty(), "what the killed process left was recovered");
    }

    private static String aborts(Result r) {
        List<String> parts = new ArrayList<>();
        r.aborts().forEach((reason, count) -> parts.add(text("%s %,d", reason, count)));
        return String.join(", ", parts);
    }

    private static String recovery(Result r) {
        if (r.recoveries().isEmpty()) return "did not happen";
        WorkerProcess.Recovered found = r.recoveries().getFirst();
        String what = text(
                "%d coordinators of the dead process: %d transactions finished, %d undone, %d locks freed",
                found.coordinators(), found.finished(), found.undone(), found.freed());
        String when = r.firstCommitNanos() < 0
                ? "; it held no key"
                : text(
                        "; each of the keys that it held (%d) had a new commit within %.2f ms of its death",
                        r.affectedKeys(), r.firstCommitNanos() / 1e6);
        return what + when;
    }

    private static String doubts(BankAudit audit) {
        if (audit.doubts() == 0) return "";
        return text(" (%d in doubt at the kill, %d of them happened)", audit.doubts(), audit.doubtsThatHappened());
    }

    private void verdict(boolean holds, String what) {
        say("%-9s %s", holds ? "OK" : "FAILED", what);
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private void say(String format, Object... values) {
        out.accept(text(format, values));
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static double since(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }
}
