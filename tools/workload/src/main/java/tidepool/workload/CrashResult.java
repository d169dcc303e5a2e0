package tidepool.workload;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import tidepool.history.Level;

/**
 * The result of a {@link KillCampaign}.
 *
 * @param unanswered keys of a dead process on which there was no commit any more
 * @param early processes that were killed while they opened the pool, in addition to the others
 * @param finished transactions of dead processes that were finished; the next two: undone, locks freed
 * @param faults number of faults of each kind
 * @param flights the fates of writes that arrived after the takeover, by {@code HeldFrame.Fate}
 * @param problems wrong effects of faults, in words
 */
public record CrashResult(
        CrashPlan plan,
        double seconds,
        long commits,
        RecoveryTimes times,
        int unanswered,
        int early,
        int finished,
        int undone,
        int freed,
        Map<Fault, Integer> faults,
        Map<String, Integer> flights,
        List<String> problems,
        WorkerSite.SiteFindings findings) {
    public CrashResult {
        faults = Map.copyOf(faults);
        flights = Map.copyOf(flights);
        problems = List.copyOf(problems);
    }

    public boolean isStrict() {
        return findings.verdict().holds(Level.STRICT_SERIALIZABILITY);
    }

    public boolean holds() {
        return isStrict()
                && findings.audit().holds()
                && findings.quiet().holds()
                && findings.leftAtNodes().isEmpty()
                && unanswered == 0
                && problems.isEmpty();
    }

    /** Returns the whole result as text for people. */
    public String text() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "%d kills in %.1f s on %s, seed %d; %,d commits that were told of",
                plan.kills(),
                seconds,
                plan.fabric(),
                plan.seed(),
                commits);
        line(
                text,
                "left by the dead: %d transactions to finish, %d to undo, %d locks to free",
                finished,
                undone,
                freed);
        line(text, "%d more were killed while they opened the pool", early);
        if (plan.faults() > 0) tellFaults(text);
        text.append(times.text());
        line(
                text,
                "%s every key that a dead process had held had a commit again; %d had none",
                mark(unanswered == 0),
                unanswered);
        tellFindings(text);
        return text.toString();
    }

    private void tellFaults(StringBuilder text) {
        for (Fault fault : Fault.values()) line(text, "fault: %-14s %d times", fault, faults.getOrDefault(fault, 0));
        flights.forEach((fate, count) -> line(text, "writes that flew past a takeover, %s: %d", fate, count));
        line(text, "%s everybody came back after a fault, and nothing late was carried out", mark(problems.isEmpty()));
        for (String problem : problems) line(text, "    %s", problem);
    }

    private void tellFindings(StringBuilder text) {
        line(text, "history: %s", findings.verdict().counts());
        line(text, "%s strictly serializable", mark(isStrict()));
        if (!isStrict()) text.append(findings.verdict().report());
        BankAudit audit = findings.audit();
        line(
                text,
                "%s every account holds what the books say; %d transactions in doubt, of which %d happened",
                mark(audit.holds()),
                audit.doubts(),
                audit.doubtsThatHappened());
        for (String wrong : audit.wrong()) line(text, "    %s", wrong);
        QuiescentPoolCheck quiet = findings.quiet();
        line(
                text,
                "%s %,d objects whole, visible, unlocked, equal on all replicas; nothing of the dead is left",
                mark(quiet.holds()),
                quiet.objects());
        for (String problem : quiet.problems()) line(text, "    %s", problem);
        if (plan.fabric().equals("shm")) return;
        line(
                text,
                "%s connections, sessions and memory at the nodes are what they were",
                mark(findings.leftAtNodes().isEmpty()));
        for (String left : findings.leftAtNodes()) line(text, "    %s", left);
    }

    private static String mark(boolean holds) {
        return holds ? "OK    " : "FAILED";
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
